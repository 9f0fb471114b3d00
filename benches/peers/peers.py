"""Drives the side-by-side benchmark: checks, interleaved rounds, table, RESULT lines.

Started by `run`, which sets up what this needs. README.md says what is compared with what.
"""

import argparse
import json
import os
import platform
import statistics

import numexpr
import numpy
import pyoperon

import check
import contenders
import evolved
from contenders import COLUMNS, SIZES

RIVALS = ("operon", "numpy", "numpy_tolerant", "numexpr", "numexpr_tolerant", "exmex", "evalexpr")
OURS = ("bytecode", "bytecode_avx2", "population")


class World:
    """Columns and trees that everybody gets, as `peers generate` wrote them; trees by `part`."""

    def __init__(self, folder, prefix, part):
        values = numpy.fromfile(os.path.join(folder, f"{prefix}columns.f64"), dtype="<f8")
        self.columns = [column.copy() for column in values.reshape(len(COLUMNS), -1)]
        self.rows = len(self.columns[0])
        self.trees = {}
        with open(os.path.join(folder, f"{prefix}trees.jsonl"), encoding="ascii") as lines:
            for line in lines:
                tree = json.loads(line)
                self.trees.setdefault(tree[part], []).append(tree)

    def node_rows(self, part):
        """Nodes of all trees of a part, leaves and roots included, times rows."""
        return sum(len(tree["postfix"]) for tree in self.trees[part]) * self.rows


def cpu():
    """The name of the processor, where the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def rounds(everybody, count, at_least):
    """The rates of all turns, by contender and size.

    Each round lets everybody have a turn, so that a slow minute of the machine is everybody's.
    """
    rates = {}
    for _ in range(count):
        for size in SIZES:
            for contender in everybody:
                rate = contender.turn(size, at_least)
                rates.setdefault((contender.name, size), []).append(rate)
    return rates


def table(everybody, rates):
    """Prints the best rate of everybody, in node-rows per second, and how it compares to Operon."""
    columns = "  ".join(f"{f'{size} nodes':>9} {'x Operon':>9} {'median':>7}" for size in SIZES)
    print(f"{'':16}  {'task':30}{'':4} {columns}")
    for contender in everybody:
        line = f"{contender.name:16}  {contender.task:30}{contender.number:4}"
        for size in SIZES:
            turns = rates[contender.name, size]
            best = max(turns)
            ratio = best / max(rates["operon", size])
            line += f"  {best / 1e9:7.3f} G {ratio:9.3f} {statistics.median(turns) / best:6.0%}"
        print(line)


def results(rates, facts):
    """Prints the figures for programs: where, ratios of the best rates, the rates themselves."""
    print("RESULT peers", *(f"{key}={str(value).replace(' ', '_')}" for key, value in facts.items()))
    best = {key: max(turns) for key, turns in rates.items()}
    for us in OURS:
        if (us, SIZES[0]) not in best:
            continue
        for rival in RIVALS:
            ratios = (f"{us}_over_{rival}_{n}={best[us, n] / best[rival, n]:.3f}" for n in SIZES)
            print("RESULT peers", *ratios)
    for name in (*OURS, *RIVALS):
        if (name, SIZES[0]) in best:
            print("RESULT peers", *(f"{name}_node_rows_per_s_{n}={best[name, n]:.4g}" for n in SIZES))


def main():
    """Checks, measures, reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the built Rust program")
    parser.add_argument("--data", required=True, help="the folder that `peers generate` wrote")
    parser.add_argument("--quick", action="store_true", help="3 rounds of short turns")
    options = parser.parse_args()
    count, at_least = (3, 0.25) if options.quick else (9, 1.0)

    world = World(options.data, "", "size")
    generations = World(options.data, "evolved_", "generation")
    server = contenders.Server(options.program, options.data)
    about = server.ask("about")
    tolerance = (float(about["abs"]), float(about["rel"]))
    everybody = contenders.all_of(world, server, tolerance)

    load = round(os.getloadavg()[0], 1)
    print(f"CPU: {cpu()}; ours uses {about['isa']}; 1 thread; {world.rows} rows")
    print(f"load average before the first turn: {load} on {os.cpu_count()} cores")
    print("Operon:", " / ".join(pyoperon.Version().split("\n")[:3]))
    print(f"numpy {numpy.__version__}, numexpr {numexpr.__version__} (VML: {numexpr.use_vml})")

    # Dividing by zero is part of the trees. Nobody is to spend time on warnings about it.
    with numpy.errstate(all="ignore"):
        trees = sum(map(len, world.trees.values()))
        for name in OURS:
            ones = check.ours(world, name, server, tolerance, options.data)
            share = ones / (trees * world.rows)
            print(f"check: {name}: all masks are numpy's; {trees} trees hold on {share:.1%} of the rows")
        for name, share in check.rivals(world, everybody, server, options.data).items():
            print(f"check: {name}: {share:.4%} of the values are numpy's")
        evolving = evolved.all_of(generations, server)
        operon = next(contender for contender in evolving if contender.name == "operon")
        shares = check.evolved(generations, operon, server, tolerance, options.data)
        print("check: evolved: population and bytecode count alike, as numpy on every tenth generation")
        for name, share in shares.items():
            print(f"check: evolved: {name}: {share:.4%} of the values are numpy's")
        rates = rounds(everybody, count, at_least)
        passes = evolved.rounds(evolving, generations, 2 if options.quick else count)
    server.close()

    print(f"\nNode-rows/s, best stretch of {count} turns of {at_least} s; median turn as a share of it:\n")
    table(everybody, rates)
    relations = sum(map(len, generations.trees.values()))
    print(f"\nPopulations as they evolve: {relations} relations of {len(generations.trees)} generations")
    print("raw: of the nodes that were really run, not remembered\n")
    evolved.table(evolving, generations, passes)
    print()
    results(rates, {"cpu": cpu(), "isa": about["isa"], "rounds": count, "load_before": load})
    evolved.results(generations, passes)


if __name__ == "__main__":
    main()
