"""Whether what the server remembers changes what it says: remembered.py EDITS
SEED COMMAND...

Random edits of a file with many sorts of kernels: lines come and go above and in
kernels, numbers, names, launches, shared and constant arrays and called functions
change, kernels are added and taken out. After each, what a server says that has
followed all of them (diagnostics, hovers over all accesses, actions) has to be
what a process says that has never seen the file before.
"""

import os
import random
import re
import sys
import tempfile

from editor import Editor, span, uri

HEADER = """#pragma once
template <typename T> __device__ T twice(T X) {
  return X + X;
}
__device__ inline float strided(const float *P, int I) {
  return P[I * 3];
}
"""

TEXT = """#include "part.cuh"
__constant__ float Weights[64];
__shared__ float Common[256];
struct Particle {
  float X, Y, Z, Mass;
};

__global__ void transpose(const float *In, float *Out, int N) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * N + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}

template <typename T> __global__ void scale(T *Data, T By) {
  Data[blockIdx.x * blockDim.x + threadIdx.x] *= twice(By);
}

__device__ float fromCommon(int I) {
  return Common[I * 2 % 256];
}

__global__ void common(float *Out) {
  Common[threadIdx.x] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = fromCommon(threadIdx.x);
}

__global__ void commonToo(float *Out, int Shift) {
  Common[threadIdx.x] = Out[threadIdx.x + Shift];
  __syncthreads();
  Out[threadIdx.x] = fromCommon(threadIdx.x + 1);
}

__global__ void weigh(float *Out, const int *Which) {
  int I = threadIdx.x;
  Out[I] = Weights[I % 64] + Weights[Which[I] % 64];
}

__global__ void move(Particle *All, float Step, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  All[I].X += Step;
  All[I].Y += Step;
}

__global__ void count(unsigned *Bins, const unsigned char *Data, int N) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    atomicAdd(&Bins[Data[I] / 4], 1);
}

__global__ void sorted(float *Data, int K) {
  float Mine[8];
  for (int I = 0; I < 8; ++I)
    Mine[I] = Data[threadIdx.x * 8 + I];
  Data[threadIdx.x] = Mine[K % 8];
}

__global__ void dynamic(float *Out) {
  extern __shared__ float Room[];
  Room[threadIdx.x * 2] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = Room[threadIdx.x] + strided(Out, threadIdx.x);
}

__global__ void columns(const float *In, float *Out, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Y = 0; Y < Height; ++Y)
    Sum += In[X * Height + Y];
  if (X < Width)
    Out[X] = Sum;
}

void run(float *I, float *O, Particle *P, unsigned *B, unsigned char *D) {
  transpose<<<64, dim3(32, 32)>>>(I, O, 1024);
  scale<<<64, 256>>>(O, 2.0f);
  common<<<1, 128>>>(O);
  commonToo<<<1, 256>>>(O, 3);
  weigh<<<4, 64>>>(O, 0);
  move<<<16, 256>>>(P, 0.5f, 4096);
  count<<<1, 256>>>(B, D, 5000);
  sorted<<<1, 32>>>(O, 7);
  dynamic<<<1, 64, 1024>>>(O);
  columns<<<8, 128>>>(I, O, 1024, 512);
}
"""

EXTRA = """
__global__ void extra@(float *Out, int N) {
  __shared__ float Own[@][32];
  Own[threadIdx.x % @][0] = Out[threadIdx.x * @];
  Out[threadIdx.x] = Own[0][threadIdx.x % 32] + Weights[@ % 64];
}
"""


class Texts:
    def __init__(self, picker, file, header):
        self.picker = picker
        self.file, self.header = file, header
        self.whole = {file: TEXT, header: HEADER}
        self.now = dict(self.whole)

    def edit(self):
        """Changes one of the files, which is returned."""
        path = self.file if self.picker.random() < 0.85 else self.header
        text = self.now[path]
        lines = text.split("\n")
        at = self.picker.randrange(len(lines))
        kind = self.picker.random()
        if kind < 0.2:
            lines.insert(at, self.picker.choice(["", "", "// said", "  ;"]))
        elif kind < 0.3:
            del lines[at]
        elif kind < 0.6:
            lines = self.replace(text, r"\b\d+\b", self.number()).split("\n")
        elif kind < 0.7:
            old, new = self.picker.choice(
                [("Tile", "Brick"), ("Common", "Shared"), ("In", "From"),
                 ("float", "double"), ("threadIdx.x", "threadIdx.y"),
                 ("twice", "zweimal"), ("I * 2", "I"), ("Mine", "Own")]
            )  # fmt: skip
            if self.picker.random() < 0.5:
                old, new = new, old
            for other in self.now:
                self.now[other] = self.now[other].replace(old, new)
            return None
        elif kind < 0.8:
            lines.append(EXTRA.replace("@", self.number()))
        elif kind < 0.9:
            lines.insert(at, lines[self.picker.randrange(len(lines))])
        else:
            self.now = dict(self.whole)
            return None
        self.now[path] = "\n".join(lines)
        if len(lines) > 250:
            self.now = dict(self.whole)
            return None
        return path

    def number(self):
        return str(self.picker.choice([1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 128]))

    def replace(self, text, pattern, new):
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        at = self.picker.choice(found)
        return text[: at.start()] + new + text[at.end() :]


def heard(editor, path, text):
    """All that the server has to say of its text."""
    where = dict(textDocument=dict(uri=uri(path)))
    said = [sorted(map(repr, editor.diagnostics(path)))]
    for number, line in enumerate(text.split("\n")):
        for at in re.finditer(r"\w(?=\[)", line):
            said.append(
                editor.request(
                    "textDocument/hover",
                    dict(position=dict(line=number, character=at.start()), **where),
                )["result"]
            )
    said.append(
        editor.request(
            "textDocument/codeAction",
            dict(range=span(0, 0, 9999, 0), context=dict(diagnostics=[]), **where),
        )["result"]
    )
    return said


def main():
    edits, seed, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "a.cu")
        header = os.path.join(folder, "part.cuh")
        texts = Texts(random.Random(seed), file, header)
        for path, text in texts.now.items():
            with open(path, "w") as out:
                out.write(text)
        long = Editor(command, folder, patience=120)
        long.start()
        for path in (header, file):
            long.open(path)
        findings = 0
        for number in range(edits):
            texts.edit()
            for path in (header, file):
                long.change(path, texts.now[path])
            old = heard(long, file, texts.now[file])
            # Another process, which knows nothing.
            short = Editor(command, folder, patience=120)
            short.start()
            for path in (header, file):
                short.open(path, texts.now[path])
            new = heard(short, file, texts.now[file])
            short.stop()
            findings += len(new[0])
            if old != new:
                print(texts.now[file])
                for a, b in zip(old, new):
                    if a != b:
                        print("remembered:", a)
                        print("anew:      ", b)
                sys.exit(f"edit {number} of seed {seed}: they differ")
        long.stop()
        print(f"{edits} edits, {findings} diagnostics: the same")


if __name__ == "__main__":
    main()
