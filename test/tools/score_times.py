#!/usr/bin/env python3
"""Compares the times that `warpwise accesses` predicts with measured ones.

    score_times.py --truth FOLDER --accesses OUT [--all]
    score_times.py --times FILE.csv.gz [FILE.csv.gz ...] --accesses OUT [--all]

FOLDER holds SUITE_cache.csv with duration_ns per launch, from cold caches. A
FILE is what test/gpu/suites/measure.py --times wrote, medians of the launches
of a kernel and shape in the program's own run; times from warm caches are
compared with these. OUT is what run_suite.py wrote, a folder for each suite.
--all prints every launch.
"""

import argparse
import csv
import glob
import gzip
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


def cold_launches(path):
    """Rows with name, shape and nanoseconds, in the order of the launches."""
    with open(path) as file:
        for row in csv.DictReader(file):
            yield row, row["kernel"], float(row["duration_ns"])


def warm_launches(path, suite):
    with gzip.open(path, "rt") as file:
        for row in csv.DictReader(file):
            if row["suite"] == suite and float(row["median_ns"]) > 0:
                yield row, row["kernel_mangled"], float(row["median_ns"])


def score(suite, measured_launches, caches, accesses, show_all):
    known = predictions(os.path.join(accesses, suite))
    # `check` says a time only where it knows how often all loops run.
    whole, part, launches, seen = [], [], 0, {}
    for row, name, measured in measured_launches:
        launches += 1
        key = (row["program"], row["kernel_mangled"])
        shape = tuple([int(x) for x in row[s].split("x")] for s in ("grid", "block"))
        times = [t for g, b, t in known.get(key, []) if t and (g, b) == shape]
        if not times:
            if show_all:
                print(f"{row['program']:24}{name[:40]:42}no time")
            continue
        place = seen.setdefault((key, str(shape)), 0)
        seen[key, str(shape)] += 1
        time = times[min(place, len(times) - 1)]
        predicted = time[caches]
        (whole if time["trips_known"] else part).append((predicted, measured))
        if show_all:
            issued = sum(time["instructions"].values())
            print(
                f"{row['program']:24}{name[:40]:42}"
                f"{measured / 1e3:10.1f} us, predicted"
                f"{predicted / 1e3:10.1f} ({predicted / measured:.2f})"
                f"  {'' if time['trips_known'] else 'rounds unknown, '}"
                f"{time['bound_by']}, instructions {issued:.3g}"
                + (f" ({issued / float(row['warp_insts']):.2f})"
                   if "warp_insts" in row else "")
            )
    if whole:
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
    measured = parser.add_mutually_exclusive_group(required=True)
    measured.add_argument("--truth")
    measured.add_argument("--times", nargs="+")
    parser.add_argument("--accesses", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()

    def has(suite):
        return os.path.isdir(os.path.join(options.accesses, suite))

    print("| suite | launches | with a time | factor, geometric mean | median |"
          " within 1.2 | within 2 | rank correlation |")
    print("|---|---|---|---|---|---|---|---|")
    cold = glob.glob(os.path.join(options.truth, "*_cache.csv")) if options.truth else []
    for path in sorted(cold):
        suite = os.path.basename(path)[: -len("_cache.csv")]
        if has(suite):
            score(suite, cold_launches(path), "cold_ns", options.accesses, options.all)
    for path in options.times or []:
        with gzip.open(path, "rt") as file:
            suites = {row["suite"] for row in csv.DictReader(file)}
        for suite in filter(has, sorted(suites)):
            score(suite, warm_launches(path, suite), "warm_ns", options.accesses,
                  options.all)


if __name__ == "__main__":
    main()
