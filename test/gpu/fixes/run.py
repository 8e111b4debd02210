#!/usr/bin/env python3
"""Applies Warpwise's fixes to the pairs of ../pairs, and runs what comes out.

Usage: run.py [--warpwise=PROGRAM] [--build=FOLDER] [--build-only | --no-build]
              [--output=FILE.csv]

Each pair is copied, rewritten with `check --fix-notes`, and built with nvcc as
it was and as it is now. Both programs compare what their kernels `before` and
`after` write, so a rewrite that changes a result ends in an error. The table
has the times of `before` as it was and as rewritten, beside what was predicted;
of pairs that are set aside there only the times.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAIRS = HERE.parent / "pairs"
COLUMNS = "name,fixes,before_us,fixed_us,speedup,predicted"
PROMISE = re.compile(r"note: fix: .*?'before\S*' takes about ([\d.e+]+) us "
                     r"before and ([\d.e+]+) us after")


def rewrite(source, folder, warpwise):
    """The rewritten copy and what was promised; None where nothing changed."""
    copy = folder / source.name
    text = source.read_text()
    copy.write_text(text)
    check = subprocess.run(
        [warpwise, "check", "--gpu=h200", "--fix-notes", "--quiet", copy, "--",
         "-I", PAIRS, "-std=c++17"], text=True, capture_output=True)
    if check.returncode:
        sys.exit(f"error: {source.name}: {check.stderr}")
    if copy.read_text() == text:
        copy.unlink()
        return None
    again = copy.read_text()
    subprocess.run([warpwise, "check", "--gpu=h200", "--fix-notes", "--quiet",
                    copy, "--", "-I", PAIRS, "-std=c++17"],
                   stdout=subprocess.DEVNULL, check=True)
    if copy.read_text() != again:
        sys.exit(f"error: {source.name}: a second run changes it again")
    # Those that begin where others end are listed after these.
    promises = PROMISE.findall(check.stdout)
    predicted = (float(promises[0][0]) / float(promises[-1][1])
                 if promises else None)
    return copy, check.stdout.count("note: fix: "), predicted


def build(source, program):
    subprocess.run(["nvcc", "-arch=sm_90", "-std=c++17", "-O3", "-lineinfo",
                    "-I", PAIRS, "-o", program, source], check=True)


def time_of(program):
    """Microseconds of `before`; exits with the program's error."""
    run = subprocess.run([program], text=True, stdout=subprocess.PIPE)
    if run.returncode:
        sys.exit(f"error: {program.name}: the results are not the same")
    return float(run.stdout.split(",")[1])


def prepare(options):
    options.build.mkdir(parents=True, exist_ok=True)
    aside = set((PAIRS / "SetAside.txt").read_text().split())
    fixed, rows = [], []
    for source in sorted(PAIRS.glob("*.cu")):
        made = rewrite(source, options.build, options.warpwise)
        if made:
            copy, fixes, predicted = made
            if source.stem in aside:
                predicted = None
            fixed.append((source, copy))
            rows.append(f"{source.stem},{fixes},{predicted or ''}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(build, source,
                            options.build / (source.stem + suffix))
                for pair in fixed
                for source, suffix in zip(pair, (".was", ".fixed"))]
        for job in jobs:
            job.result()
    (options.build / "fixes.txt").write_text("\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpwise", default="build/dev/bin/warpwise")
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path("build/fixes"))
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    step = parser.add_mutually_exclusive_group()
    step.add_argument("--build-only", action="store_true")
    step.add_argument("--no-build", action="store_true",
                      help="the programs are there, built elsewhere")
    options = parser.parse_args()
    if not options.no_build:
        prepare(options)
    if options.build_only:
        return
    rows = [COLUMNS]
    for row in (options.build / "fixes.txt").read_text().split():
        name, fixes, predicted = row.split(",")
        was = time_of(options.build / (name + ".was"))
        now = time_of(options.build / (name + ".fixed"))
        rows.append(f"{name},{fixes},{was:.3f},{now:.3f},{was / now:.3f},"
                    + (f"{float(predicted):.3f}" if predicted else ""))
    table = "\n".join(rows) + "\n"
    if options.output:
        options.output.write_text(table)
    else:
        sys.stdout.write(table)


if __name__ == "__main__":
    main()
