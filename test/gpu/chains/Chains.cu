//===- Chains.cu - Clocks from one result to the next ---------------------===//
//
// One warp computes a thousand results, each from the one before. Of barriers
// also blocks of more warps. Prints "name threads clocks".
//
//===----------------------------------------------------------------------===//

#include <cstdio>

constexpr int Length = 1024;

template <class T, class F>
__device__ void chain(T Value, F Next, long long *Clocks, T *Last) {
  const long long Begin = clock64();
#pragma unroll 64
  for (int I = 0; I < Length; ++I)
    Value = Next(Value);
  const long long End = clock64();
  if (threadIdx.x == 0)
    *Clocks = End - Begin;
  Last[threadIdx.x] = Value;
}

/// C is 1 and M is 1, but nvcc does not know.
#define CHAIN(Name, T, First, Next)                                            \
  __global__ void Name(long long *Clocks, T *Last, T C, int M) {               \
    chain<T>(                                                                  \
        static_cast<T>(First), [=] __device__(T Y) -> T { return Next; }, Clocks, Last);    \
  }

CHAIN(fma_single, float, threadIdx.x + 1, fmaf(Y, C, C))
CHAIN(add_single, float, 1, Y + C)
CHAIN(fma_double, double, 1, fma(Y, C, C))
CHAIN(add_double, double, 1, Y + C)
CHAIN(mul_double, double, 1, Y *C)
CHAIN(add_xor, int, 1, (Y + C) ^ M)
CHAIN(mul_add, int, 3, Y *C + M)
CHAIN(mul_add_64, long long, 3, Y *C + M)
CHAIN(dp4a, int, 3, __dp4a(Y, int(C), M))
CHAIN(popc_add, unsigned, 3, __popc(Y) + C)
CHAIN(clz_xor, int, 3, __clz(Y) ^ C)
CHAIN(brev_add, unsigned, 3, __brev(Y) + C)
CHAIN(to_float_and_back, int, 3, __float2int_rn(__int2float_rn(Y)))
CHAIN(exp2_single, float, 0.5f, exp2f(Y))
CHAIN(exp_mul_single, float, 0.1f, expf(Y) * C)
CHAIN(sin_single, float, 0.1f, sinf(Y))
CHAIN(rsqrt_single, float, 0.7f, rsqrtf(Y))
CHAIN(sqrt_single, float, 0.7f, sqrtf(Y))
CHAIN(fast_div_single, float, 0.7f, __fdividef(1.f, Y))
CHAIN(div_single, float, 0.7f, C / Y)
CHAIN(div_double, double, 0.7, C / Y)
CHAIN(sqrt_double, double, 0.7, sqrt(Y))
CHAIN(div_int, int, 3, C / (Y | 1))
CHAIN(rem_int, int, 3, C % (Y | 1))
CHAIN(ballot_add, unsigned, 3, __ballot_sync(~0u, Y & 1) + C)

__global__ void load_shared(long long *Clocks, int *Last, int, int) {
  __shared__ int Next[Length];
  for (int I = threadIdx.x; I < Length; I += blockDim.x)
    Next[I] = (I * 7 + 1) % Length;
  __syncthreads();
  chain<int>(
      int(threadIdx.x), [=] __device__(int Y) { return Next[Y]; }, Clocks,
      Last);
}

__global__ void barrier(long long *Clocks, int *Last, int C, int) {
  chain<int>(
      1,
      [=] __device__(int Y) {
        __syncthreads();
        return Y + C;
      },
      Clocks, Last);
}

template <class T>
void run(const char *Name, void (*Kernel)(long long *, T *, T, int),
         int Threads = 32) {
  long long *Clocks;
  T *Last;
  cudaMallocManaged(&Clocks, sizeof *Clocks);
  cudaMalloc(&Last, 1024 * sizeof(T));
  for (int Round = 0; Round < 2; ++Round)
    Kernel<<<1, Threads>>>(Clocks, Last, T(1), 1);
  if (const cudaError_t Error = cudaDeviceSynchronize(); Error != cudaSuccess)
    std::printf("%s: %s\n", Name, cudaGetErrorString(Error));
  else
    std::printf("%s %d %.1f\n", Name, Threads, double(*Clocks) / Length);
  cudaFree(Clocks);
  cudaFree(Last);
}

#define RUN(Name) run(#Name, Name)

int main() {
  RUN(fma_single), RUN(add_single), RUN(fma_double), RUN(add_double);
  RUN(mul_double), RUN(add_xor), RUN(mul_add), RUN(mul_add_64), RUN(dp4a);
  RUN(popc_add), RUN(clz_xor), RUN(brev_add), RUN(to_float_and_back);
  RUN(exp2_single), RUN(exp_mul_single), RUN(sin_single), RUN(rsqrt_single);
  RUN(sqrt_single), RUN(fast_div_single), RUN(div_single), RUN(div_double);
  RUN(sqrt_double), RUN(div_int), RUN(rem_int), RUN(ballot_add);
  RUN(load_shared);
  for (const int Threads : {32, 256, 1024})
    run("barrier", barrier, Threads);
}
