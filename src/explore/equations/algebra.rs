//! Small dense linear algebra: columns brought to comparable size, dependencies among them, spans.
//!
//! Knows numbers only, not what they are values of.

/// A residual of a unit vector that is below this is rounding.
pub(super) const ROUNDING: f64 = 1e-11;

/// Columns scaled so that neither large nor small rows decide alone, in coordinates of few dimensions.
pub(super) struct Field {
    /// A unit vector per column that is not zero; the angles between them are those of the scaled columns.
    pub(super) vectors: Vec<Option<Vec<f64>>>,
    /// What each column was divided by, besides a factor per row.
    pub(super) scales: Vec<f64>,
}

/// How often rows and columns are scaled in turn.
const PASSES: usize = 2;
/// A value that is smaller than the largest of its column by this factor counts as that small and no smaller, so that what should be 0
/// does not lift its row above the others.
const SMALLEST: f64 = 1e-12;

impl Field {
    /// The field of columns of finite numbers, all of one length.
    ///
    /// Rows and columns are divided by the geometric mean of their magnitudes. With the largest instead, a column of values from 1 to 10^9
    /// would hardly differ from one that is larger by 1 everywhere.
    pub(super) fn new(mut columns: Vec<Vec<f64>>) -> Field {
        let rows = columns.first().map_or(0, Vec::len);
        let mut scales = vec![1.0; columns.len()];
        let divide = |column: &mut Vec<f64>, scale: &mut f64, by: f64| {
            if by > 0.0 {
                column.iter_mut().for_each(|x| *x /= by);
                *scale *= by;
            }
        };
        for _ in 0..PASSES {
            for (column, scale) in columns.iter_mut().zip(&mut scales) {
                let by = largest(column);
                divide(column, scale, by);
                let by = mean(column.iter().copied());
                divide(column, scale, by);
            }
            let most: Vec<f64> = columns.iter().map(|column| largest(column)).collect();
            for row in 0..rows {
                let values = columns.iter().zip(&most).map(|(column, most)| match column[row] {
                    0.0 => 0.0,
                    value => value.abs().max(SMALLEST * most),
                });
                let by = mean(values);
                if by > 0.0 {
                    columns.iter_mut().for_each(|column| column[row] /= by);
                }
            }
        }
        for (column, scale) in columns.iter_mut().zip(&mut scales) {
            let by = largest(column);
            divide(column, scale, by);
            let by = norm(column);
            divide(column, scale, by);
        }
        let is_zero: Vec<bool> = columns.iter().map(|column| largest(column) == 0.0).collect();
        let vectors = coordinates(columns).into_iter().zip(is_zero);
        Field { vectors: vectors.map(|(v, is_zero)| (!is_zero).then_some(v)).collect(), scales }
    }
}

/// The largest magnitude.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// The geometric mean of the magnitudes that are not 0; 0 if there are none.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values
        .filter(|value| *value != 0.0)
        .fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value.abs().ln()));
    if count == 0.0 { 0.0 } else { f64::exp(sum / count) }
}

/// The columns in coordinates of their own space: the triangular factor of a QR decomposition by reflections. Lengths and
/// angles stay, and there are no more coordinates than columns.
fn coordinates(mut columns: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let rows = columns.first().map_or(0, Vec::len);
    let dimensions = rows.min(columns.len());
    for j in 0..dimensions {
        let mut mirror = columns[j][j..].to_vec();
        let length = norm(&mirror);
        mirror[0] += length.copysign(mirror[0]);
        let square = dot(&mirror, &mirror);
        if square == 0.0 {
            continue;
        }
        for column in &mut columns[j..] {
            let by = -2.0 * dot(&mirror, &column[j..]) / square;
            add(&mut column[j..], by, &mirror);
        }
    }
    columns.iter_mut().for_each(|column| column.truncate(dimensions));
    columns
}

/// How members of a basis add up to another vector.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dependency {
    /// The members, each with its factor.
    pub(super) factors: Vec<(usize, f64)>,
    /// How far the sum is from the vector.
    pub(super) apart: f64,
}

/// Independent vectors, and an orthonormal basis of their span.
#[derive(Default)]
pub(super) struct Basis {
    members: Vec<usize>,
    orthonormal: Vec<Vec<f64>>,
    /// Each member in terms of the orthonormal vectors up to its own.
    parts: Vec<Vec<f64>>,
}

