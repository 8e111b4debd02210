// How a library lays out its records is nobody's to change: its own code that
// walks over them gets no advice, and the user's is not told to split them. A
// library's vector is what the user chose.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- -isystem %S/Inputs 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include "generator.h"

__global__ void begin(Generator *States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  seed(I, &States[I]);
}

__global__ void draw(const Generator *States, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Generator Mine = States[I];
  Out[I] = Mine.Seed * float(Mine.ExtraDouble);
}

__global__ void seconds(const Pair *Pairs, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: global load is uncoalesced:
  // CHECK: note: little else of these 8 bytes is loaded nearby: let a thread load and use all of them, or store what is used of 'Pairs' apart from the rest
  Out[I] = Pairs[I].Second;
}

void launch(Generator *States, const Pair *Pairs, float *Out) {
  begin<<<64, 256>>>(States);
  draw<<<64, 256>>>(States, Out);
  seconds<<<64, 256>>>(Pairs, Out);
}
