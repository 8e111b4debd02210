#!/usr/bin/env python3
"""Runs `warpwise reuse` on the programs of a ground-truth manifest.

  run_reuse.py --manifest ../shared/groundtruth/manifest.json --suite polybench
               --upstream polybench=CLONE --warpwise build/dev/bin/warpwise
               --out OUT [--truth polybench_cache.csv] [--only NAME ...]
               [--jobs 2] [--limit SECONDS] [--inputs reuse-inputs.json]
               [--score ../shared/tools/score_reuse.py] [-- warpwise options]

CLONE is a clone of the suite's repository. The files of the manifest's commit
are extracted from it into a scratch folder, where the manifest's patches are
applied; nothing is written into the clone. OUT gets NAME.json for each program.

Each .cu file is given to warpwise as a user would give it, in the program's
folder. A program that was measured with several command lines (the manifest's
`args`) is modelled with each of them. Sources in other folders are named with
--host; those beside the file warpwise finds by itself. The invocations are
those that were measured.

Two things are told that the sources do not hold. A launch whose grid is not
known for a measured invocation gets the measured grid. What a user would have
to say (the size of an image in a data file, the kind of data) stands in
--inputs, with the reason. Both are named in the output.

A call that takes longer than --limit is killed and said to be. With --score,
the scores of all of OUT follow, as score_reuse.py --truth TRUTH --reuse OUT
prints them.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import signal
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
    """The document, which is empty after a failure, and what was said."""
    command = [args.warpwise, "reuse", "--format=json", "--quiet", "--jobs=1"]
    command += [*options, *args.options, str(source), "--", *flags]
    # A session of its own, so that the processes of the kernels end with it.
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=args.folders[source], start_new_session=True)  # fmt: skip
    try:
        output, messages = process.communicate(timeout=args.limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return {"launches": []}, f"killed after {args.limit} s\n"
    try:
        return json.loads(output), messages
    except ValueError:
        return {"launches": []}, messages or f"exit {process.returncode}\n"


def read_truth(path):
    """The grids of the launches, by program, mangled name and invocation; more
    than one where they differ by command line. And the programs' kernels."""
    grids, kernels = {}, set()
    if path:
        with open(path) as file:
            for row in csv.DictReader(file):
                key = (row["program"], row["kernel_mangled"], int(row["invocation"]))
                grids.setdefault(key, []).append(row["grid"])
                kernels.add((row["program"], row["kernel"]))
    return grids, kernels


def plain_name(kernel):
    return kernel.split("(")[0].split("<")[0].split(" ")[-1]


def command_lines(program):
    lines = program.get("args", "")
    return lines if isinstance(lines, list) else [lines]


