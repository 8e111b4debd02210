"""Checks that each file of the code says first what it is: check_first_lines.py
ROOT FOLDER...

Every header and source file below the folders of ROOT has to begin with a line
of 80 columns that has its own name and, where the name does not say all, a
title. Prints every file that does not and exits with 1.
"""

import os
import re
import sys

SOURCES = (".h", ".cpp", ".cuh", ".cu")
HEADERS = (".h", ".cuh")
COLUMNS = 80
# What tests analyse is anybody's code; headers/ stands in for NVIDIA's files.
NOT_OURS = ("test", "headers")


def is_first_line(name, line):
    end = r"-\*- C\+\+ -\*-===//" if name.endswith(HEADERS) else "===//"
    form = rf"//===- {re.escape(name)} (- \S.*\S )?-*{end}"
    return len(line) == COLUMNS and re.fullmatch(form, line) is not None


def check(root, top):
    for folder, folders, files in os.walk(os.path.join(root, top)):
        folders[:] = sorted(f for f in folders if f not in NOT_OURS)
        for name in sorted(files):
            if not name.endswith(SOURCES):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", errors="replace") as text:
                line = text.readline().rstrip("\n")
            if not is_first_line(name, line):
                yield os.path.relpath(path, root)


def main():
    root, tops = sys.argv[1], sys.argv[2:]
    wrong = [path for top in tops for path in check(root, top)]
    for path in wrong:
        print(f"{path}:1: does not say what the file is")
    if not wrong:
        print("every file says what it is")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
