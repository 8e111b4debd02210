#!/usr/bin/env python3
"""Asserts that no memory instruction disappears from the access model.

  balance.py --warpwise BIN [--jobs N] [--timeout S] [--one-in N] [--json FILE] PATH ... [-- compiler flags]

PATH: CUDA files, or folders that are searched for *.cu. For every kernel of every file that `warpwise accesses` can read,
  * what was lowered is modelled or named in `not_modelled`, with a place and a reason,
  * an access stands for each instruction that is modelled,
  * a kernel that accesses memory in Clang's IR has accesses, or names what it lacks,
  * a kernel that lacks something is not `clean`.
Prints what does not hold, then the totals; exit 1 when something does not. Files that cannot be parsed are counted apart.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys


def problems(kernel):
    count = kernel["memory_instructions"]
    omitted = kernel["not_modelled"]
    shared = [a for a in kernel["accesses"] if a["space"] != "local"]
    if count["modelled"] < count["lowered"] and not omitted:
        yield f"{count['lowered'] - count['modelled']} instructions have no access and are not named"
    if count["modelled"] > count["lowered"]:
        yield f"{count['modelled']} of {count['lowered']} instructions are modelled"
    if len(shared) < count["modelled"]:
        yield f"{len(shared)} accesses stand for {count['modelled']} instructions"
    if count["written"] and not shared and not omitted:
        yield f"no accesses, but {count['written']} in the IR"
    if omitted and kernel["status"] == "clean":
        yield "clean, but something is not modelled"
    for o in omitted:
        if not o["reason"] or not o["file"] or not o["line"]:
            yield f"an omission without a place or a reason: {o}"


def run(path, args):
    command = [args.warpwise, "accesses", "--quiet", *args.options, path]
    if args.flags:
        command += ["--", *args.flags]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=args.timeout, text=True)
        return path, done.returncode, json.loads(done.stdout), ""
    except subprocess.TimeoutExpired:
        return path, 124, None, f"timeout after {args.timeout} s"
    except ValueError:
        return path, done.returncode, None, (done.stderr.strip().splitlines() or ["no document"])[-1]


def main():
    argv, flags = sys.argv[1:], []
    if "--" in argv:
        flags = argv[argv.index("--") + 1:]
        argv = argv[:argv.index("--")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="take every Nth file of the folders")
    parser.add_argument("--json", help="write totals and reasons there")
    parser.add_argument("--option", dest="options", action="append", default=[], help="for warpwise itself: --option=--cuda-path=none")
    parser.add_argument("--verbose", action="store_true", help="say which files gave no document")
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args(argv)
    args.flags = flags
    files, found = [], []
    for path in args.paths:
        if not os.path.isdir(path):
            files.append(path)
        for folder, _, names in sorted(os.walk(path)) if os.path.isdir(path) else ():
            found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".cu")]
    files += found[::args.one_in]
    totals, reasons, wrong = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, code, document, message in pool.map(lambda f: run(f, args), files):
            totals["files"] += 1
            if document is None:
                totals["files without a document"] += 1
                crashed = code < 0 or code > 2
                wrong += crashed
                if args.verbose or crashed:
                    print(f"{path}: exit {code}: {message}")
                continue
            for kernel in document["kernels"]:
                totals["kernels"] += 1
                totals["kernels that lack something"] += bool(kernel["not_modelled"])
                totals["kernels without accesses"] += not [a for a in kernel["accesses"] if a["space"] != "local"]
                for name, number in kernel["memory_instructions"].items():
                    totals[f"instructions {name}"] += number
                reasons.update(o["reason"] for o in kernel["not_modelled"])
                for problem in problems(kernel):
                    wrong += 1
                    print(f"{path}:{kernel['line']}: {kernel['name']}: {problem}")
    for name, number in totals.items():
        print(f"{number:8} {name}")
    for reason, number in reasons.most_common(20):
        print(f"{number:8} x {reason}")
    print(f"{wrong:8} violations")
    if args.json:
        with open(args.json, "w") as out:
            json.dump({"totals": totals, "reasons": reasons, "violations": wrong}, out, indent=2)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
