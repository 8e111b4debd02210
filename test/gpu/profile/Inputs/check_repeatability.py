#!/usr/bin/env python3
"""Whether profiles of fresh processes agree.

  check_repeatability.py [--bandwidths] PROFILE.json PROFILE.json...

Compared are the quantities of the memory levels that were measured: sizes and
words have to be identical, latencies to lie within 1 % of the median, and, with
--bandwidths, bandwidths within 1.5 %; a quick run takes too few samples of
those. docs/h200.md lists what scatters more, and how much: times of the host,
differences of two times, coefficients near 0.
"""

import argparse
import re
import statistics
import sys

from quantities import quantities, report

# What is compared by its path, and by how much of the median it may differ.
CLASSES = [
    (r"levels\.\w+\.latency\w*", "clk", 0.01),
    (r"levels\..*", "B", 0),
    (r"levels\..*", "name", 0),
]
# Stores that stay in L2 are left out: they scatter by 3 %.
BANDWIDTHS = [
    (r"levels\.(?!l2\.bandwidth_write)\w+\.bandwidth\w*", "GB/s", 0.015),
    (r"bandwidth\.\w+", "GB/s", 0.015),
]


def spread(values):
    if isinstance(values[0], str):
        return float(len(set(values)) > 1)
    return (max(values) - min(values)) / abs(statistics.median(values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bandwidths", action="store_true")
    parser.add_argument("profiles", nargs="+")
    options = parser.parse_args()
    classes = CLASSES + (BANDWIDTHS if options.bandwidths else [])
    runs = [quantities(file) for file in options.profiles]
    problems = []
    compared = 0
    for path, first in runs[0].items():
        all_runs = [run.get(path, {}) for run in runs]
        if any(q.get("status") != "measured" for q in all_runs):
            continue
        for pattern, unit, limit in classes:
            if first["unit"] == unit and re.fullmatch(pattern, path):
                values = [q["value"] for q in all_runs]
                compared += 1
                if spread(values) > limit:
                    problems.append(f"{path}: {values}")
                break
    if compared < 20:
        problems.append(f"only {compared} quantities could be compared")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
