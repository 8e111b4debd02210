"""Compares the findings of `check` and of the language server: agreement.py
FOLDER WARPWISE. Each file below the folder is looked at with the same options."""

import glob
import json
import os
import subprocess
import sys

from editor import Editor

OPTIONS = ["--gpu=nvidia-h200", "--cuda-path=none"]


def checked(warpwise, file):
    """(line, rule) of the findings in the file."""
    done = subprocess.run(
        [warpwise, "check", *OPTIONS, "--no-nvcc", "--quiet", "--format=json", file],
        capture_output=True,
        text=True,
    )
    if done.returncode == 2:
        return None
    found = json.loads(done.stdout)["findings"]
    return sorted(
        (one["line"], one["column"], one["rule"])
        for one in found
        if os.path.realpath(one["file"]) == os.path.realpath(file)
    )


def main():
    folder, warpwise = sys.argv[1:]
    editor = Editor([warpwise, "lsp", *OPTIONS])
    editor.start()
    count = 0
    for file in sorted(glob.glob(folder + "/*/test/*.cu")):
        file = os.path.realpath(file)
        wanted = checked(warpwise, file)
        if wanted is None:
            continue
        editor.open(file)
        found = sorted(
            (one["range"]["start"]["line"] + 1, one["code"])
            for one in editor.diagnostics(file)
            if "code" in one
        )
        editor.close(file)
        if found != sorted((line, rule) for line, _, rule in wanted):
            sys.exit(f"{file}: check finds {wanted}, the server {found}")
        count += 1
    print(f"{count} files agree")
    editor.stop()


if __name__ == "__main__":
    main()
