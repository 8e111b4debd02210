#!/usr/bin/env python3
"""Runs `warpwise reuse` on the programs of a ground-truth manifest.

  run_reuse.py --manifest ../shared/groundtruth/manifest.json --suite polybench
               --upstream polybench=CLONE --warpwise build/dev/bin/warpwise
               --out OUT [--truth polybench_cache.csv] [--only NAME ...]
               [-- warpwise options]

CLONE is a clone of the suite's repository. The files of the manifest's commit
are extracted from it into a scratch folder, where the manifest's patches are
applied; nothing is written into the clone. OUT gets NAME.json for each program.
The invocations are those that were measured. A launch in a host loop whose grid
the source does not tell for one of them gets the measured grid, which is named
in the output. Then: score_reuse.py --truth TRUTH --reuse OUT
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".c", ".cpp", ".inl", ".inc", ".def")


def git(clone, *words):
    command = ["git", "-C", clone, *words]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def extract(clone, commit, folders, tree):
    """Writes the source files below some folders of a commit."""
    listing = git(clone, "ls-tree", "-r", "-z", "--name-only", commit, "--", *folders)
    for name in listing.decode().split("\0"):
        if not name.lower().endswith(SOURCES):
            continue
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(git(clone, "cat-file", "blob", f"{commit}:{name}"))


def prepare(program, args, manifest, scratch):
    """The program's folder, patched as it was for the measurement."""
    tree = scratch / program["name"]
    commit = manifest["suites"][args.suite]["commit"]
    folders = [program["root"], *program.get("also", [])]
    extract(args.clones[args.suite], commit, folders, tree)
    for include in program.get("inc", []):
        suite, _, folder = include.partition(":")
        if folder and suite in args.clones:
            known = manifest["suites"].get(suite, {})
            extract(args.clones[suite], known.get("commit", "HEAD"), [folder], tree)
    here = tree / program["root"]
    for name, expression in program.get("patch", []):
        subprocess.run(["sed", "-E", "-i", expression, here / name], check=True)
    return here


def compiler_flags(program, here):
    # Folders are relative to the program's.
    given = [f"-I{here / flag[2:]}" if flag.startswith("-I") and flag != "-I" else flag
             for flag in program.get("flags", [])]  # fmt: skip
    flags = ["-arch=sm_90", "-O3", "-std=c++17", *given]
    flags += ["-D" + define for define in program.get("defs", [])]
    for include in program.get("inc", []):
        _, colon, folder = include.partition(":")
        root = here.parents[len(pathlib.Path(program["root"]).parts) - 1]
        flags += ["-I", str(root / folder if colon else here / include)]
    return flags


def reuse(args, source, flags, options):
    command = [args.warpwise, "reuse", "--format=json", "--quiet", "--jobs=1"]
    command += [*options, *args.options, str(source), "--", *flags]
    process = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(process.stdout), process.stderr
    except ValueError:
        return {"launches": []}, process.stderr or f"exit {process.returncode}\n"


def measured_grids(path, suite):
    """By program, mangled name and invocation."""
    grids = {}
    if path:
        with open(path) as file:
            for row in csv.DictReader(file):
                key = (row["program"], row["kernel_mangled"], int(row["invocation"]))
                grids[key] = row["grid"]
    return grids


def plain_name(kernel):
    return kernel.split("(")[0].split("<")[0].split(" ")[-1]


def model(program, source, flags, grids, args):
    """A document whose launches are the measured ones, and what went wrong."""
    numbers = program.get("inv", "1").replace("|", ",")
    document, messages = reuse(args, source, flags, [f"--invocation={numbers}"])
    launches = []
    for launch in document["launches"]:
        number = launch["invocation"]
        grid = grids.get((program["name"], launch["mangled"], number))
        if launch["status"] == "not-modelled" and grid and not launch["grid"]:
            print(f"{program['name']}: invocation {number} of "
                  f"{plain_name(launch['kernel'])} gets the measured grid {grid}")
            again, messages = reuse(args, source, flags, [
                f"--kernel={plain_name(launch['kernel'])}",
                f"--invocation={number}", f"--launch=grid={grid}"])  # fmt: skip
            launches += again["launches"]
        elif grid or not grids:
            launches.append(launch)
    document["launches"] = launches
    document["program"] = program["name"]
    failed = [e["reason"] for e in launches if e["status"] == "not-modelled"]
    return document, failed or ([] if launches else [messages.strip()])


def main():
    argv, options = sys.argv[1:], []
    if "--" in argv:
        options = argv[argv.index("--") + 1 :]
        argv = argv[: argv.index("--")]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--upstream", required=True, action="append")
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--truth")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args(argv)
    args.options = options
    args.warpwise = os.path.abspath(args.warpwise)
    args.clones = dict(entry.split("=", 1) for entry in args.upstream)
    with open(args.manifest) as file:
        manifest = json.load(file)
    grids = measured_grids(args.truth, args.suite)
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for program in manifest["programs"]:
            if program["suite"] != args.suite or "measured" not in program:
                continue
            if args.only and program["name"] not in args.only:
                continue
            here = prepare(program, args, manifest, pathlib.Path(scratch))
            flags = compiler_flags(program, here)
            start = time.time()
            launches, failed = None, []
            for source in program["src"]:
                if not source.endswith((".cu", ".cuh")):
                    continue
                document, wrong = model(program, here / source, flags, grids, args)
                launches = (launches or []) + document["launches"]
                failed += wrong
                document["launches"] = launches
            text = json.dumps(document, indent=1)
            (out / f"{program['name']}.json").write_text(text)
            print(f"{program['name']}: {len(launches)} launches, "
                  f"{time.time() - start:.1f} s", flush=True)
            for reason in failed:
                print(f"{program['name']}: {reason}", flush=True)


if __name__ == "__main__":
    main()
