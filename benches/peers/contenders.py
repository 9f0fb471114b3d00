"""Who takes part: each contender has a name, a task, and turns of at least so many seconds.

Trees come in parts: by size, or by generation. A contender prepares its trees once, outside of the
time. Its turn is rated by its best stretch of
equally long ones; src/turn.rs has the same loop and says why.
"""

import re
import subprocess
import time

import numexpr
import numpy
import pyoperon

COLUMNS = [f"x{i}" for i in range(6)]
ARGUMENTS = ", ".join(COLUMNS)
SIZES = (8, 16)

# Seconds: a stretch is as many passes as fill this time.
STRETCH = 0.02


class Contender:
    """Somebody who evaluates all trees of a part, again and again.

    `task` says what is evaluated, `number` in which floating-point type.
    """

    def __init__(self, name, task, number):
        self.name, self.task, self.number = name, task, number

    def turn(self, part, at_least):
        """Node-rows per second in the best stretch of a turn."""
        one_pass, node_rows = self.ready(part), self.world.node_rows(part)
        best, start = 0.0, time.perf_counter()
        while time.perf_counter() - start < at_least:
            passes, seconds, stretch = 0, 0.0, time.perf_counter()
            while seconds < STRETCH:
                one_pass()
                passes += 1
                seconds = time.perf_counter() - stretch
            best = max(best, passes * node_rows / seconds)
        return best

    def ready(self, part):
        """The function that makes one pass over the trees of a part."""
        raise NotImplementedError


class Served(Contender):
    """A contender that lives in the Rust process."""

    def __init__(self, name, task, server):
        super().__init__(name, task, "f64")
        self.server = server

    def turn(self, size, at_least):
        answer = self.server.ask("measure", self.name, size, at_least)
        return float(answer["node_rows"]) / float(answer["seconds"])


