#!/usr/bin/env python3
"""Counts what a call of each function of CUDA's math library issues, by pipe.

Usage: count.py [--build=FOLDER] >h200.csv       (needs nvcc, ncu and a GPU)

A kernel for each function adds 256 calls up; what a kernel that adds the argument
up issues is taken off. Real arguments are from 0.5 to 3, so that what is counted is
the way that is taken there; whole numbers are large and are joined by exclusive or.
analyzer/evaluate/InstructionPrice.cpp holds the figures.
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
ROUNDED = ["__{}add_rn(x,y)", "__{}mul_rn(x,y)", "__{}div_rn(y,x)", "__{}rcp_rn(x)", "__{}sqrt_rn(x)"]
MORE = {"float": ["truncf(x)", "ceilf(x)", "rintf(x)", "fminf(x,y)", "fabsf(x-y)", "ldexpf(x,2)",
                  "__fdividef(y,x)", "__powf(x,y)", "__tanf(x)", "__saturatef(x)", "copysignf(x,y)",
                  "(float)(int)x", "(float)(unsigned)x", "(float)(long long)x", "(float)(double)x",
                  "__int2float_rn(__float2int_rn(x))", "__int2float_rn(__float_as_int(x))",
                  "__half2float(__float2half(x))"],
        "double": ["floor(x)", "fmin(x,y)", "(double)(int)x", "(double)(float)x",
                   "(double)(long long)x"]}
SIMD = ("add sub abs neg absdiffu absdiffs avgu avgs haddu maxu maxs minu mins cmpeq cmpne cmpgtu "
        "cmpgts cmpleu seteq setgtu sadu sads addus subus addss").split()
WHOLE = {"unsigned": ["__byte_perm(x,y,0x6543)", "__brev(x)", "__popc(x)", "__clz(x)", "__ffs(x)",
                      "__umulhi(x,y)", "__umul24(x,y)", "__usad(x,y,7)", "__uhadd(x,y)",
                      "__urhadd(x,y)", "__funnelshift_l(x,y,7)", "__funnelshift_r(x,y,y)", "min(x,y)",
                      "x*y", "x/7", "x%7", "x/y", "x%y", "x/8", "x%8", "__dp4a(x,y,0u)"]
                     + [f"__v{name}{lanes}({'x' if name in ('abs', 'neg') else 'x,y'})"
                        for name in SIMD for lanes in (2, 4)],
         "int": ["__mulhi(x,y)", "__mul24(x,y)", "__sad(x,y,7)", "__hadd(x,y)", "__rhadd(x,y)",
                 "abs(x)", "max(x,y)", "x/7", "x%7", "x/y", "x%y", "x/8", "x%8", "__dp4a(x,y,0)"],
         "unsigned long long": ["__popcll(x)", "__clzll(x)", "__ffsll(x)", "__brevll(x)",
                                "__umul64hi(x,y)", "x*y", "x/7", "x%7", "x/y", "x%y", "x>>y", "x+y*3",
                                "min(x,y)"],
         "long long": ["x/7", "x%7", "x/y", "x%y", "x/8", "x%8", "llabs(x)"]}


def expressions(real):
    f = "f" if real == "float" else ""
    yield "x+y"
    yield from (f"{name}{f}(x)" for name in ONE)
    yield from (f"{name}{f}(x,y)" for name in TWO)
    yield from (f"{name}{f}(x*0.01{f})" for name in SMALL)
    yield from ["1/x", "y/x"] + OTHERS[real]
    yield from (text.format("f" if f else "d") for text in ROUNDED)
    yield f"sincos{f}(x)"
    yield from MORE[real]


def program():
    """The program, and of each kernel the type, the expression and the launch."""
    kernels, launches = ["#include <cuda_fp16.h>\n"], []
    for real, f in (("float", "f"), ("double", "")):
        kernels.append(f"""
__device__ {real} sincos{f}({real} x) {{
  {real} Sine, Cosine;
  sincos{f}(x, &Sine, &Cosine);
  return Sine + Cosine;
}}""")

    def add(kind, text, first, step, join, others):
        name = f"kernel_{len(launches)}"
        kernels.append(f"""
__global__ void {name}({kind} *Out, {kind} First, {kind} y, int Rounds) {{
  {kind} x = First + threadIdx.x * {step[0]}, Sum = 0;
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I) {{ Sum {join} {text}; x += {step[1]}; }}
  Out[blockIdx.x * {THREADS} + threadIdx.x] = Sum + y;
}}""")
        launches.append((kind, text, f"{name}<<<{BLOCKS}, {THREADS}>>>"
                         f"(({kind} *)Out, {first}, {others}, {ROUNDS});"))

    for real in ("float", "double"):
        for text in expressions(real):
            add(real, text, 0.5, [f"({real})0.01", f"({real})0.001"], "+=", 1.7)
    for kind, texts in WHOLE.items():
        for text in ["x"] + texts:
            add(kind, text, 123456789, [97, 1234567], "^=", 10007)
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
        if call == ("x+y" if real in MORE else "x"):
            plain = mine
        print(",".join([real, f'"{call}"'] + [f"{m - p:.1f}" for m, p in zip(mine, plain)]))


if __name__ == "__main__":
    main()