class Program:
    """One program of the manifest; collects its document's launches."""

    def __init__(self, program, here, args, grids):
        self.name = program["name"]
        self.program, self.here, self.args, self.grids = program, here, args, grids
        self.numbers = program.get("inv", "1").replace("|", ",")
        self.flags = compiler_flags(program, here)
        self.document, self.launches, self.said = {}, {}, []
        self.shapeless = []
        # Kernels that were not measured would only take time.
        names = {plain_name(k) for p, k in args.measured if p == self.name}
        self.kernels = [f"--kernel={name}" for name in sorted(names)]

    def note(self, text):
        text = f"{self.name}: {text}"
        if text not in self.said:
            self.said.append(text)

    def keep(self, launch):
        """The first that is modelled, of those that are the same."""
        shape = json.dumps([launch["grid"], launch["block"]])
        key = (launch["mangled"], launch["invocation"], shape)
        known = self.launches.get(key)
        if not known or known["status"] == "not-modelled":
            self.launches[key] = launch

    def measured(self, launch):
        """The grids that were measured for this launch."""
        key = (self.name, launch["mangled"])
        if launch["invocation"] is not None:
            return self.grids.get((*key, launch["invocation"]), [])
        return [g for k, v in self.grids.items() if k[:2] == key for g in v]

    def model(self, source, options):
        document, messages = reuse(self.args, source, self.flags, options)
        if not document["launches"]:
            # Another file of the program may have the kernels.
            if "no kernel" not in messages:
                self.note(messages.strip())
        else:
            self.document = document
        for launch in document["launches"]:
            grids = self.measured(launch)
            if launch["status"] == "not-modelled" and grids and not launch["grid"]:
                self.shapeless.append((source, options, launch, grids))
            elif grids or not self.grids:
                self.keep(launch)

    def model_with_grids(self, source, options, launch, grids):
        name, number = plain_name(launch["kernel"]), launch["invocation"]
        # Another command line may have told.
        shapes = ["x".join(map(str, e["grid"])) for e in self.launches.values()
                  if e["mangled"] == launch["mangled"]
                  and e["invocation"] in (None, number)]  # fmt: skip
        grids = [grid for grid in grids if grid not in shapes]
        if number is None:  # a failure of the kernel, not of one launch
            return self.keep(launch)
        options = [o for o in options if not o.startswith(("--kernel", "--invocation"))]
        for grid in dict.fromkeys(grids):
            self.note(f"invocation {number} of {name} gets the measured grid {grid}")
            again, _ = reuse(self.args, source, self.flags, [
                *options, f"--kernel={name}", f"--invocation={number}",
                f"--launch=grid={grid}"])  # fmt: skip
            for found in again["launches"]:
                if found["mangled"] == launch["mangled"]:
                    self.keep(found)

    def model_told(self, source, options):
        """Once more, the kernels that --inputs tells something about."""
        for told in self.args.inputs.get(self.name, []):
            kernel, more = told["kernel"], told["options"]
            # What is told goes before what is usual.
            names = {option.split("=")[0] for option in more}
            usual = [o for o in options
                     if o.split("=")[0] not in names & {"--invocation"}]  # fmt: skip
            self.note(f"{kernel} is told {' '.join(more)}: {told['reason']}")
            self.model(source, [*usual, f"--kernel={kernel}", *more])

    def run(self):
        sources = [self.here / name for name in self.program["src"]]
        for source in sources:
            self.args.folders[source] = self.here
        for source in sources:
            if source.suffix not in (".cu", ".cuh"):
                continue
            hosts = [f"--host={h}" for h in sources
                     if h != source and h.parent != source.parent]  # fmt: skip
            for line in command_lines(self.program):
                options = [f"--invocation={self.numbers}", *hosts]
                options += [f"--program-args={line}"] if line else []
                self.model(source, options + self.kernels)
                self.model_told(source, options)
        for shapeless in self.shapeless:
            self.model_with_grids(*shapeless)
        self.finish()

    def finish(self):
        # What one command line leaves unknown, another one may tell.
        modelled = {(e["mangled"], e["invocation"])
                    for e in self.launches.values()
                    if e["status"] != "not-modelled"}  # fmt: skip
        launches = [
            e for e in self.launches.values()
            if e["status"] != "not-modelled"
            or (e["mangled"], e["invocation"]) not in modelled
        ]  # fmt: skip
        self.document["launches"] = launches
        self.document["program"] = self.name
        text = json.dumps(self.document, indent=1)
        (self.args.out / f"{self.name}.json").write_text(text)
        for launch in launches:
            if launch["status"] == "not-modelled":
                self.note(launch["reason"])


def run_program(program, manifest, grids, scratch, args):
    start = time.time()
    here = prepare(program, args, manifest, scratch)
    job = Program(program, here, args, grids)
    job.run()
    count = len(job.document["launches"])
    lines = [f"{job.name}: {count} launches, {time.time() - start:.1f} s", *job.said]
    print("\n".join(lines), flush=True)


def main():
    argv, options = sys.argv[1:], []
    if "--" in argv:
        options = argv[argv.index("--") + 1 :]
        argv = argv[: argv.index("--")]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--upstream", required=True, action="append")
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--truth")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=900)
    parser.add_argument("--inputs", default=here / "reuse-inputs.json")
    parser.add_argument("--score")
    args = parser.parse_args(argv)
    if args.score and not args.truth:
        parser.error("--score needs --truth")
    args.options, args.folders = options, {}
    args.warpwise = os.path.abspath(args.warpwise)
    args.clones = dict(entry.split("=", 1) for entry in args.upstream)
    manifest = json.loads(pathlib.Path(args.manifest).read_text())
    args.inputs = json.loads(pathlib.Path(args.inputs).read_text()).get(args.suite, {})
    grids, args.measured = read_truth(args.truth)
    args.out.mkdir(parents=True, exist_ok=True)
    programs = [
        p for p in manifest["programs"]
        if p["suite"] == args.suite and "measured" in p
        and (not args.only or p["name"] in args.only)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            running = [
                pool.submit(run_program, p, manifest, grids, pathlib.Path(scratch), args)
                for p in programs
            ]  # fmt: skip
            for one in running:
                one.result()
    if args.score:
        subprocess.run([sys.executable, args.score, "--truth", args.truth,
                        "--reuse", str(args.out)], check=True)  # fmt: skip


if __name__ == "__main__":
    main()
