"""Compares what `check` and the language server say: agreement.py FOLDER WARPWISE.
Of each test of a rule below the folder the same has to be said at the same places by
both, looked at with the same options."""

import collections
import glob
import os
import re
import subprocess
import sys

from editor import Editor

OPTIONS = ["--gpu=nvidia-h200", "--cuda-path=none"]
# With 0 more is found; what is left out by default must be the same, too, which a
# part of the files shows.
GAINS = {"with --min-gain=0": 0, "by default": None}
EVERY = {0: 1, None: 6}

SAID = re.compile(
    r"(?P<file>[^:\n]+):(?P<line>\d+)(:(?P<column>\d+))?: "
    r"(warning|remark): (?P<message>.*) \[(?P<rule>[\w-]+)\]"
)


def arguments(file):
    """Flags that the tests in this folder give, whether or not they need them."""
    inputs = os.path.join(os.path.dirname(file), "Inputs")
    return ["--", "-isystem", inputs] if os.path.isdir(inputs) else []


def character(file, line, column):
    """Where an editor shows a column that counts bytes from 1, as it counts UTF-16
    units from 0."""
    with open(file, "rb") as source:
        before = source.read().split(b"\n")[line - 1][: max(column, 1) - 1]
    return len(before.decode().encode("utf-16-le")) // 2


def begin_check(warpwise, gain, file):
    chosen = [] if gain is None else [f"--min-gain={gain}"]
    return subprocess.Popen(
        [warpwise, "check", *OPTIONS, *chosen, "--no-nvcc", "--quiet", file]
        + arguments(file),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def checked(process, file):
    """(line, column, rule, message) of what is said in the file, or None where not
    all of it compiles."""
    out, _ = process.communicate()
    if process.returncode == 2:
        return None
    said = []
    for text in out.splitlines():
        its = SAID.fullmatch(text)
        if not its or os.path.realpath(its["file"]) != file:
            continue
        line, column = int(its["line"]), int(its["column"] or 0)
        said.append(
            (line, character(file, line, column), its["rule"], its["message"])
        )
    return sorted(said, key=str)


def served(diagnostics):
    """The same of an editor's diagnostics. Hints are the comments without an end,
    which `check` says as notes."""
    hint = 4
    return sorted(
        (
            (
                one["range"]["start"]["line"] + 1,
                one["range"]["start"]["character"],
                one.get("code"),
                one["message"],
            )
            for one in diagnostics
            if one["severity"] != hint
        ),
        key=str,
    )


def main():
    folder, warpwise = sys.argv[1:]
    files = collections.defaultdict(list)
    for file in sorted(glob.glob(folder + "/*/test/*.cu")):
        files[os.path.dirname(os.path.realpath(file))].append(os.path.realpath(file))
    if not files:
        sys.exit(f"no files in {folder}")
    skipped = []
    for title, gain in GAINS.items():
        count = said = number = 0
        for group in files.values():
            wanted = [f for f in group if (number := number + 1) % EVERY[gain] == 0]
            if not wanted:
                continue
            settings = {} if gain is None else dict(minGain=gain)
            editor = Editor(
                [warpwise, "lsp", *OPTIONS, *arguments(group[0])],
                initializationOptions=settings,
            )
            editor.start()
            for file in wanted:
                process = begin_check(warpwise, gain, file)
                editor.open(file)
                found = served(editor.diagnostics(file))
                editor.close(file)
                theirs = checked(process, file)
                if theirs is None:
                    skipped.append(file)
                elif found != theirs:
                    only = [one for one in theirs if one not in found]
                    other = [one for one in found if one not in theirs]
                    sys.exit(
                        f"{file}, {title}: only check says {only}, only the server"
                        f" {other}; {len(theirs)} and {len(found)} in all"
                    )
                else:
                    count += 1
                    said += len(found)
            editor.stop()
        print(f"{title}: {count} files agree, {said} findings")
    print("skipped:", skipped)
    # Each of these tests compiles, as its own run says: none need be left out.
    if skipped:
        sys.exit(1)


if __name__ == "__main__":
    main()
