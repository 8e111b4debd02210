#!/usr/bin/env python3
"""Times `warpwise check` beside Clang's front end and nvcc, interleaved.

  measure_speed.py --warpwise build/dev/bin/warpwise --cuda /usr/local/cuda \\
                   [--rounds 9] FILE.cu [FILE.cu ...]

For each file: the median user CPU and peak memory of
  clang    clang++-19 --cuda-device-only -fsyntax-only
  warpwise warpwise check --jobs 1
  nvcc     nvcc -c (when there is one)
and the ratios to Clang. With --scaling also the wall time of --jobs 2 against
--jobs 1 on 50 copies of the first file.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time


def run(command):
    """User CPU seconds and peak memory in MiB of a command and its children."""
    before = os.times()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    after = os.times()
    seconds = after.children_user - before.children_user
    return seconds, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--cuda", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    nvcc = os.path.join(args.cuda, "bin", "nvcc")

    with tempfile.TemporaryDirectory() as scratch:
        # CUDA 13 has no such header any more, and Clang 19 asks for it.
        open(os.path.join(scratch, "texture_fetch_functions.h"), "w").close()
        clang = [
            "clang++-19", "-x", "cuda", "--cuda-device-only", "-fsyntax-only",
            "--cuda-gpu-arch=sm_90", "--cuda-path=" + args.cuda,
            "-Wno-unknown-cuda-version", "-isystem", scratch,
            "-isystem", os.path.join(args.cuda, "include", "cccl"),
            "-std=c++17",
        ]  # fmt: skip
        print(f"{'file':24s}{'tool':10s}{'user s':>8s}{'MiB':>7s}{'x clang':>9s}")
        for file in args.files:
            tools = {
                "clang": clang + [file],
                "warpwise": [args.warpwise, "check", "--jobs=1", file,
                             "--", "-std=c++17"],
            }  # fmt: skip
            if os.path.exists(nvcc):
                tools["nvcc"] = [nvcc, "-arch=sm_90", "-std=c++17", "-c", file,
                                 "-o", os.path.join(scratch, "o.o")]  # fmt: skip
            seen = {name: [] for name in tools}
            for _ in range(args.rounds):
                for name, command in tools.items():
                    seen[name].append(run(command))
            base = statistics.median(s for s, _, _ in seen["clang"])
            for name, rows in seen.items():
                user = statistics.median(s for s, _, _ in rows)
                memory = max(m for _, m, _ in rows)
                failed = " failed" if rows[0][2] else ""
                print(f"{os.path.basename(file):24s}{name:10s}{user:8.3f}"
                      f"{memory:7.0f}{user / base:9.2f}{failed}")
        if args.scaling:
            copies = []
            for n in range(50):
                copies.append(os.path.join(scratch, f"copy{n}.cu"))
                shutil.copy(args.files[0], copies[-1])
            walls = {1: [], 2: []}
            for _ in range(3):
                for jobs in walls:
                    start = time.time()
                    run([args.warpwise, "check", f"--jobs={jobs}"] + copies)
                    walls[jobs].append(time.time() - start)
            one, two = (statistics.median(walls[j]) for j in (1, 2))
            print(f"50 files: --jobs 1 {one:.1f} s, --jobs 2 {two:.1f} s, "
                  f"{one / two:.2f} times faster")


if __name__ == "__main__":
    main()
