"""Populations as they evolve: every relation of all generations, for ours, Operon and numpy.

A pass takes seconds, so a turn is one pass. Generations are timed one by one and each counts with its
best round: of whole passes the longest would be disturbed most.
"""

import statistics
import time

from contenders import Numpy, Operon, Served, difference


class Passes:
    """The passes of a contender over all generations.

    `seconds` has a list per pass. `raw` is the nodes times rows of a pass that were really run, where
    that is counted.
    """

    def __init__(self):
        self.seconds, self.raw = [], None

    def best(self):
        """Seconds of a pass in which every generation is at its best."""
        return sum(map(min, zip(*self.seconds)))

    def median(self):
        """The speed of the median pass as a share of that."""
        return self.best() / statistics.median(map(sum, self.seconds))


def all_of(world, server):
    """Everybody, in the order of their turns."""
    return [
        Served("bytecode", "tolerant, protected /, counts", server),
        Served("population", "the same, generations at once", server),
        Operon(world),
        Numpy("numpy", "difference, plain /", world, difference),
    ]


def rounds(everybody, world, count):
    """The passes of everybody: in each round one of each."""
    passes = {contender.name: Passes() for contender in everybody}
    for _ in range(count):
        for contender in everybody:
            mine = passes[contender.name]
            if isinstance(contender, Served):
                answer = contender.server.ask("pass", contender.name)
                mine.seconds.append([float(text) for text in answer["seconds"].split(",")])
                mine.raw = int(answer["node_rows"])
            else:
                mine.seconds.append([timed(contender.ready(part)) for part in world.trees])
    return passes


def timed(one_pass):
    """Seconds that a pass takes."""
    start = time.perf_counter()
    one_pass()
    return time.perf_counter() - start


def node_rows(world):
    """Nodes of all relations of all generations, times rows."""
    return sum(map(world.node_rows, world.trees))


def table(everybody, world, passes):
    """Prints rates in node-rows per second: effective, and of the nodes that were really run."""
    work = node_rows(world)
    columns = f"{'effective':>9} {'x Operon':>9} {'median':>7} {'raw':>9}"
    print(f"{'':16}  {'task':34} {columns}")
    for contender in everybody:
        mine = passes[contender.name]
        best = mine.best()
        ratio = passes["operon"].best() / best
        line = f"{contender.name:16}  {contender.task:30}{contender.number:4}"
        line += f"  {work / best / 1e9:7.3f} G {ratio:9.3f} {mine.median():6.0%}"
        print(line, f" {mine.raw / best / 1e9:7.3f} G" if mine.raw else "")


def results(world, passes):
    """Prints the figures for programs."""
    work = node_rows(world)
    best = {name: mine.best() for name, mine in passes.items()}
    relations = [tree["relation"] for trees in world.trees.values() for tree in trees]
    ratios = {
        f"{us}_over_{rival}": f"{best[rival] / best[us]:.3f}"
        for us, rival in (
            ("population", "operon"),
            ("bytecode", "operon"),
            ("population", "bytecode"),
            ("population", "numpy"),
            ("bytecode", "numpy"),
        )
    }
    figures = {
        **ratios,
        "population_effective_node_rows_per_s": f"{work / best['population']:.4g}",
        "population_raw_node_rows_per_s": f"{passes['population'].raw / best['population']:.4g}",
        "bytecode_node_rows_per_s": f"{work / best['bytecode']:.4g}",
        "operon_node_rows_per_s": f"{work / best['operon']:.4g}",
        "numpy_node_rows_per_s": f"{work / best['numpy']:.4g}",
        "mean_nodes": f"{work / world.rows / len(relations):.2f}",
        "distinct_relations": f"{len(set(relations)) / len(relations):.3f}",
    }
    print("RESULT peers", *(f"evolved_{key}={value}" for key, value in figures.items()))
