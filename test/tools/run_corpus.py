#!/usr/bin/env python3
"""Runs `warpwise check` on every stand-alone .cu file of some projects.

  run_corpus.py --warpwise BINARY --records FILE [-- warpwise options] < LIST

Each line of LIST is a project: NAME N FOLDERS [compiler flags], of which each
Nth file is taken; FOLDERS may be a glob of independent programs. A file that
another source of its folder includes is a fragment and is left out. The others
get the line's flags, -I and -D of the nearest Makefile, and the folders above
them with their `include`, `inc`, `common` and `Common`. FILE gets a JSON line
for each translation unit; the table goes to stdout.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

SOURCES = {".cu", ".cuh", ".cc", ".cpp", ".h", ".hpp", ".inl"}
COMMON = ("include", "inc", "common", "Common")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+\.cu)[>"]', re.M)
ASSIGNMENT = re.compile(r"^\s*(\w+)\s*[:?]?=\s*(\S+)\s*$", re.M)
VARIABLE = re.compile(r"\$[({](\w+)[)}]")
FLAG = re.compile(r"(?<=\s)-([ID])\s*(\S+)")
LEFT_OUT = re.compile(r"(?:kernel|function) '(.*)' was not analysed: (.*)")
KERNELS = re.compile(r" in (\d+) kernels?")
TIME_LIMIT = 300  # seconds


def folders_up_to(root, start):
    return [f for f in [start, *start.parents] if f == root or root in f.parents]


def find_units(root):
    """The stand-alone .cu files of a folder, and how many are fragments."""
    fragments = set()
    sources = [f for f in root.rglob("*") if f.suffix in SOURCES and f.is_file()]
    for file in sources:
        for name in INCLUDE.findall(file.read_text(errors="replace")):
            places = folders_up_to(root, file.parent)
            fragments.update((folder / name).resolve() for folder in places)
    files = sorted(f.resolve() for f in sources if f.suffix == ".cu")
    units = [f for f in files if f not in fragments]
    return units, len(files) - len(units)


def read_makefile_flags(root, unit):
    makefiles = [f / "Makefile" for f in folders_up_to(root, unit.parent)]
    nearest = next((m for m in makefiles if m.exists()), None)
    text = re.sub("#.*", "", nearest.read_text(errors="replace")) if nearest else ""
    values = dict(ASSIGNMENT.findall(text))
    for kind, value in FLAG.findall(text):
        value = VARIABLE.sub(lambda m: values.get(m[1], m[0]), value)
        if not re.search(r"[$`'\"\\]", value):
            yield f"-{kind}{nearest.parent / value if kind == 'I' else value}"


def compiler_flags(root, own, unit):
    flags = ["-std=c++17", *own, *dict.fromkeys(read_makefile_flags(root, unit))]
    folders = folders_up_to(root, unit.parent)
    flags += [f"-iquote{folder}" for folder in folders]
    return flags + [f"-I{f / n}" for f in folders for n in COMMON if (f / n).is_dir()]


def check(args, project, root, own, unit):
    command = ["timeout", "--signal=KILL", str(TIME_LIMIT), args.warpwise, "check"]
    command += ["--format=json", "--jobs=1", *args.options, str(unit), "--"]
    command += compiler_flags(root, own, unit)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        messages = err.read().decode(errors="replace")
        document = out.read()
    kernels = KERNELS.search(messages)
    hung = code in (137, -9) or "the analysis took more than" in messages
    crashed = "the analysis crashed" in messages or code not in (0, 1, 2, 137, -9)
    return {
        "project": project,
        "file": unit.relative_to(root.parent).as_posix(),
        "exit": code,
        "seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "megabytes": usage.ru_maxrss // 1024,
        "hung": hung,
        "crashed": crashed,
        "report": document.rstrip().endswith(b"}") and not hung and not crashed,
        "kernels": int(kernels[1]) if kernels else 0,
        "errors": LEFT_OUT.findall(messages),
        "messages": messages,
    }


def share(outcomes):
    return f"{sum(outcomes)} ({sum(outcomes) / len(outcomes):.1%})"


def print_table(records, fragments):
    print("| project | units | with kernels | without device error | report | "
          "crashes | hangs | kernels | not analysed | median CPU s | max CPU s | "
          "max MB |\n|---|" + "--:|" * 11)
    for name in [*dict.fromkeys(r["project"] for r in records), "all"]:
        rows = [r for r in records if name in (r["project"], "all")]
        cells = [name, len(rows), sum(bool(r["kernels"] or r["errors"]) for r in rows)]
        cells.append(share([r["report"] and not r["errors"] for r in rows]))
        cells.append(share([r["report"] for r in rows]))
        cells += [sum(r[key] for r in rows) for key in ("crashed", "hung", "kernels")]
        cells.append(sum(len(r["errors"]) for r in rows))
        seconds = [r["seconds"] for r in rows]
        cells += [f"{f(seconds):.1f}" for f in (statistics.median, max)]
        cells.append(max(r["megabytes"] for r in rows))
        print("|", " | ".join(map(str, cells)), "|")
    print(f"\n{fragments} fragments left out")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("options", nargs="*")
    args = parser.parse_args()
    tasks, fragments = [], 0
    for line in filter(str.strip, sys.stdin):
        name, every, folders, *own = line.split()
        units = []
        for root in map(pathlib.Path, sorted(glob.glob(os.path.realpath(folders)))):
            found, left_out = find_units(root)
            units += [(name, root, own, unit) for unit in found]
            fragments += left_out
        tasks += units[:: int(every)]
    pool, records = concurrent.futures.ThreadPoolExecutor(args.jobs), []
    with pool, open(args.records, "w") as file:
        for record in pool.map(lambda task: check(args, *task), tasks):
            records.append(record)
            print(json.dumps(record), file=file, flush=True)
    print_table(records, fragments)


if __name__ == "__main__":
    main()
