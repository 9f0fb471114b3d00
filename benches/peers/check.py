"""Is everybody timed on the same thing? Checked on every tree before anything is timed.

Ours must equal numpy on every row, with the full meaning of tolerance and protected division
written out here a second time. The rivals evaluate something simpler (README.md says what); they
must equal numpy doing that same simpler thing.
"""

import os

import numpy

from contenders import SIZES, difference, function


class Side:
    """Numbers whose `/` is genmorph's: 1 where the divisor equals 0 by the tolerance.

    An operator class, so that the trees' own text can be evaluated with another meaning of `/`.
    """

    def __init__(self, values, tolerance):
        self.values, self.tolerance = values, tolerance

    def __abs__(self):
        return Side(numpy.abs(self.values), self.tolerance)

    def __add__(self, other):
        return Side(self.values + other.values, self.tolerance)

    def __sub__(self, other):
        return Side(self.values - other.values, self.tolerance)

    def __mul__(self, other):
        return Side(self.values * other.values, self.tolerance)

    def __truediv__(self, other):
        quotient = numpy.divide(self.values, other.values)
        protected = numpy.where(equal(other.values, 0.0, self.tolerance), 1.0, quotient)
        return Side(protected, self.tolerance)


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

    def numbers(text):
        side = function(text, lambda constant: Side(numpy.float64(constant), tolerance))(*sides)
        return numpy.broadcast_to(side.values, columns[0].shape)

    a, b = numbers(tree["left"]), numbers(tree["right"])
    return COMPARISONS[tree["postfix"][-1]](a, b, tolerance)


def plain_difference(tree, columns):
    """Left side minus right side with plain division, in the type of the columns."""
    values = function(difference(tree), columns[0].dtype.type)(*columns)
    return numpy.broadcast_to(values, columns[0].shape)


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
    return means(shares)


def evolved(world, operon, server, tolerance, folder):
    """Stops unless ours count alike on all generations, and as numpy does on every tenth of them.

    Answers the shares of Operon's values, on every tenth generation, that are numpy's.
    """
    counts = {}
    for name in ("bytecode", "population"):
        file = os.path.join(folder, f"{name}.counts")
        server.ask("counts", name, file)
        # Of each generation, each relation, each group.
        shape = (len(world.trees), -1, 2)
        counts[name] = numpy.fromfile(file, dtype="<u4").reshape(shape)
    halves = numpy.array([0, world.rows // 2])
    single = [column.astype(numpy.float32) for column in world.columns]
    shares = {"operon vs f32": [], "operon vs f64": []}
    for generation, trees in world.trees.items():
        ones, together = counts["bytecode"][generation], counts["population"][generation]
        for tree, one, shared in zip(trees, ones, together, strict=True):
            if not numpy.array_equal(one, shared):
                disagree(tree, "bytecode", one, "population", shared)
        if generation % 10 != 0:
            continue
        for tree, one, values in zip(trees, ones, operon.values(generation), strict=True):
            mask = full_meaning(tree, world.columns, tolerance)
            expected = numpy.add.reduceat(mask, halves, dtype=numpy.uint32)
            if not numpy.array_equal(one, expected):
                disagree(tree, "bytecode", one, "numpy", expected)
            shares["operon vs f32"].append(same(values, plain_difference(tree, single), 1e-5))
            shares["operon vs f64"].append(
                same(values, plain_difference(tree, world.columns), 1e-3)
            )
    return means(shares)


def disagree(tree, a, counts_a, b, counts_b):
    """Stops because two count differently."""
    raise SystemExit(
        f"{a} and {b} disagree in generation {tree['generation']} on {tree['relation']}:"
        f" {counts_a} and {counts_b}"
    )


def means(shares):
    """The share of rows that agree, by name; stops where on some tree they are too few."""
    report = {}
    for name, trees in shares.items():
        report[name] = float(numpy.mean([tree.mean() for tree in trees]))
        worst = min(tree.mean() for tree in trees)
        # Rounding spoils single rows of a tree; a wrong tree is wrong on almost all of them.
        if worst < 0.5:
            raise SystemExit(f"{name}: only {worst:.1%} of the rows of some tree are numpy's")
    return report
