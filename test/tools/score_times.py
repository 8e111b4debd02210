#!/usr/bin/env python3
"""Compares the times that `warpwise accesses` predicts with measured ones.

    score_times.py --truth FOLDER --accesses OUT [--all]

FOLDER holds SUITE_cache.csv with duration_ns per launch; OUT is what
run_suite.py wrote, a folder for each suite. Compared are times from cold
caches, as they were measured. --all prints every launch.
"""

import argparse
import csv
import glob
import json
import math
import os
import statistics


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0] * len(values)
    for rank, index in enumerate(order):
        result[index] = rank
    return result


def spearman(a, b):
    if len(a) < 2:
        return math.nan
    mean = (len(a) - 1) / 2
    pairs = list(zip(ranks(a), ranks(b)))
    above = sum((x - mean) * (y - mean) for x, y in pairs)
    return above / sum((x - mean) ** 2 for x, _ in pairs)


def predictions(folder):
    """(program, kernel) -> [(grid, block, time)] in the order of the launches."""
    result = {}
    for path in glob.glob(os.path.join(folder, "**", "*.json"), recursive=True):
        program = os.path.relpath(path, folder).split(os.sep)[0]
        try:
            with open(path) as file:
                document = json.load(file)
        except ValueError:
            continue
        if not isinstance(document, dict):
            continue
        for kernel in document.get("kernels", []):
            for launch in kernel["launches"]:
                result.setdefault((program, kernel["mangled"]), []).append(
                    (launch["grid"], launch["block"], launch.get("time"))
                )
    return result


def score(suite, truth, accesses, show_all):
    known = predictions(os.path.join(accesses, suite))
    # `check` says a time only where it knows how often all loops run.
    whole, part, launches, seen = [], [], 0, {}
    with open(truth) as file:
        for row in csv.DictReader(file):
            launches += 1
            key = (row["program"], row["kernel_mangled"])
            shape = tuple([int(x) for x in row[s].split("x")] for s in ("grid", "block"))
            times = [t for g, b, t in known.get(key, []) if t and (g, b) == shape]
            if not times:
                if show_all:
                    print(f"{row['program']:24}{row['kernel'][:40]:42}no time")
                continue
            place = seen.setdefault((key, str(shape)), 0)
            seen[key, str(shape)] += 1
            time = times[min(place, len(times) - 1)]
            predicted, measured = time["cold_ns"], float(row["duration_ns"])
            (whole if time["trips_known"] else part).append((predicted, measured))
            if show_all:
                print(
                    f"{row['program']:24}{row['kernel'][:40]:42}"
                    f"{measured / 1e3:10.1f} us, predicted"
                    f"{predicted / 1e3:10.1f} ({predicted / measured:.2f})"
                    f"  {'' if time['trips_known'] else 'rounds unknown, '}"
                    f"{time['bound_by']}"
                    f", instructions {sum(time['instructions'].values()):.3g}"
                    f" ({sum(time['instructions'].values()) / float(row['warp_insts']):.2f})"
                )
    report(suite, launches, whole)
    if part:
        report(f"{suite}, rounds not known", launches, part)
        report(f"{suite}, both", launches, whole + part)


def report(name, launches, pairs):
    off = [abs(math.log(p / m)) for p, m in pairs]
    share = lambda factor: 100 * sum(x <= math.log(factor) for x in off) / len(off)
    print(
        f"| {name} | {launches} | {len(off)} | {math.exp(statistics.mean(off)):.2f}"
        f" | {math.exp(statistics.median(off)):.2f} | {share(1.2):.0f} % |"
        f" {share(2):.0f} % | {spearman(*zip(*pairs)):.3f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--truth", required=True)
    parser.add_argument("--accesses", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    print("| suite | launches | with a time | factor, geometric mean | median |"
          " within 1.2 | within 2 | rank correlation |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sorted(glob.glob(os.path.join(options.truth, "*_cache.csv"))):
        suite = os.path.basename(path)[: -len("_cache.csv")]
        if os.path.isdir(os.path.join(options.accesses, suite)):
            score(suite, path, options.accesses, options.all)


if __name__ == "__main__":
    main()
