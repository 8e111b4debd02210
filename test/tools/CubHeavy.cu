//===- CubHeavy.cu - A small kernel behind a large header -----------------===//
//
// For measure_speed.py: what a file costs that is nearly all library.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>
template <int B> __global__ void sumBlocks(const float *In, float *Out, int N) {
  using Reduce = cub::BlockReduce<float, B>;
  __shared__ typename Reduce::TempStorage Temp;
  int I = blockIdx.x * B + threadIdx.x;
  float V = I < N ? In[I * 2] : 0.f;
  float S = Reduce(Temp).Sum(V);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = S;
}
int main() {
  float *In, *Out;
  cudaMalloc(&In, 1 << 22);
  cudaMalloc(&Out, 4096);
  sumBlocks<256><<<1024, 256>>>(In, Out, 1 << 18);
}
