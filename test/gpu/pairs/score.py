#!/usr/bin/env python3
"""Holds the speed-ups that Warpwise predicts against those measured.

Usage: score.py [--warpwise=BIN] [--measured=h200.csv] [--gpu=h200] [--aside]

Without a GPU. Of the pairs that are set aside only sums are printed, so that
nobody tunes by them; --aside prints their rows, too.
"""

import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import re
import subprocess

from pairs import HERE, all_pairs


def plain(name):
    """"after" of "void after<24>(int *)"."""
    return re.split(r"[<(]", name)[0].split()[-1]


def predicted(pair, options):
    """Nanoseconds of the two kernels with warm caches; None where not known."""
    run = subprocess.run(
        [options.warpwise, "accesses", "--quiet", "--gpu=" + options.gpu,
         *pair.options, pair.source], text=True, stdout=subprocess.PIPE)
    times = {"before": None, "after": None}
    if run.returncode:
        return times
    for kernel in json.loads(run.stdout)["kernels"]:
        name = plain(kernel["name"])
        launches = [launch for launch in kernel["launches"]
                    if launch.get("time")]
        if name in times and launches:
            times[name] = launches[0]["time"]
    return times


def said(pair, options):
    """The finding on `before` that gains most, as (factor, low, high)."""
    run = subprocess.run(
        [options.warpwise, "check", "--quiet", "--gpu=" + options.gpu,
         "--min-gain=0", "--format=json", *pair.options, pair.source],
        text=True, stdout=subprocess.PIPE)
    gains = []
    if run.returncode == 0:
        for finding in json.loads(run.stdout)["findings"]:
            gain = finding.get("gain")
            if gain and "before" in map(plain, finding["found_in"]):
                gains.append((gain["factor"], gain["low"], gain["high"]))
    return max(gains, default=None)


def ranks(values):
    """Means of places for equal values."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            result[place] = (start + end - 1) / 2
        start = end
    return result


def correlation(left, right):
    count = len(left)
    if count < 3:
        return math.nan
    mean_left, mean_right = sum(left) / count, sum(right) / count
    both = sum((a - mean_left) * (b - mean_right)
               for a, b in zip(left, right))
    squares = (sum((a - mean_left) ** 2 for a in left) *
               sum((b - mean_right) ** 2 for b in right))
    return both / math.sqrt(squares) if squares else math.nan


def sign(speedup):
    """Whether it pays, harms or does not matter."""
    return (speedup > 1.05) - (speedup < 1 / 1.05)


def summary(title, pairs, rows):
    known = [row for row in rows if row["guess"]]
    print(f"\n{title}: {pairs} pairs, {len(known)} with a prediction")
    if not known:
        return
    ratios = [row["guess"] / row["speedup"] for row in known]

    def share(good):
        return f"{100 * sum(good) / pairs:.0f} % ({sum(good)} of {pairs})"

    print("  within 10 %:", share([1 / 1.1 <= r <= 1.1 for r in ratios]))
    print("  within 25 %:", share([1 / 1.25 <= r <= 1.25 for r in ratios]))
    print("  sign right at 5 %:",
          share([sign(row["speedup"]) == sign(row["guess"])
                 for row in known]))
    rank = correlation(ranks([row["speedup"] for row in known]),
                       ranks([row["guess"] for row in known]))
    print(f"  rank correlation: {rank:.2f}")
    logs = [abs(math.log(row[side + "_ns"] / row[side + "_us"] / 1e3))
            for row in known for side in ("before", "after")]
    print(f"  kernel times: within a factor of "
          f"{math.exp(sum(logs) / len(logs)):.2f} (geometric mean)")


def summary_of_said(rows):
    """Of what `check` says of the kernel before, the one after unseen."""
    paying = [row for row in rows if sign(row["speedup"]) > 0]
    named = [row for row in paying if row["said"] and row["said"][0] >= 1.05]
    others = [row for row in rows if sign(row["speedup"]) <= 0]
    shown = [row for row in others if row["said"] and row["said"][0] >= 1.05]

    def near(factor):
        return sum(1 / factor <= row["said"][0] / row["speedup"] <= factor
                   for row in named)

    held = sum(row["said"][1] <= row["speedup"] <= row["said"][2]
               for row in named)
    print(f"  check: names {len(named)} of {len(paying)} that pay, {near(1.1)} "
          f"within 10 %, {near(1.25)} within 25 %, {held} in the interval; "
          f"promises 5 % for {len(shown)} of {len(others)} that do not pay")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpwise", default="build/dev/bin/warpwise")
    parser.add_argument("--measured", type=pathlib.Path,
                        default=HERE / "h200.csv")
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("--aside", action="store_true",
                        help="print the rows that are set aside, too")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()

    with options.measured.open() as file:
        measured = {row["name"]: row for row in csv.DictReader(file)}
    pairs = [pair for pair in all_pairs() if pair.name in measured]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        guesses = list(pool.map(lambda pair: predicted(pair, options), pairs))
        findings = list(pool.map(lambda pair: said(pair, options), pairs))
    rows = []
    for pair, guess, finding in zip(pairs, guesses, findings):
        row = {"name": pair.name, "part": pair.part, "guess": None,
               "said": finding}
        for column in ("before_us", "after_us", "speedup"):
            row[column] = float(measured[pair.name][column])
        for side in ("before", "after"):
            row[side + "_ns"] = guess[side] and guess[side]["warm_ns"]
            row[side + "_by"] = guess[side]["bound_by"] if guess[side] else "?"
        if row["before_ns"] and row["after_ns"]:
            row["guess"] = row["before_ns"] / row["after_ns"]
        rows.append(row)

    print(f"{'pair':36} {'measured':>8} {'predicted':>9} {'ratio':>6}   "
          "before: us measured, predicted; after")
    for row in rows:
        if row["part"] == "aside" and not options.aside:
            continue
        line = f"{row['name']:36} {row['speedup']:8.2f} "
        line += (f"{row['guess']:9.2f} {row['guess'] / row['speedup']:6.2f}"
                 if row["guess"] else f"{'-':>9} {'-':>6}")
        for side in ("before", "after"):
            ns = row[side + "_ns"]
            line += (f"   {row[side + '_us']:.1f} "
                     f"{f'{ns / 1e3:.1f}' if ns else '-'} "
                     f"({row[side + '_by']})")
        if row["said"]:
            line += "   check says {:.2f} [{:.2f}, {:.2f}]".format(*row["said"])
        print(line)
    for part, title in (("tuned", "Tuned"), ("aside", "Set aside"),
                        ("advised", "What check advises, carried out")):
        its = [row for row in rows if row["part"] == part]
        if its:
            summary(title, len(its), its)
            summary_of_said(its)


if __name__ == "__main__":
    main()
