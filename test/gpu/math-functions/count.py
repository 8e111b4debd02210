#!/usr/bin/env python3
"""Counts what a call of each function of CUDA's math library issues, by pipe.

Usage: count.py [--build=FOLDER] >h200.csv       (needs nvcc, ncu and a GPU)

A kernel for each function adds 256 calls up; what a kernel that adds the argument
up issues is taken off. Arguments are from 0.5 to 3, so that what is counted is the
way that is taken there. analyzer/evaluate/InstructionPrice.cpp holds the figures.
"""

import argparse
import csv
import pathlib
import subprocess

ROUNDS, BLOCKS, THREADS = 256, 1056, 256
PIPES = ["fma", "alu", "xu", "fp64"]
ONE = "sin cos tan exp exp2 log log2 log10 sqrt rsqrt cbrt tanh sinh erf atan lgamma".split()
TWO = "pow fmod atan2 hypot".split()
SMALL = "acos asin".split()  # for arguments of 1 at most
OTHERS = {"float": ["__sinf(x)", "__expf(x)", "__logf(x)", "floorf(x)", "roundf(x)"],
          "double": ["sinpi(x)"]}


def expressions(real):
    f = "f" if real == "float" else ""
    yield "x+y"
    yield from (f"{name}{f}(x)" for name in ONE)
    yield from (f"{name}{f}(x,y)" for name in TWO)
    yield from (f"{name}{f}(x*0.01{f})" for name in SMALL)
    yield from ["1/x", "y/x"] + OTHERS[real]


def program():
    kernels, launches = [], []
    for real in ("float", "double"):
        for number, text in enumerate(expressions(real)):
            name = f"of_{real}_{number}"
            kernels.append(f"""
__global__ void {name}({real} *Out, {real} First, {real} y, int Rounds) {{
  {real} x = First + threadIdx.x * ({real})0.01, Sum = 0;
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I) {{ Sum += {text}; x += ({real})0.001; }}
  Out[blockIdx.x * {THREADS} + threadIdx.x] = Sum + y;
}}""")
            launches.append((real, text, f"{name}<<<{BLOCKS}, {THREADS}>>>"
                             f"(({real} *)Out, 0.5, 1.7, {ROUNDS});"))
    calls = "\n  ".join(call for _, _, call in launches)
    main = f"int main() {{\n  void *Out;\n  cudaMalloc(&Out, {BLOCKS * THREADS * 8});\n  {calls}\n}}\n"
    return "".join(kernels) + "\n" + main, launches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/math-functions"))
    folder = parser.parse_args().build
    folder.mkdir(parents=True, exist_ok=True)
    source, launches = program()
    (folder / "math.cu").write_text(source)
    subprocess.run(["nvcc", "-arch=sm_90", "-std=c++17", "-O3", "-o", folder / "math",
                    folder / "math.cu"], check=True)
    wanted = ["smsp__inst_executed.sum"] + [f"smsp__inst_executed_pipe_{p}.sum" for p in PIPES]
    text = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--print-units", "base",
                           "--metrics", ",".join(wanted), folder / "math"],
                          check=True, capture_output=True, text=True).stdout
    counted = {}
    for row in csv.DictReader(line for line in text.splitlines() if line.startswith('"')):
        counted.setdefault(int(row["ID"]), {})[row["Metric Name"]] = float(
            row["Metric Value"].replace(",", ""))
    calls = BLOCKS * THREADS // 32 * ROUNDS
    print(",".join(["type", "call", "all"] + PIPES))
    for (real, call, _), number in zip(launches, sorted(counted)):
        mine = [counted[number][name] / calls for name in wanted]
        if call == "x+y":
            plain = mine
        print(",".join([real, f'"{call}"'] + [f"{m - p:.1f}" for m, p in zip(mine, plain)]))


if __name__ == "__main__":
    main()
