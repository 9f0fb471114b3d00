"""Is everybody timed on the same thing? Checked on every tree before anything is timed.

Ours must equal numpy on every row, with the full meaning of tolerance and protected division
written out here a second time. The rivals evaluate something simpler (README.md says what); they
must equal numpy doing that same simpler thing.
"""

import os

import numpy

from contenders import ARGUMENTS, SIZES, difference


class Side:
    """A number per row whose `/` is genmorph's: 1 where the divisor equals 0 by the tolerance.

    An operator class, so that the trees' own text can be evaluated with another meaning of `/`.
    """

    def __init__(self, values, tolerance):
        self.values, self.tolerance = values, tolerance

    def __abs__(self):
        return Side(numpy.abs(self.values), self.tolerance)

    def __add__(self, other):
        return Side(self.values + values_of(other), self.tolerance)

    def __sub__(self, other):
        return Side(self.values - values_of(other), self.tolerance)

    def __mul__(self, other):
        return Side(self.values * values_of(other), self.tolerance)

    def __truediv__(self, other):
        return self.divide(self.values, values_of(other))

    def __radd__(self, other):
        return Side(other + self.values, self.tolerance)

    def __rsub__(self, other):
        return Side(other - self.values, self.tolerance)

    def __rmul__(self, other):
        return Side(other * self.values, self.tolerance)

    def __rtruediv__(self, other):
        return self.divide(other, self.values)

    def divide(self, a, b):
        """a / b, protected."""
        quotient = numpy.divide(a, b)
        return Side(numpy.where(equal(b, 0.0, self.tolerance), 1.0, quotient), self.tolerance)


def values_of(operand):
    """The numbers of a side, or a constant itself."""
    return operand.values if isinstance(operand, Side) else operand


def equal(a, b, tolerance):
    """Both NaN, or the same number, or both finite and within the tolerance."""
    absolute, relative = tolerance
    finite = numpy.isfinite(a) & numpy.isfinite(b)
    bound = absolute + relative * numpy.maximum(numpy.abs(a), numpy.abs(b))
    both_nan = numpy.isnan(a) & numpy.isnan(b)
    return (a == b) | (finite & (numpy.abs(a - b) <= bound)) | both_nan


COMPARISONS = {
    "==": lambda a, b, t: equal(a, b, t),
    "!=": lambda a, b, t: ~equal(a, b, t),
    "<": lambda a, b, t: (a < b) & ~equal(a, b, t),
    ">": lambda a, b, t: (b < a) & ~equal(a, b, t),
    "<=": lambda a, b, t: (a < b) | equal(a, b, t),
    ">=": lambda a, b, t: (b < a) | equal(a, b, t),
}


def full_meaning(tree, columns, tolerance):
    """Where a relation holds, by genmorph's definition, in numpy."""
    sides = [Side(column, tolerance) for column in columns]
    left, right = (eval(f"lambda {ARGUMENTS}: {tree[s]}")(*sides) for s in ("left", "right"))
    a, b = (numpy.broadcast_to(values_of(side), columns[0].shape) for side in (left, right))
    return COMPARISONS[tree["postfix"][-1]](a, b, tolerance)


def plain_difference(tree, columns):
    """Left side minus right side with plain division, in the type of the columns."""
    return eval(f"lambda {ARGUMENTS}: {difference(tree)}")(*columns)


def same(found, expected, relative):
    """Row by row: within a relative deviation, or the same infinity, or both NaN."""
    within = numpy.abs(found - expected) <= relative * numpy.abs(expected)
    return within | (found == expected) | (numpy.isnan(found) & numpy.isnan(expected))


def ours(world, name, server, tolerance, folder):
    """Stops unless the masks of one of ours equal numpy's on every row of every tree.

    Answers on how many rows the relations hold.
    """
    ones = 0
    for size in SIZES:
        file = os.path.join(folder, f"{name}.masks")
        server.ask("masks", name, size, file)
        masks = numpy.fromfile(file, dtype=numpy.uint8).reshape(len(world.trees[size]), world.rows)
        for tree, mask in zip(world.trees[size], masks):
            expected = full_meaning(tree, world.columns, tolerance)
            if not numpy.array_equal(mask.astype(bool), expected):
                row = numpy.flatnonzero(mask != expected)[0]
                raise SystemExit(f"{name} and numpy disagree on row {row} of {tree['relation']}")
            ones += int(expected.sum())
    return ones


def rivals(world, contenders, server, folder):
    """The share of values of each rival that are numpy's; stops where one evaluates other trees.

    Operon is held against numpy in f32 (is it the same computation?) and in f64 (what does f32
    cost in digits?). The row-wise crates are held against f64, on the rows they evaluate.
    """
    operon = next(contender for contender in contenders if contender.name == "operon")
    single = [column.astype(numpy.float32) for column in world.columns]
    shares = {"operon vs f32": [], "operon vs f64": [], "exmex": [], "evalexpr": []}
    for size in SIZES:
        trees = world.trees[size]
        for tree, values in zip(trees, operon.values(size)):
            shares["operon vs f32"].append(same(values, plain_difference(tree, single), 1e-5))
            shares["operon vs f64"].append(
                same(values, plain_difference(tree, world.columns), 1e-3)
            )
        for name in ("exmex", "evalexpr"):
            file = os.path.join(folder, f"{name}.f64")
            rows = int(server.ask("values", name, size, file)["rows"])
            all_values = numpy.fromfile(file, dtype="<f8").reshape(len(trees), rows)
            first = [column[:rows] for column in world.columns]
            for tree, values in zip(trees, all_values):
                shares[name].append(same(values, plain_difference(tree, first), 1e-9))
    report = {}
    for name, trees in shares.items():
        report[name] = float(numpy.mean([tree.mean() for tree in trees]))
        worst = min(tree.mean() for tree in trees)
        # Rounding spoils single rows of a tree; a wrong tree is wrong on almost all of them.
        if worst < 0.5:
            raise SystemExit(f"{name}: only {worst:.1%} of the rows of some tree are numpy's")
    return report