impl Basis {
    /// Adds a vector if it is independent of the members by more than `near`; else says how they add up to it.
    pub(super) fn add(&mut self, name: usize, vector: &[f64], near: f64) -> Result<(), Dependency> {
        let mut rest = vector.to_vec();
        let mut parts = vec![0.0; self.orthonormal.len()];
        // The second time takes away what rounding left.
        for _ in 0..2 {
            for (part, direction) in parts.iter_mut().zip(&self.orthonormal) {
                let along = dot(&rest, direction);
                add(&mut rest, -along, direction);
                *part += along;
            }
        }
        let length = norm(&rest);
        if length > near {
            rest.iter_mut().for_each(|x| *x /= length);
            self.orthonormal.push(rest);
            parts.push(length);
            self.parts.push(parts);
            self.members.push(name);
            return Ok(());
        }
        // Back substitution.
        let mut factors = Vec::with_capacity(self.members.len());
        for member in (0..self.members.len()).rev() {
            let own = &self.parts[member];
            let factor = parts[member] / own[member];
            add(&mut parts[..member], -factor, &own[..member]);
            factors.push((self.members[member], factor));
        }
        factors.reverse();
        Err(Dependency { factors, apart: length })
    }
}

/// A space of vectors, to ask what lies in it.
#[derive(Default)]
pub(super) struct Span(Vec<Vec<f64>>);

/// A unit vector that is nearer than this to a span lies in it.
const WITHIN: f64 = 1e-7;

impl Span {
    /// Makes the span hold a vector.
    pub(super) fn add(&mut self, vector: &[f64]) {
        let rest = self.rest(vector);
        let length = norm(&rest);
        if length > WITHIN * norm(vector) {
            self.0.push(rest.into_iter().map(|x| x / length).collect());
        }
    }

    /// Whether the span holds a vector.
    pub(super) fn holds(&self, vector: &[f64]) -> bool {
        norm(&self.rest(vector)) <= WITHIN * norm(vector)
    }

    fn rest(&self, vector: &[f64]) -> Vec<f64> {
        let mut rest = vector.to_vec();
        for _ in 0..2 {
            for direction in &self.0 {
                let along = dot(&rest, direction);
                add(&mut rest, -along, direction);
            }
        }
        rest
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `to += by * vector`.
pub(super) fn add(to: &mut [f64], by: f64, vector: &[f64]) {
    to.iter_mut().zip(vector).for_each(|(to, x)| *to += by * x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_keep_lengths_and_angles() {
        let columns = vec![vec![3.0, 4.0, 0.0, 1.0], vec![1.0, -2.0, 2.0, 0.5]];
        let few = coordinates(columns.clone());
        assert_eq!(few[0].len(), 2);
        for (i, j) in [(0, 0), (0, 1), (1, 1)] {
            let (before, after) = (dot(&columns[i], &columns[j]), dot(&few[i], &few[j]));
            assert!((before - after).abs() < 1e-12);
        }
    }

    #[test]
    fn a_dependent_vector_comes_with_its_factors() {
        let mut basis = Basis::default();
        assert_eq!(basis.add(7, &[1.0, 1.0, 0.0], ROUNDING), Ok(()));
        assert_eq!(basis.add(9, &[0.0, 1.0, 0.0], ROUNDING), Ok(()));
        let Dependency { factors, apart } = basis.add(4, &[2.0, -1.0, 0.0], ROUNDING).unwrap_err();
        assert!(apart < ROUNDING);
        let [(7, a), (9, b)] = factors[..] else { panic!("{factors:?}") };
        assert!((a - 2.0).abs() < 1e-12 && (b + 3.0).abs() < 1e-12);
        assert_eq!(basis.add(5, &[0.0, 0.0, 1e-3], ROUNDING), Ok(()));
    }

    #[test]
    fn large_and_small_rows_count_alike() {
        // x, x + 1 and 1 on rows from 1 to 10^9: the 1 is seen.
        let x: Vec<f64> = (0..10).map(|i| 10_f64.powi(i)).collect();
        let next = x.iter().map(|x| x + 1.0).collect();
        let field = Field::new(vec![x, next, vec![1.0; 10]]);
        let [Some(x), Some(next), Some(one)] = &field.vectors[..] else { panic!("not zero") };
        let mut basis = Basis::default();
        assert!(basis.add(0, x, ROUNDING).is_ok());
        assert!(basis.add(1, next, 1e-4).is_ok(), "x and x + 1 are told apart");
        assert!(basis.add(2, one, ROUNDING).is_err());
    }
}
