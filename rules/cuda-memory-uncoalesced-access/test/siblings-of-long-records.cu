// Siblings in records that are longer than a sector: together they touch more
// sectors than there are lanes, also where it is not known how the records are
// aligned or which lanes take part.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Vector {
  float X, Y, Z;
};
struct Ray { // 40 bytes
  Vector Origin, Direction;
  float T, MaxWeight;
  unsigned Index, State;
};

__global__ void directions(unsigned N, const Ray *__restrict__ Rays,
                           float *__restrict__ Lengths) {
  const unsigned I = threadIdx.x + blockIdx.x * blockDim.x;
  if (I >= N)
    return;
  // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: global load is uncoalesced: likely 32 sectors per request (ideal 4); 3 requests together take about 40 (ideal 12), 896 of their bytes unused by them
  // CHECK: note: little else of these 40 bytes is loaded nearby: let a thread load and use all of them, or store what is used of 'Rays' apart from the rest
  const Vector D = Rays[I].Direction;
  Lengths[I] = D.X * D.X + D.Y * D.Y + D.Z * D.Z;
}

void launch(unsigned N, const Ray *Rays, float *Lengths) {
  directions<<<(N + 127) / 128, 128>>>(N, Rays, Lengths);
}
