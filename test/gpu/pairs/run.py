#!/usr/bin/env python3
"""Builds every pair of this folder and times it on this machine's GPU.

Usage: run.py [--build=FOLDER] [--build-only | --no-build] [--output=FILE.csv]
              [--part=tuned|aside|advised] [NAME ...]

Each program prints its row; the rows together, with whether a pair
is set aside, are the CSV. A pair whose two kernels disagree is an error.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from pairs import HERE, Pair, all_pairs

COLUMNS = ("name,before_us,after_us,speedup,spread,cold_before_us,"
           "cold_after_us,set")


def build(pair, folder):
    program = folder / pair.name
    newest = max(source.stat().st_mtime
                 for source in (pair.source, *HERE.glob("*.cuh")))
    if not program.exists() or program.stat().st_mtime < newest:
        subprocess.run(["nvcc", "-arch=sm_90", "-std=c++17", "-O3", "-lineinfo",
                        "-o", program, pair.source], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path("build/pairs"),
                        help="folder of the programs (default: build/pairs)")
    parser.add_argument("--output", type=pathlib.Path,
                        help="write the table here instead of printing it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", metavar="NAME", nargs="*",
                        help="only these pairs (default: all)")
    parser.add_argument("--part", choices=["tuned", "aside", "advised"],
                        help="only pairs of this part")
    step = parser.add_mutually_exclusive_group()
    step.add_argument("--build-only", action="store_true")
    step.add_argument("--no-build", action="store_true",
                      help="the programs are there, built elsewhere")
    options = parser.parse_args()

    pairs: list[Pair] = all_pairs()
    unknown = set(options.names) - {pair.name for pair in pairs}
    if unknown:
        sys.exit("error: no pair is called " + ", ".join(sorted(unknown)))
    if options.names:
        pairs = [pair for pair in pairs if pair.name in options.names]
    if options.part:
        pairs = [pair for pair in pairs if pair.part == options.part]
    if not options.no_build:
        options.build.mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda pair: build(pair, options.build), pairs))
    if options.build_only:
        return
    rows, failed = [], []
    for pair in pairs:  # one at a time: the GPU is theirs alone
        run = subprocess.run([options.build / pair.name], text=True,
                             stdout=subprocess.PIPE)
        if run.returncode:
            failed.append(pair.name)
        else:
            rows.append(run.stdout.strip() + "," + pair.part)
    table = "\n".join([COLUMNS] + rows) + "\n"
    if options.output:
        options.output.write_text(table)
    else:
        sys.stdout.write(table)
    if failed:
        sys.exit("error: no time for " + ", ".join(failed))


if __name__ == "__main__":
    main()
