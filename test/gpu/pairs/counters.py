#!/usr/bin/env python3
"""Counts what the kernels of the tuning pairs do, with Nsight Compute.

Usage: counters.py --output=FILE.csv.gz [--jobs=8] [NAME ...]

Builds every pair that is not set aside, and takes the counters of the first
launch of either kernel: eight minutes on one H100 with 16 cores. Caches are as
the program leaves them.
"""

import argparse
import concurrent.futures
import csv
import gzip
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pairs import all_pairs
from run import build

STALLS = ("long_scoreboard", "short_scoreboard", "barrier", "mio_throttle",
          "lg_throttle", "math_pipe_throttle", "wait", "not_selected",
          "imc_miss", "no_instruction", "dispatch_stall", "drain", "membar",
          "sleeping", "tex_throttle", "selected")
PIPES = ("alu", "fma", "fmaheavy", "fp64", "xu", "lsu", "uniform", "cbu", "adu",
         "tensor", "tex")
METRICS = [
    "gpu__time_duration.sum", "smsp__inst_executed.sum", "smsp__inst_issued.sum",
    *(f"sm__inst_executed_pipe_{pipe}.sum" for pipe in PIPES),
    "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
    "lts__t_sectors_op_atom.sum", "lts__t_sectors_op_red.sum",
    "lts__t_sectors_srcunit_tex.sum", "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "dram__bytes_read.sum", "dram__bytes_write.sum",
    "l1tex__t_sectors.sum", "l1tex__t_sectors_lookup_hit.sum",
    "l1tex__t_requests.sum", "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__lsuin_requests.sum", "idc__requests.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__cycles_active.avg", "sm__cycles_elapsed.max",
    "launch__registers_per_thread", "launch__grid_size", "launch__block_size",
    "launch__shared_mem_per_block",
    *(f"launch__occupancy_limit_{limit}"
      for limit in ("blocks", "registers", "shared_mem", "warps")),
    *(f"smsp__average_warps_issue_stalled_{stall}_per_issue_active.ratio"
      for stall in STALLS)]


def counted(pair, folder):
    """A row for `before` and one for `after`."""
    run = subprocess.run(
        ["ncu", "--clock-control", "none", "--cache-control", "none",
         "-k", "regex:^(before|after)", "--launch-count", "2", "--kill", "yes",
         "--csv", "--page", "raw", "--print-units", "base",
         "--metrics", ",".join(METRICS), folder / pair.name],
        capture_output=True, text=True)
    table = "\n".join(line for line in run.stdout.splitlines()
                      if line.startswith('"'))
    return [{"name": pair.name,
             "kernel": re.split(r"[<(]", row["Kernel Name"])[0].split()[-1],
             **{metric: row[metric].replace(",", "") for metric in METRICS}}
            for row in csv.DictReader(io.StringIO(table))
            if row["ID"].isdigit()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("names", metavar="NAME", nargs="*",
                        help="only these pairs (default: all)")
    options = parser.parse_args()
    pairs = [pair for pair in all_pairs() if pair.part == "tuned" and
             (not options.names or pair.name in options.names)]
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda pair: build(pair, folder), pairs))
        # Programs start side by side; ncu measures one of them at a time.
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for pair, found in zip(pairs, pool.map(
                    lambda pair: counted(pair, folder), pairs)):
                rows += found
                if len(found) != 2:
                    failed.append(pair.name)
    with gzip.open(options.output, "wt", newline="") as file:
        table = csv.DictWriter(file, ["name", "kernel", *METRICS],
                               lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    if failed:
        sys.exit("error: no counters for " + ", ".join(failed))


if __name__ == "__main__":
    main()
