"""Whether clang-tidy's module, SARIF and the terminal say the same.

agree.py WARPWISE MODULE OUTPUT RULES OTHERS makes a compile database of the .cu
files in RULES/*/test and of OTHERS/nolint*.cu in OUTPUT, has each looked at by
`check` and by clang-tidy, and compares file, line, rule and the first line of
each finding; what `check` writes as SARIF has to say the same in the same
column. Prints what differs and how many agree.
"""

import glob
import json
import os
import re
import subprocess
import sys
import urllib.parse

WARNING = re.compile(
    r"(.*?):(\d+):(?:(\d+):)? (?:warning|remark): (.*) \[(cuda-memory-[a-z-]+)"
)
CONFIG = "{CheckOptions: {Gpu: h200, MinGain: 0}}"


def output_of(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.stdout.decode("utf-8", "replace")


def warnings(command):
    """Each finding: file, line, column, rule and words."""
    return sorted(
        (os.path.realpath(m[1]), int(m[2]), int(m[3] or 0), m[5], m[4])
        for m in map(WARNING.match, output_of(command).splitlines())
        if m
    )


def byte_column(file, line, column):
    """SARIF counts UTF-16 code units, the terminal bytes, both from 1."""
    with open(file, encoding="utf-8", newline="") as source:
        text = source.read().split("\n")[line - 1]
    before = text.encode("utf-16-le")[: 2 * (column - 1)].decode("utf-16-le")
    return len(before.encode("utf-8")) + 1


def results(command):
    """The same from a run that writes SARIF."""
    found = []
    (run,) = json.loads(output_of(command))["runs"]
    root = run["originalUriBaseIds"]["SRCROOT"]["uri"]
    for result in run["results"]:
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        artifact, region = physical["artifactLocation"], physical["region"]
        uri = artifact["uri"]
        if "uriBaseId" in artifact:
            uri = root + uri
        file = os.path.realpath(urllib.parse.unquote(uri[len("file://") :]))
        line, column = region["startLine"], region.get("startColumn", 0)
        if column:
            column = byte_column(file, line, column)
        words = result["message"]["text"].split("\n")[0]
        found.append((file, line, column, result["ruleId"], words))
    return sorted(found)


def without_columns(found):
    return {(file, line, rule, words) for file, line, _, rule, words in found}


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
    check = [warpwise, "check", "--no-nvcc", "--gpu=h200", "--min-gain=0", "--quiet"]
    check += ["--cuda-path=none", "-p", folder]
    tidy = ["clang-tidy-19", "-load", module, "-checks=-*,cuda-memory-*", "--quiet"]
    tidy += ["--header-filter=.*", "--config=" + CONFIG, "-p", clang]
    for source in sources:
        checked = warnings(check + [source])
        written = results(check + ["--format=sarif", source])
        tidied = without_columns(warnings(tidy + [source]))
        for name, one, other in [
            ("not in clang-tidy", without_columns(checked), tidied),
            ("only in clang-tidy", tidied, without_columns(checked)),
            ("not in SARIF", set(checked), set(written)),
            ("only in SARIF", set(written), set(checked)),
        ]:
            for entry in sorted(one - other):
                differing += 1
                print(name + ":", *entry)
        if len(written) != len(checked):
            differing += 1
            print(f"{source}: {len(written)} in SARIF, {len(checked)} in all")
        agreed += len(set(checked) & set(written))
    print(f"{agreed} agree, {differing} differ")
    return differing != 0


sys.exit(main())
