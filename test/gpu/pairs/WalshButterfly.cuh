// A Walsh-Hadamard transform of 2048 floats in shared memory, four at a time,
// for the pairs that lay these out in different ways. From round to round the
// four elements of a thread lie nearer to each other, and the lanes of a warp in
// groups 128 bytes and more apart, which meet in banks.
#ifndef WARPWISE_TEST_GPU_PAIRS_WALSHBUTTERFLY_CUH
#define WARPWISE_TEST_GPU_PAIRS_WALSHBUTTERFLY_CUH

#include "Pair.cuh"

namespace walsh {

constexpr int N = 2048, Threads = N / 4, Rows = 4096;

struct InOrder {
  static constexpr int Size = N;
  /// Where element `First + More` lies; they have no bits in common.
  __device__ static int at(int First, int More) { return First + More; }
};

/// The bits beyond a row of banks are added to the others without a carry.
__device__ inline int permuted(int I) {
  const int Beyond = I >> 5 & 3;
  return I ^ (Beyond | Beyond << 2 | (Beyond & 1) << 4);
}

template <typename Layout>
__device__ void transform(const float *__restrict__ In,
                          float *__restrict__ Out) {
  __shared__ float Data[Layout::Size];
  for (int I = threadIdx.x; I < N; I += Threads)
    Data[Layout::at(I, 0)] = In[blockIdx.x * N + I];
  const int Me = threadIdx.x;
  for (int Stride = N / 4; Stride > 0; Stride /= 4) {
    const int Low = Me & (Stride - 1), First = ((Me - Low) << 2) + Low;
    __syncthreads();
    float &A = Data[Layout::at(First, 0)];
    float &B = Data[Layout::at(First, Stride)];
    float &C = Data[Layout::at(First, 2 * Stride)];
    float &D = Data[Layout::at(First, 3 * Stride)];
    const float Even = A + C, Odd = B + D, Left = A - C, Right = B - D;
    A = Even + Odd;
    B = Even - Odd;
    C = Left + Right;
    D = Left - Right;
  }
  __syncthreads();
  for (int I = threadIdx.x; I < N; I += Threads)
    Out[blockIdx.x * N + I] = Data[Layout::at(I, 0)];
}

} // namespace walsh

template <typename Layout>
__global__ void before(const float *In, float *Out) {
  walsh::transform<walsh::InOrder>(In, Out);
}

template <typename Layout>
__global__ void after(const float *In, float *Out) {
  walsh::transform<Layout>(In, Out);
}

namespace walsh {

/// Elements in order against \p Layout.
template <typename Layout> void compare(const char *Name) {
  const float *In = input<float>(N * Rows);
  float *Expected = output<float>(N * Rows), *Out = output<float>(N * Rows);
  Pair P(Name);
  P.same(Expected, Out, N * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<Layout><<<Rows, Threads>>>(In, Expected);
    else
      after<Layout><<<Rows, Threads>>>(In, Out);
}

} // namespace walsh

#endif // WARPWISE_TEST_GPU_PAIRS_WALSHBUTTERFLY_CUH
