#!/usr/bin/env python3
"""Runs `warpwise check` on every stand-alone .cu file of some projects.

  run_corpus.py --warpwise BINARY --records FILE [--jobs 2] [--every N]
                [--match GLOB] [-- warpwise options] < LIST

Each line of LIST is a project: NAME FOLDER [compiler flags]. A file that
another source of the project includes is a fragment and is left out. The others
get what an unmodified build gives them: their folder, the -I and -D of the
nearest Makefile, the line's own flags, the folders up to the project's for
quoted includes, and the `include`, `inc`, `common` and `Common` in them. FILE
gets a JSON line for each translation unit; the table goes to stdout.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SOURCES = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp", ".inl"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+\.cu)[>"]', re.M)
ASSIGNMENT = re.compile(r"^\s*(\w+)\s*[:?]?=\s*(\S+)\s*$", re.M)
VARIABLE = re.compile(r"\$[({](\w+)[)}]")
FLAG = re.compile(r"(?<=\s)-([ID])\s*(\S+)")
LEFT_OUT = re.compile(r"error: kernel '(.*)' was not analysed: (.*)")
KERNELS = re.compile(r" in (\d+) kernels?")
TIME_LIMIT = 300  # Warpwise itself gives up after 120 s


def folders_up_to(root, start):
    return [f for f in [start, *start.parents] if f == root or root in f.parents]


def find_units(root, match):
    """The stand-alone .cu files of a project, and how many are fragments."""
    fragments = set()
    for file in (f for f in root.rglob("*") if f.suffix in SOURCES and f.is_file()):
        for name in INCLUDE.findall(file.read_text(errors="replace")):
            for folder in folders_up_to(root, file.parent):
                fragments.add((folder / name).resolve())
    files = sorted(f.resolve() for f in root.rglob("*.cu") if f.is_file())
    files = [f for f in files if fnmatch.fnmatch(str(f.relative_to(root)), match)]
    units = [f for f in files if f not in fragments]
    return units, len(files) - len(units)


def read_makefile_flags(root, unit):
    for folder in folders_up_to(root, unit.parent):
        if not (folder / "Makefile").exists():
            continue
        text = re.sub("#.*", "", (folder / "Makefile").read_text(errors="replace"))
        values = dict(ASSIGNMENT.findall(text))
        for kind, value in FLAG.findall(text):
            value = VARIABLE.sub(lambda m: values.get(m[1], m[0]), value)
            if not re.search(r"[$`'\"\\]", value):
                yield f"-{kind}" + (str(folder / value) if kind == "I" else value)
        return


def compiler_flags(root, own, unit):
    flags = ["-std=c++17", *own, *dict.fromkeys(read_makefile_flags(root, unit))]
    for folder in folders_up_to(root, unit.parent):
        flags.append(f"-iquote{folder}")
        for name in ("include", "inc", "common", "Common"):
            if (folder / name).is_dir():
                flags.append(f"-I{folder / name}")
    return flags


def check(args, project, root, own, unit):
    command = [args.warpwise, "check", "--format=json", "--jobs=1", *args.options]
    command += [str(unit), "--", *compiler_flags(root, own, unit)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        limited = ["timeout", "--signal=KILL", str(TIME_LIMIT), *command]
        process = subprocess.Popen(limited, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        code = process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        messages = err.read().decode(errors="replace")
        try:
            findings = len(json.load(out)["findings"])
        except (ValueError, KeyError):
            findings = None
    kernels = KERNELS.search(messages)
    hung = "the analysis took more than" in messages or seconds >= TIME_LIMIT
    crashed = "the analysis crashed" in messages or (code not in (0, 1) and not hung)
    report = findings is not None and kernels is not None
    return {
        "project": project,
        "file": unit.relative_to(root).as_posix(),
        "exit": code,
        "seconds": round(seconds, 2),
        "megabytes": usage.ru_maxrss // 1024,
        "hung": hung,
        "crashed": crashed,
        "report": report and not hung and not crashed,
        "findings": findings,
        "kernels": int(kernels[1]) if kernels else 0,
        "errors": LEFT_OUT.findall(messages),
        "messages": messages,
    }


def print_table(records, fragments):
    print("| project | units | without device error | report | crashes | hangs "
          "| kernels | not analysed | median s | max s | max MB |")
    print("|---|" + "--:|" * 10)
    names = [*dict.fromkeys(r["project"] for r in records), "all"]
    for name in names:
        rows = [r for r in records if name in (r["project"], "all")]
        count, seconds = len(rows), sorted(r["seconds"] for r in rows)
        clean = sum(r["report"] and not r["errors"] for r in rows)
        report = sum(r["report"] for r in rows)
        print(f"| {name} | {count} | {clean} ({clean / count:.1%}) "
              f"| {report} ({report / count:.1%}) "
              f"| {sum(r['crashed'] for r in rows)} | {sum(r['hung'] for r in rows)} "
              f"| {sum(r['kernels'] for r in rows)} "
              f"| {sum(len(r['errors']) for r in rows)} "
              f"| {seconds[count // 2]:.1f} | {seconds[-1]:.1f} "
              f"| {max(r['megabytes'] for r in rows)} |")
    print(f"\n{fragments} fragments left out")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="take each Nth unit")
    parser.add_argument("--match", default="*", help="take the units of this path")
    parser.add_argument("options", nargs="*")
    args = parser.parse_args()
    tasks, fragments = [], 0
    for name, folder, *own in (line.split() for line in sys.stdin if line.strip()):
        root = pathlib.Path(folder).resolve()
        units, left_out = find_units(root, args.match)
        tasks += [(name, root, own, u) for u in units[:: args.every]]
        fragments += left_out
    with (
        concurrent.futures.ThreadPoolExecutor(args.jobs) as pool,
        open(args.records, "w") as file,
    ):
        records = []
        for record in pool.map(lambda task: check(args, *task), tasks):
            records.append(record)
            print(json.dumps(record), file=file, flush=True)
    print_table(records, fragments)


if __name__ == "__main__":
    main()
