// Rule: cuda-memory-bank-conflict
// A Walsh-Hadamard transform of 2048 floats in shared memory, four at a time.
// From round to round the four elements of a thread lie nearer to each other,
// and the lanes of a warp in groups 128 bytes and more apart: groups of eight
// and of two meet in banks. No element that is left free moves all of them apart; the
// index, of which the bits beyond a row of banks are added to the others without
// a carry, does.
#include "Pair.cuh"

constexpr int N = 2048, Threads = N / 4, Rows = 4096;

template <bool Permute> __device__ int at(int I) {
  return Permute ? I + (I >> 5) : I;
}

template <bool Permute>
__device__ void transform(const float *__restrict__ In,
                          float *__restrict__ Out) {
  __shared__ float Data[N + N / 32];
  for (int I = threadIdx.x; I < N; I += Threads)
    Data[at<Permute>(I)] = In[blockIdx.x * N + I];
  const int Me = threadIdx.x;
  for (int Stride = N / 4; Stride > 0; Stride /= 4) {
    const int Low = Me & (Stride - 1);
    const int I0 = ((Me - Low) << 2) + Low;
    const int I1 = I0 + Stride, I2 = I1 + Stride, I3 = I2 + Stride;
    __syncthreads();
    const float A = Data[at<Permute>(I0)], B = Data[at<Permute>(I1)];
    const float C = Data[at<Permute>(I2)], D = Data[at<Permute>(I3)];
    Data[at<Permute>(I0)] = A + C + (B + D);
    Data[at<Permute>(I1)] = A + C - (B + D);
    Data[at<Permute>(I2)] = A - C + (B - D);
    Data[at<Permute>(I3)] = A - C - (B - D);
  }
  __syncthreads();
  for (int I = threadIdx.x; I < N; I += Threads)
    Out[blockIdx.x * N + I] = Data[at<Permute>(I)];
}

__global__ void before(const float *In, float *Out) {
  transform<false>(In, Out);
}

__global__ void after(const float *In, float *Out) { transform<true>(In, Out); }

int main() {
  const float *In = input<float>(N * Rows);
  float *Expected = output<float>(N * Rows), *Out = output<float>(N * Rows);
  Pair P("walsh-butterfly-padded");
  P.same(Expected, Out, N * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(In, Expected);
    else
      after<<<Rows, Threads>>>(In, Out);
}
