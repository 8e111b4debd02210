"""What the clang-tidy module adds: user CPU and wall time per file.

measure_tidy.py --warpwise BIN --module SO [--runs N] [--cuda-path DIR]
                [--against cheap|defaults] FILE...

Runs clang-tidy on each file with one cheap check of its own, or with those that
it has by default (clang-diagnostic-*, clang-analyzer-*), without and with the
module and all its checks, taking turns, and prints medians as a table.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

# By default: what a user without a configuration runs.
OWN = {
    "cheap": "-*,misc-unused-using-decls",
    "defaults": "-*,clang-diagnostic-*,clang-analyzer-*",
}


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
    parser.add_argument("--against", choices=list(OWN), default="cheap")
    parser.add_argument("--flags", default="-std=c++17")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    own = OWN[options.against]
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
                "without": base + [f"-checks={own}"],
                "with": base
                + [f"-checks={own},cuda-memory-*", "-load", options.module],
            }
            for _ in range(options.runs):
                for name, command in variants.items():
                    times[name].append(run(command))
            cells = []
            for which in (0, 1):
                without, with_it = (
                    [t[which] for t in times[name]] for name in ("without", "with")
                )
                # Pair by pair, since the machine's speed drifts.
                ratio = statistics.median(
                    b / a for a, b in zip(without, with_it)
                )
                cells += [
                    f"{statistics.median(without):.3f}",
                    f"{statistics.median(with_it):.3f}",
                    f"{ratio:.2f}",
                ]
            print("|", os.path.basename(file), "|", " | ".join(cells), "|", flush=True)


main()
