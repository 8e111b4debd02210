#!/usr/bin/env python3
"""What a GPU's counters say of the ladder's versions.

Usage: counters.py [--mnf=PROGRAM] > h200-counters.csv

Runs each version of `mnf rotate` on a small scene under Nsight Compute (ncu), which
has to be on the PATH and allowed to read counters.
"""

import argparse
import collections
import csv
import pathlib
import subprocess
import sys
import tempfile

METRICS = {
    "loads": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "shared loads": "smsp__inst_executed_op_shared_ld.sum",
    "shared wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "local loads": "smsp__inst_executed_op_local_ld.sum",
    "alu": "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "dram": "dram__bytes_read.sum",
    "time": "gpu__time_duration.sum",
}


def counters_of(lines):
    """The metrics of each launch of ncu's CSV, by the launch's ID and kernel."""
    launches = collections.OrderedDict()
    start = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    for row in csv.DictReader(lines[start:]):
        kernel = row["Kernel Name"].split("(")[0].removeprefix("void ")
        value = float(row["Metric Value"].replace(",", ""))
        launches.setdefault((row["ID"], kernel), {})[row["Metric Name"]] = value
    return launches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mnf", default="build/dev/bin/mnf")
    options = parser.parse_args()
    print("version,kernel,sectors_per_load,wavefronts_per_shared_load,local_loads,"
          "alu_percent,dram_read_mb,us")
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / "scene.img"
        subprocess.run([options.mnf, "generate", f"--output={image}",
                        "--size=614x103x224"], check=True)
        for version in range(9):
            run = subprocess.run(
                ["ncu", "--clock-control", "none", "--csv",
                 "--metrics", ",".join(METRICS.values()),
                 "-k", "regex:filterNoise|addProducts|transform", options.mnf,
                 "rotate", str(image), f"--output={folder}/r",
                 f"--version=V{version}"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if run.returncode:
                sys.exit(f"error: ncu: {run.stderr.strip() or run.stdout.strip()}")
            for (_, kernel), found in counters_of(run.stdout.splitlines()).items():
                of = {name: found[metric] for name, metric in METRICS.items()}
                ratio = lambda a, b: f"{of[a] / of[b]:.2f}" if of[b] else ""
                print(f"V{version},{kernel},{ratio('load sectors', 'loads')},"
                      f"{ratio('shared wavefronts', 'shared loads')},"
                      f"{of['local loads']:.0f},{of['alu']:.0f},"
                      f"{of['dram'] / 1e6:.1f},{of['time'] / 1e3:.1f}")


if __name__ == "__main__":
    main()
