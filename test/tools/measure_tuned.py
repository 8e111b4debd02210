#!/usr/bin/env python3
"""Counts what `warpwise check` says of code that others have tuned.

  measure_tuned.py --warpwise BINARY --trees DIR [--show] < LIST

Each line of LIST is a source file: the name of a project, the file, compiler flags.
{OWNER/NAME} stands for DIR/OWNER+NAME, a checkout, and {HERE} for the folder of LIST's
own files. Headers count as well as sources, those of libraries too.

Kernel lines are the lines to which nvcc's line table attributes instructions, each
once for a project; comments and declarations are none of them, so the rate is rather
too high than too low. A finding is a rule at a line, once for a project. The table says
how many there are at the default --min-gain; --show lists them.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.M)
LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)", re.M)
INLINED = re.compile(r"inlined_at (\d+) (\d+)")
JUDGED = re.compile(r"(\d+) of (\d+) accesses judged")
TIME_LIMIT = 900  # seconds


class Project:
    def __init__(self):
        self.units = self.failed = self.judged = self.accesses = 0
        self.kernels, self.lines, self.findings = set(), set(), {}


def kernel_lines(nvcc, source, flags, toolkit):
    """(file, line) of the instructions, without those of the toolkit."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "unit.ptx"
        run = subprocess.run(
            ["timeout", str(TIME_LIMIT), nvcc, "-ptx", "-lineinfo", "-arch=sm_90",
             "-w", *flags, source, "-o", str(ptx)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            return None
        text = ptx.read_text(errors="replace")
    files = {number: os.path.realpath(path) for number, path in FILE.findall(text)}
    found = set(LOC.findall(text)) | set(INLINED.findall(text))
    return {(files[f], int(line)) for f, line in found
            if f in files and not files[f].startswith(toolkit)}


def check(options, source, flags):
    run = subprocess.run(
        ["timeout", str(TIME_LIMIT), options.warpwise, "check", "--format=json",
         "--jobs=1", "--time-limit=0", "--header-filter=.*", "--gpu=" + options.gpu,
         *options.also, source, "--", *flags],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    try:
        return json.loads(run.stdout), run.stderr
    except json.JSONDecodeError:
        return None, run.stderr


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--trees", required=True)
    parser.add_argument("--here", default=pathlib.Path(__file__).parent / "tuned")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--gpu", default="nvidia-h200")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("also", nargs="*", help="further options of check")
    options = parser.parse_args()
    toolkit = os.path.realpath(pathlib.Path(options.nvcc).resolve().parents[1])

    def fill(word):
        word = word.replace("{HERE}", str(options.here))
        return re.sub(r"\{([^{}/]+)/([^{}/]+)\}",
                      lambda m: f"{options.trees}/{m[1]}+{m[2]}", word)

    projects = collections.defaultdict(Project)
    for line in sys.stdin.read().splitlines():
        if not line or line.startswith("#"):
            continue
        name, source, *flags = map(fill, line.split())
        project = projects[name]
        project.units += 1
        document, said = check(options, source, flags)
        lines = kernel_lines(options.nvcc, source, flags, toolkit)
        if document is None or document["errors"] or lines is None:
            project.failed += 1
            print(f"{source}: not counted: " + (
                "nvcc does not compile it" if lines is None else
                (document and document["errors"] or said.splitlines()[-1:])[0]),
                  file=sys.stderr)
            continue
        project.lines |= lines
        project.kernels |= {k["mangled"] for k in document["kernels"]}
        if match := JUDGED.search(said):
            project.judged += int(match[1])
            project.accesses += int(match[2])
        for finding in document["findings"]:
            if finding["file"].startswith(toolkit):
                continue
            place = finding["rule"], os.path.realpath(finding["file"]), finding["line"]
            project.findings.setdefault(place, finding)

    print("| project | units | kernels | accesses judged | kernel lines | findings | "
          "per 1,000 lines |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    rows = [*projects.items()]
    if len(rows) > 1:
        rows.append(("all", None))
    for name, project in rows:
        all_of = list(projects.values()) if project is None else [project]
        lines = sum(len(p.lines) for p in all_of)
        found = sum(len(p.findings) for p in all_of)
        failed = sum(p.failed for p in all_of)
        units = sum(p.units for p in all_of)
        print(f"| {name} | {units - failed}{f' of {units}' if failed else ''} | "
              f"{sum(len(p.kernels) for p in all_of)} | "
              f"{sum(p.judged for p in all_of):,} of "
              f"{sum(p.accesses for p in all_of):,} | {lines:,} | {found} | "
              f"{1000 * found / lines if lines else 0:.2f} |")
    if options.show:
        for name, project in projects.items():
            for (rule, file, line), finding in sorted(project.findings.items()):
                gain = finding["gain"]
                print(f"\n{name}: {file}:{line} [{rule}] "
                      + (f"{gain['factor']:.2f}x" if gain else "no price")
                      + f"\n  {finding['message']}\n  in {finding['kernel'][:200]}"
                      f"\n  {finding['remedy']}")


if __name__ == "__main__":
    main()
