#!/usr/bin/env python3
"""Runs the program MergeProbe under Nsight Compute and writes, as CSV, what L2
served for each sequence of requests, per line: reads, sectors read, sectors
that DRAM read, sectors written.

Usage: measure.py PROBE > nvidia-h200.csv
"""

import csv
import subprocess
import sys
import tempfile

# Requests and sectors that came from L1, not from the other half of L2.
METRICS = [
    "lts__t_requests_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "dram__sectors_read.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
]
ROUNDS = 128  # as in MergeProbe.cu


def main():
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        # Caches stay as the program leaves them, and clocks as they are.
        asked = subprocess.run(
            ["ncu", "--clock-control", "none", "--cache-control", "none",
             "--kernel-name", "askInTurn", "--metrics", ",".join(METRICS),
             "--csv", "--page", "raw", "--print-units", "base",
             "--log-file", log.name, "--force-overwrite", sys.argv[1]],
            check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        said = log.read().splitlines()
    # A launch that is measured in two passes runs twice, and its lines are in
    # L2 the second time.
    for line in said:
        if 'Profiling "' in line and not line.endswith("- 1 pass"):
            sys.exit("more than one pass: " + line)
    table = list(csv.DictReader(
        line for line in said if not line.startswith("==")))[1:]  # units
    if len(table) != len(asked):
        sys.exit(f"{len(asked)} launches, {len(table)} measured")
    print("line,gpc,start,distance,asked,reads,sectors,dram,written")
    for request, counted in zip(asked, table):
        values = [float(counted[name].replace(",", "")) / ROUNDS
                  for name in METRICS]
        print(request + "," + ",".join(f"{value:.2f}" for value in values))


if __name__ == "__main__":
    main()
