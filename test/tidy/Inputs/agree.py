"""Whether clang-tidy's module finds what `warpwise check` finds.

agree.py WARPWISE MODULE OUTPUT RULES OTHERS makes a compile database of the .cu
files in RULES/*/test and of OTHERS/nolint*.cu in OUTPUT, asks both, and compares
file, line, rule and the first line of each finding. Prints what differs and how
many agree.
"""

import glob
import json
import os
import re
import subprocess
import sys

WARNING = re.compile(r"(.*?):(\d+):(?:\d+:)? warning: (.*) \[(cuda-memory-[a-z-]+)")
CONFIG = "{CheckOptions: {Gpu: h200, MinGain: 0}}"


def findings(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = run.stdout.decode("utf-8", "replace")
    return sorted(
        (os.path.realpath(m[1]), int(m[2]), m[4], m[3])
        for m in map(WARNING.match, text.splitlines())
        if m
    )


def main():
    warpwise, module, folder, rules, others = sys.argv[1:]
    patterns = [rules + "/*/test/*.cu", others + "/nolint*.cu"]
    sources = sorted(os.path.realpath(f) for p in patterns for f in glob.glob(p))
    database = os.path.join(folder, "compile_commands.json")
    with open(database, "w") as file:
        commands = [
            {
                "directory": os.path.dirname(source),
                "file": source,
                "command": "nvcc -arch=sm_90 -std=c++17 -c " + source,
            }
            for source in sources
        ]
        json.dump(commands, file)
    clang = os.path.join(folder, "clang")
    subprocess.run(
        [warpwise, "commands", "-p", folder, "-o", clang, "--cuda-path=none"],
        check=True,
    )
    agreed = differing = 0
    for source in sources:
        checked = findings(
            [warpwise, "check", "--no-nvcc", "--gpu=h200", "--min-gain=0", "--quiet"]
            + ["--cuda-path=none", "-p", folder, source]
        )
        tidied = findings(
            ["clang-tidy-19", "-load", module, "-checks=-*,cuda-memory-*", "--quiet"]
            + ["--header-filter=.*", "--config=" + CONFIG, "-p", clang, source]
        )
        agreed += len(set(checked) & set(tidied))
        for name, one, other in [
            ("check alone", checked, tidied),
            ("clang-tidy alone", tidied, checked),
        ]:
            for file, line, rule, message in sorted(set(one) - set(other)):
                differing += 1
                print(f"{name}: {file}:{line}: {message} [{rule}]")
    print(f"{agreed} agree, {differing} differ")
    return differing != 0


sys.exit(main())
