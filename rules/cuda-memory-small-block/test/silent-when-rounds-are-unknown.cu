// How long a warp of these lives nobody knows: it has as many rounds as there is
// something to compare with. Blocks of two known rounds are small.
//
// RUN: %checkpriced --checks='-*,cuda-memory-small-block' --min-gain=0 \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void closest(const float *Mine, const float *Theirs, int Count,
                        float *Out) {
  const float V = Mine[blockIdx.x];
  float Least = 1e30f;
  for (int I = 0; I < Count; ++I)
    Least = fminf(Least, fabsf(V - Theirs[I * 32 + threadIdx.x]));
  Out[blockIdx.x * 32 + threadIdx.x] = Least;
}

// CHECK: [[@LINE+1]]: warning: blocks of 32 threads are small
__global__ void closer(const float *Mine, const float *Theirs, float *Out) {
  const float V = Mine[blockIdx.x];
  float Least = 1e30f;
  for (int I = 0; I < 2; ++I)
    Least = fminf(Least, fabsf(V - Theirs[I * 32 + threadIdx.x]));
  Out[blockIdx.x * 32 + threadIdx.x] = Least;
}

void launch(const float *Mine, const float *Theirs, int Count, float *Out) {
  closest<<<16384, 32>>>(Mine, Theirs, Count, Out);
  closer<<<16384, 32>>>(Mine, Theirs, Out);
}
// CHECK: note: 1 warning in 2 kernels
