#!/usr/bin/env python3
"""Applies `warpwise check --fix-notes` to public files and looks at what comes out.

  measure_fixes.py --warpwise BINARY --clones DIR --out DIR < LIST

Each line of LIST names a file, and the flags that it needs:

  OWNER/NAME@COMMIT FOLDER PATH [compiler flags]

DIR/OWNER+NAME is a clone (or its git directory), FOLDER what is taken of it, with all
that the file includes, PATH the file in there. A copy is rewritten, and what that leads
to stands in OUT:

  OUT/N.diff       the rewrite, to be read: nobody else says whether it is right
  OUT/N.log        what `check` says
  OUT/before/N, OUT/after/N   with --build: programs, to be run on a GPU

A line of the table for each file: rewrites applied, rewrites withheld, and whether it
compiles with nvcc before and after, whether only what was meant was changed, and
whether a second run leaves it alone. Exit 1 when a rewrite breaks one of these.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TEXT = re.compile(r"\.(cu|cuh|c|cc|cpp|h|hh|hpp|hxx|inl|inc|tab|def)$")
WITHHELD = re.compile(r"note: no fix, which would (.*)")
APPLIED = re.compile(r"note: fix: (.*)")
TIME_LIMIT = 300  # seconds


def git_folder(clones, repository):
    place = pathlib.Path(clones) / repository.replace("/", "+")
    for folder in (place / "repo/.git", place / "repo", place / ".git", place):
        if (folder / "objects").is_dir():
            return folder
    sys.exit(f"error: no clone of {repository} in {clones}")


def check_out(clones, repository, commit, folder, into):
    """The sources of a folder; pictures and the like may be missing in a clone."""
    git = ["git", f"--git-dir={git_folder(clones, repository)}"]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", f"{commit}:{folder}"],
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    into.mkdir(parents=True)
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as reader:
        for entry in filter(None, listed.split("\0")):
            (_, kind, name), path = entry.split("\t")[0].split(), entry.split("\t")[1]
            if kind != "blob" or not TEXT.search(path):
                continue
            reader.stdin.write(f"{name}\n".encode())
            reader.stdin.flush()
            answer = reader.stdout.readline().split()
            if answer[-1] == b"missing":
                continue
            place = into / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(reader.stdout.read(int(answer[2])))
            reader.stdout.read(1)
        reader.stdin.close()


def limited(command, folder):
    return subprocess.run(["timeout", str(TIME_LIMIT), *command], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")


def fix(options, folder, path, flags):
    """What `check` prints, and its exit status."""
    run = limited([options.warpwise, "check", "--fix-notes", "--min-gain=0",
                   "--jobs=1", "--gpu=" + options.gpu, *options.also, path.name,
                   "--", "-std=c++17", *flags], folder / path.parent)
    return run.stdout, run.returncode


def compiles(options, folder, path, flags, program):
    if not options.nvcc:
        return None
    command = [options.nvcc, "-arch=sm_90", "-std=c++17", "-w", *flags, path.name]
    command += ["-o", str(program)] if program else ["-c", "-o", os.devnull]
    if program:
        program.parent.mkdir(parents=True, exist_ok=True)
    return limited(command, folder / path.parent).returncode == 0


def difference(before, after):
    return subprocess.run(["git", "diff", "--no-index", "--no-color", "-U2",
                           str(before), str(after)],
                          stdout=subprocess.PIPE, text=True, errors="replace").stdout


def is_meant(diff):
    """Whether lines only became others, of arrays, in place."""
    taken = [l[1:] for l in diff.splitlines() if re.match(r"-(?!--)", l)]
    put = [l[1:] for l in diff.splitlines() if re.match(r"\+(?!\+\+)", l)]
    return len(taken) == len(put) and all(
        re.search(r"__shared__|__constant__|\[", line) for line in taken)


def words(truth):
    return {True: "yes", False: "**no**", None: ""}[truth]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpwise", required=True, type=os.path.abspath)
    parser.add_argument("--clones", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--gpu", default="nvidia-h200")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("also", nargs="*", help="further options of check")
    options = parser.parse_args()
    if options.out.exists():
        sys.exit(f"error: '{options.out}' is there already")
    options.out = options.out.absolute()

    totals, bad = collections.Counter(), 0
    trees = {}
    print("| file | applied | withheld | compiles before | after | only arrays | "
          "second run leaves it |")
    print("|---|---|---|---|---|---|---|")
    listed = [l for l in sys.stdin.read().splitlines() if l and l[0] != "#"]
    for number, line in enumerate(listed, 1):
        source, top, path, *flags = shlex.split(line)
        repository, commit = source.split("@")
        top = "" if top == "." else top
        path = pathlib.Path(path)
        if (source, top) not in trees:
            trees[source, top] = options.out / "trees" / str(len(trees))
            check_out(options.clones, repository, commit, top, trees[source, top])
        tree = trees[source, top]
        copy = options.out / "copy"
        shutil.copytree(tree, copy)
        flags = [f.replace("{TREE}", str(tree)) for f in flags]
        flags_after = [f.replace(str(tree), str(copy)) for f in flags]
        said, status = fix(options, copy, path, flags_after)
        diff = difference(tree, copy).replace(str(copy), "b").replace(str(tree), "a")
        (options.out / f"{number}.log").write_text(said)
        (options.out / f"{number}.diff").write_text(diff)
        applied = APPLIED.findall(said) if diff else []
        withheld = WITHHELD.findall(said)
        program = options.build and diff
        before = compiles(options, tree, path, flags,
                          program and options.out / "before" / str(number))
        after = compiles(options, copy, path, flags_after,
                         program and options.out / "after" / str(number)
                         ) if diff else None
        meant = is_meant(diff) if diff else None
        stays = None
        if diff:
            fix(options, copy, path, flags_after)
            again = difference(tree, copy).replace(str(copy), "b")
            stays = again.replace(str(tree), "a") == diff
        shutil.rmtree(copy)
        totals["files"] += 1
        totals["files rewritten"] += bool(diff)
        totals["rewrites applied"] += len(applied)
        totals["rewrites withheld"] += len(withheld)
        totals["not analysed"] += status not in (0, 1)
        totals["does not compile as it is"] += before is False
        wrong = (before and after is False) or meant is False or stays is False
        bad += bool(wrong)
        print(f"| {repository} {pathlib.Path(top) / path} | {'; '.join(map(str, applied))} | "
              f"{'; '.join(sorted(set(withheld)))} | {words(before)} | {words(after)} "
              f"| {words(meant)} | {words(stays)} |", flush=True)
    print("\n" + json.dumps({**totals, "harmful at first sight": bad}))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
