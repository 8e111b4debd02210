// The real and the imaginary part of a number are added to one after the other:
// each leaves to the other what it does not use of the sectors.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=warning:

__global__ void add(double2 *Sums, const double2 *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double2 V = Values[I];
  atomicAdd(&Sums[I].x, V.x);
  atomicAdd(&Sums[I].y, V.y);
}

void launch(double2 *Sums, const double2 *Values) {
  add<<<4096, 256>>>(Sums, Values);
}