class Server:
    """The Rust process `peers serve`: a line to ask, a line of key=value to answer."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "serve", "--from", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def ask(self, *words):
        """The answer as a dictionary; a bare word has an empty value."""
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"peers serve ended at: {words}")
        return {key: value for key, _, value in (word.partition("=") for word in line.split())}

    def close(self):
        """Ends the process by ending its input."""
        self.process.stdin.close()
        self.process.wait()


class Operon(Contender):
    """Operon by `EvaluateTrees`, one thread: left side minus right side, plain division."""

    # Measured on batches of 1 to 200: below 10 the set-up of a call shows, above 100 the results
    # leave the L2 cache. 50 is what suits Operon best.
    BATCH = 50

    TYPES = {
        "+": pyoperon.NodeType.Add,
        "-": pyoperon.NodeType.Sub,
        "*": pyoperon.NodeType.Mul,
        "/": pyoperon.NodeType.Div,
        "abs": pyoperon.NodeType.Abs,
    }

    def __init__(self, world):
        super().__init__("operon", "difference, plain /", "f32")
        self.world = world
        table = numpy.asfortranarray(numpy.stack(world.columns, axis=1))
        self.dataset = pyoperon.Dataset(table)
        variables = sorted(self.dataset.Variables, key=lambda variable: variable.Index)
        self.hashes = {name: variable.Hash for name, variable in zip(COLUMNS, variables)}
        self.range = pyoperon.Range(0, world.rows)
        # Written and read back in full by the check, so no page fault is timed.
        self.results = numpy.zeros((self.BATCH, world.rows), dtype=numpy.float32)
        self.batches = {}
        for part, trees in world.trees.items():
            built = [self.tree(tree["postfix"]) for tree in trees]
            assert all(b.Length == len(t["postfix"]) for b, t in zip(built, trees))
            starts = range(0, len(built), self.BATCH)
            self.batches[part] = [built[start : start + self.BATCH] for start in starts]

    def tree(self, postfix):
        """An Operon tree with `-` for the comparison at the root.

        Operon reads the operand next to its operator as the first one, so the two are swapped.
        """
        stack = []
        for token in [*postfix[:-1], "-"]:
            if token in self.TYPES:
                node = pyoperon.Node(self.TYPES[token])
                operands = [stack.pop() for _ in range(node.Arity)]
                stack.append([*sum(operands, []), node])
            elif token in self.hashes:
                node = pyoperon.Node(pyoperon.NodeType.Variable)
                node.HashValue, node.Value = self.hashes[token], 1.0
                stack.append([node])
            else:
                node = pyoperon.Node(pyoperon.NodeType.Constant)
                node.Value = float(token)
                stack.append([node])
        (nodes,) = stack
        return pyoperon.Tree(nodes).UpdateNodes()

    def ready(self, part):
        batches, results = self.batches[part], self.results
        dataset, rows = self.dataset, self.range

        def one_pass():
            for trees in batches:
                pyoperon.EvaluateTrees(trees, dataset, rows, results, 1)

        return one_pass

    def values(self, part):
        """The values of each tree, one row of the result per tree."""
        for trees in self.batches[part]:
            results = numpy.zeros((len(trees), self.range.Size), dtype=numpy.float32)
            pyoperon.EvaluateTrees(trees, self.dataset, self.range, results, 1)
            yield from results


# The tolerant comparisons as a practitioner writes them: right for finite numbers, nothing done
# about NaN and infinities. {a} and {b} are the sides, {bound} is abs + rel * max(|a|, |b|).
TOLERANT = {
    "==": "abs({a} - {b}) <= {bound}",
    "!=": "abs({a} - {b}) > {bound}",
    "<": "{b} - {a} > {bound}",
    ">": "{a} - {b} > {bound}",
    "<=": "{a} - {b} <= {bound}",
    ">=": "{b} - {a} <= {bound}",
}


def tolerant(comparison, a, b, tolerance):
    """The text of a tolerant comparison of two sides, for numpy and numexpr alike."""
    bound = f"({tolerance[0]!r} + {tolerance[1]!r} * maximum(abs({a}), abs({b})))"
    return TOLERANT[comparison].format(a=a, b=b, bound=bound)


CONSTANT = re.compile(r"(?<![\w.])-?\d+\.\d+")


def function(expression, number):
    """The function of the columns that a text means in Python.

    Every constant is bound to a name, as a `number`: Python's own would refuse to be divided by 0.
    """
    names = {"maximum": numpy.maximum}

    def bound(constant):
        name = f"c{len(names)}"
        names[name] = number(constant[0])
        return name

    return eval(f"lambda {ARGUMENTS}: {CONSTANT.sub(bound, expression)}", names)


class Numpy(Contender):
    """numpy, a call per operator, plain division."""

    def __init__(self, name, task, world, expression):
        super().__init__(name, task, "f64")
        self.world = world
        self.functions = {
            part: [function(expression(tree), numpy.float64) for tree in trees]
            for part, trees in world.trees.items()
        }

    def ready(self, part):
        functions, columns = self.functions[part], self.world.columns

        def one_pass():
            for function in functions:
                function(*columns)

        return one_pass


class Numexpr(Contender):
    """numexpr, one thread, plain division. Compiled beforehand, which `evaluate` would cache."""

    def __init__(self, name, task, world, expression):
        super().__init__(name, task, "f64")
        self.world = world
        by_name = dict(zip(COLUMNS, world.columns))
        self.compiled = {}
        for part, trees in world.trees.items():
            self.compiled[part] = []
            for tree in trees:
                used = [name for name in COLUMNS if name in tree["postfix"]]
                signature = [(name, numpy.float64) for name in used]
                compiled = numexpr.NumExpr(expression(tree), signature)
                self.compiled[part].append((compiled, [by_name[name] for name in used]))

    def ready(self, part):
        compiled = self.compiled[part]

        def one_pass():
            for function, columns in compiled:
                function(*columns)

        return one_pass


def difference(tree):
    """The text of left side minus right side."""
    return f"{tree['left']} - {tree['right']}"


def all_of(world, server, tolerance):
    """Everybody, in the order of their turns."""

    def for_numpy(tree):
        # The sides are bound to names, or numpy would evaluate each of them three times.
        comparison = tolerant(tree["postfix"][-1], "a", "b", tolerance)
        return f"(lambda a, b: {comparison})({tree['left']}, {tree['right']})"

    def for_numexpr(tree):
        # numexpr finds the repeated sides itself and evaluates them once.
        return tolerant(tree["postfix"][-1], tree["left"], tree["right"], tolerance)

    numexpr.set_num_threads(1)
    return [
        Served("bytecode", "tolerant, protected /, bits", server),
        Served("bytecode_avx2", "the same, no wider than AVX2", server),
        Served("population", "the same, at once, fresh memo", server),
        Operon(world),
        Numpy("numpy", "difference, plain /", world, difference),
        Numpy("numpy_tolerant", "tolerant, plain /, bytes", world, for_numpy),
        Numexpr("numexpr", "difference, plain /", world, difference),
        Numexpr("numexpr_tolerant", "tolerant, plain /, bytes", world, for_numexpr),
        Served("exmex", "difference, plain /", server),
        Served("evalexpr", "difference, plain /", server),
    ]
