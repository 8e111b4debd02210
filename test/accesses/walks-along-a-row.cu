// Each lane walks along a row of its own, as far as data say, and reads on from there:
// how far apart the lanes are is known, how far along is not. Where rows are shorter than
// a sector, or all walk from the same place, nothing is known.
//
// RUN: %warpwise accesses --cuda-path=none --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void rests(unsigned *Out, const unsigned *Words, const unsigned *Lengths) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned *Word = Words + I * 16, *Short = Words + I * 3, *Same = Words;
  for (unsigned Left = Lengths[I]; Left > 12; Left -= 12) {
    Word += 3;
    Short += 3;
    Same += 3;
  }
  // CHECK: "line": [[#@LINE+7]],
  // CHECK: "object": "Words"
  // CHECK: "proof": "estimated",
  // CHECK-NEXT: "reason": "data choose an element in a row of each lane's own, and are taken not to lead out of it",
  // CHECK: "sectors": 31.{{[0-9]+}},
  // CHECK: "low": 16,
  // CHECK-NEXT: "high": 32,
  unsigned Sum = *Word;
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "object": "Words"
  // CHECK: "proof": "data-dependent",
  Sum += *Short;
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "object": "Words"
  // CHECK: "proof": "data-dependent",
  Sum += *Same;
  Out[I] = Sum;
}

void launch(unsigned *Out, const unsigned *Words, const unsigned *Lengths) {
  rests<<<4096, 256>>>(Out, Words, Lengths);
}
