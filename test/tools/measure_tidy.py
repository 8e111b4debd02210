"""What the clang-tidy module adds: user CPU and wall time per file.

measure_tidy.py --warpwise BIN --module SO [--runs N] [--cuda-path DIR] FILE...

Runs clang-tidy with one of its own checks on each file, without and with the
module and all its checks, taking turns, and prints medians as a table.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

OWN = "misc-unused-using-decls"


def run(command):
    """User CPU and wall seconds."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--cuda-path", default="none")
    parser.add_argument("--flags", default="-std=c++17")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    files = [os.path.realpath(file) for file in options.files]
    with tempfile.TemporaryDirectory() as folder:
        commands = [
            {
                "directory": os.path.dirname(file),
                "file": file,
                "command": f"nvcc -arch=sm_90 {options.flags} -c {file}",
            }
            for file in files
        ]
        with open(os.path.join(folder, "compile_commands.json"), "w") as file:
            json.dump(commands, file)
        clang = os.path.join(folder, "clang")
        subprocess.run(
            [options.warpwise, "commands", "-p", folder, "-o", clang]
            + ["--cuda-path=" + options.cuda_path],
            check=True,
        )
        print("| file | user s without | with | ratio | wall s without | with | ratio |")
        print("|---|---|---|---|---|---|---|")
        for file in files:
            times = {"without": [], "with": []}
            base = ["clang-tidy-19", "--quiet", "-p", clang, file]
            variants = {
                "without": base + [f"-checks=-*,{OWN}"],
                "with": base
                + [f"-checks=-*,{OWN},cuda-memory-*", "-load", options.module],
            }
            for _ in range(options.runs):
                for name, command in variants.items():
                    times[name].append(run(command))
            cells = []
            for which in (0, 1):
                without, with_it = (
                    statistics.median(t[which] for t in times[name])
                    for name in ("without", "with")
                )
                cells += [f"{without:.3f}", f"{with_it:.3f}", f"{with_it / without:.2f}"]
            print("|", os.path.basename(file), "|", " | ".join(cells), "|", flush=True)


main()
