//===- WideProducts.cu - Clocks of a scheduler for a product --------------===//
//
// Every warp computes eight rows of products that do not need each other. Prints
// "name,threads,clocks": how long a scheduler takes for one of a warp.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int Rounds = 200, AtOnce = 8, Rows = 8, Sms = 132, Schedulers = 4;

template <class T, class F>
__device__ void repeat(T *Out, T A, T B, long long *Clocks, F Next) {
  T X[Rows];
  for (int Row = 0; Row < Rows; ++Row)
    X[Row] = 1 + threadIdx.x * (Row + 3);
  A += threadIdx.x;
  B += threadIdx.x * 7;
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < AtOnce; ++I)
#pragma unroll
      for (int Row = 0; Row < Rows; ++Row)
        Next(X[Row], A, B);
  __syncthreads();
  const long long End = clock64();
  T Sum = 0;
  for (int Row = 0; Row < Rows; ++Row)
    Sum += X[Row];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
  if (threadIdx.x == 0)
    Clocks[blockIdx.x] = End - Begin;
}

#define PRODUCT(Name, T, ...)                                                  \
  __global__ void Name(T *Out, T A, T B, long long *Clocks) {                  \
    repeat<T>(Out, A, B, Clocks, [](T &X, T A, T B) { __VA_ARGS__; });         \
  }

PRODUCT(imad, uint32_t,
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(X) : "r"(A), "r"(B)))
PRODUCT(imad_hi, uint32_t,
        asm volatile("mad.hi.u32 %0, %0, %1, %2;" : "+r"(X) : "r"(A), "r"(B)))
// One IMAD.WIDE and two IMAD.
PRODUCT(low_of_64_bits, uint64_t,
        asm volatile("mad.lo.u64 %0, %0, %1, %2;" : "+l"(X) : "l"(A), "l"(B)))
// Four IMAD.WIDE and sums of what they carry.
PRODUCT(high_of_64_bits, uint64_t,
        asm volatile("mul.hi.u64 %0, %0, %1;" : "+l"(X) : "l"(A)))

template <class T>
void time(const char *Name, void (*Kernel)(T *, T, T, long long *)) {
  constexpr int Most = 1024, Warp = 32;
  T *Out;
  long long *Clocks;
  cudaMalloc(&Out, Sms * Most * sizeof(T));
  cudaMallocManaged(&Clocks, Sms * sizeof(long long));
  for (const int Threads : {128, Most}) {
    for (int Warm = 0; Warm < 2; ++Warm)
      Kernel<<<Sms, Threads>>>(Out, 12345, 678, Clocks);
    if (const cudaError_t Error = cudaDeviceSynchronize()) {
      std::fprintf(stderr, "%s: %s\n", Name, cudaGetErrorString(Error));
      return;
    }
    std::printf("%s,%d,%.2f\n", Name, Threads,
                double(Clocks[0]) / (double(Rounds) * AtOnce * Rows * Threads /
                                     Warp / Schedulers));
  }
}

int main() {
  std::puts("product,threads,clocks");
  time("imad", imad);
  time("imad_hi", imad_hi);
  time("low_of_64_bits", low_of_64_bits);
  time("high_of_64_bits", high_of_64_bits);
}
