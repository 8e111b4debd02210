// Rule: cuda-memory-single-result
// Halves of images scaled and shifted channel by channel: a thread for each
// number, the images along z, each of which loads the same scale and shift
// again; or four images a thread.
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int Images = 64, Channels = 256, Area = 384;

__global__ void before(const __half *In, __half *Out, const __half *Scale,
                       const __half *Shift) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  const int C = blockIdx.y * blockDim.y + threadIdx.y;
  const int N = blockIdx.z;
  if (C < Channels && S < Area) {
    const int At = (N * Channels + C) * Area + S;
    Out[At] = __hfma(In[At], Scale[C], Shift[C]);
  }
}

__global__ void after(const __half *In, __half *Out, const __half *Scale,
                      const __half *Shift) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  const int C = blockIdx.y * blockDim.y + threadIdx.y;
  const int First = 4 * blockIdx.z;
  if (C < Channels && S < Area) {
    const __half By = Scale[C], Add = Shift[C];
    __half Its[4];
#pragma unroll
    for (int N = 0; N < 4; ++N)
      Its[N] = In[((First + N) * Channels + C) * Area + S];
#pragma unroll
    for (int N = 0; N < 4; ++N)
      Out[((First + N) * Channels + C) * Area + S] = __hfma(Its[N], By, Add);
  }
}

__global__ void toHalves(const float *In, __half *Out, size_t Count) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Out[I] = __float2half(In[I]);
}

static __half *halves(size_t Count) {
  const float *Floats = input<float>(Count);
  __half *Memory = nullptr;
  must(cudaMalloc(&Memory, Count * sizeof(__half)));
  toHalves<<<unsigned((Count + 255) / 256), 256>>>(Floats, Memory, Count);
  return Memory;
}

int main() {
  const size_t All = size_t(Images) * Channels * Area;
  const __half *In = halves(All);
  const __half *Scale = halves(Channels), *Shift = halves(Channels);
  __half *Expected = output<__half>(All), *Out = output<__half>(All);
  Pair P("channel-scales-four-images");
  P.same(reinterpret_cast<uint16_t *>(Expected),
         reinterpret_cast<uint16_t *>(Out), All);
  const dim3 Block(128, 2);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(3, Channels / 2, Images), Block>>>(In, Expected, Scale,
                                                       Shift);
    else
      after<<<dim3(3, Channels / 2, Images / 4), Block>>>(In, Out, Scale,
                                                          Shift);
}
