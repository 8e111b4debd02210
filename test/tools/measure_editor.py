#!/usr/bin/env python3
"""Times the language server beside clangd's own.

  measure_editor.py --warpwise build/dev/bin/warpwise [--clangd clangd-19] \\
                    [--cuda /usr/local/cuda] [--rounds 5] [--edits 60]

For a kernel file of 1,000 lines with cuda_runtime.h, and one with CUB: the time
from opening it to the first diagnostics of warpwise and of clangd, interleaved,
and the time from an edit to its diagnostics (warpwise). clangd gets the
translated command (warpwise commands), without a background index.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lsp/Inputs")
)
from editor import Editor  # noqa: E402

KERNELS = """
// Transposes a tile of 32x32 elements through shared memory.
__global__ void transpose@(const float *In, float *Out, int Width, int Height) {
  __shared__ float Tile[32][32];
  int X = blockIdx.x * 32 + threadIdx.x;
  int Y = blockIdx.y * 32 + threadIdx.y;
  if (X < Width && Y < Height)
    Tile[threadIdx.y][threadIdx.x] = In[Y * Width + X];
  __syncthreads();
  X = blockIdx.y * 32 + threadIdx.x;
  Y = blockIdx.x * 32 + threadIdx.y;
  if (X < Height && Y < Width)
    Out[Y * Height + X] = Tile[threadIdx.x][threadIdx.y];
}

// Adds up a block's elements.
__global__ void sum@(const float *In, float *Out, int N) {
  __shared__ float Partial[256];
  float Mine = 0;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    Mine += In[I];
  Partial[threadIdx.x] = Mine;
  __syncthreads();
  for (int Half = blockDim.x / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Partial[threadIdx.x] += Partial[threadIdx.x + Half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Partial[0];
}

struct Particle@ {
  float X, Y, Z, Mass;
  float Vx, Vy, Vz, Charge;
};

// Moves particles that lie one after the other.
__global__ void move@(Particle@ *All, float Step, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  All[I].X += All[I].Vx * Step;
  All[I].Y += All[I].Vy * Step;
  All[I].Z += All[I].Vz * Step;
}

// A five-point stencil.
__global__ void smooth@(const float *In, float *Out, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X == 0 || Y == 0 || X >= Width - 1 || Y >= Height - 1)
    return;
  Out[Y * Width + X] =
      0.2f * (In[Y * Width + X] + In[Y * Width + X - 1] +
              In[Y * Width + X + 1] + In[(Y - 1) * Width + X] +
              In[(Y + 1) * Width + X]);
}

void run@(const float *In, float *Out, Particle@ *All, int N) {
  transpose@<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(In, Out, N, N);
  sum@<<<256, 256>>>(In, Out, N);
  move@<<<N / 256, 256>>>(All, 0.1f, N);
  smooth@<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out, N, N);
}
"""

CUB = """
// Adds up with a library's parts.
__global__ void blockSum@(const float *In, float *Out, int N) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage Temp;
  int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = Reduce(Temp).Sum(I < N ? In[I * 2] : 0.f);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Sum;
}
void runSum@(const float *In, float *Out) { blockSum@<<<1024, 256>>>(In, Out, 1 << 18); }
"""


def sources(lines=1000):
    """The texts by name."""
    plain = "#include <cuda_runtime.h>\n"
    number = 0
    while plain.count("\n") < lines:
        plain += KERNELS.replace("@", str(number))
        number += 1
    cub = "#include <cub/cub.cuh>\n#include <cuda_runtime.h>\n"
    cub += CUB.replace("@", "0") + KERNELS.replace("@", "0")
    return {
        "kernels.cu": "\n".join(plain.split("\n")[:lines]) + "\n",
        "cub.cu": cub,
    }


def first(command, folder, file, text):
    """Seconds from opening to the first diagnostics, and the editor."""
    editor = Editor(command, folder)
    editor.start()
    begin = time.monotonic()
    editor.open(file, text)
    editor.diagnostics(file)
    return time.monotonic() - begin, editor


def edit(editor, file, text, random):
    """Seconds from an edit in some line of code to its diagnostics."""
    lines = text.split("\n")
    while True:
        number = random.randrange(3, len(lines) - 1)
        if lines[number].endswith(";"):
            break
    column = len(lines[number])
    editor.change(file, (number, column, number, column, f" // {random.random()}"))
    begin = time.monotonic()
    editor.diagnostics(file)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--warpwise", required=True)
    parser.add_argument("--clangd", default="clangd-19")
    parser.add_argument("--cuda", default="/usr/local/cuda")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--edits", type=int, default=60)
    args = parser.parse_args()
    warpwise = os.path.abspath(args.warpwise)
    picker = random.Random(1)
    print(
        f"{'file':12s}{'lines':>7s}{'clangd first':>14s}{'warpwise first':>16s}"
        f"{'ratio':>7s}{'edit median':>13s}{'edit p95':>10s}  (ms)"
    )
    with tempfile.TemporaryDirectory() as folder:
        entries = []
        for name, text in sources().items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
            entries.append(
                dict(
                    directory=folder,
                    file=name,
                    command=f"{args.cuda}/bin/nvcc -arch=sm_90 -std=c++17 -c {name}",
                )
            )
        with open(os.path.join(folder, "compile_commands.json"), "w") as file:
            json.dump(entries, file)
        clang = os.path.join(folder, "clang")
        subprocess.run(
            [warpwise, "commands", "-p", folder, "-o", clang],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        for name, text in sources().items():
            file = os.path.join(folder, name)
            ours, theirs, edits = [], [], []
            for _ in range(args.rounds):
                seconds, editor = first([warpwise, "lsp"], folder, file, text)
                ours.append(seconds)
                for _ in range(args.edits // args.rounds):
                    edits.append(edit(editor, file, text, picker))
                editor.stop()
                command = [
                    args.clangd,
                    "--background-index=0",
                    "--log=error",
                    "--compile-commands-dir=" + clang,
                ]
                seconds, editor = first(command, folder, file, text)
                theirs.append(seconds)
                editor.stop()
            edits.sort()
            p95 = edits[min(len(edits) - 1, int(len(edits) * 0.95))]
            a, b = statistics.median(theirs), statistics.median(ours)
            print(
                f"{name:12s}{text.count(chr(10)):7d}{a * 1e3:14.0f}{b * 1e3:16.0f}"
                f"{b / a:7.2f}{statistics.median(edits) * 1e3:13.0f}{p95 * 1e3:10.0f}"
            )


if __name__ == "__main__":
    main()
