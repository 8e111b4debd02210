// What additions by atomics take that memory has no instruction for: nvcc makes
// loops of a compare-and-swap of them. Lanes go to words at random, or all to
// one, or each to its own. See README.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

constexpr unsigned SharedBytes = 32768, Requests = 256;

template <class T> struct Name;
template <> struct Name<int> {
  static constexpr auto Text = "int";
};
template <> struct Name<float> {
  static constexpr auto Text = "float";
};
template <> struct Name<double> {
  static constexpr auto Text = "double";
};
template <> struct Name<__half> {
  static constexpr auto Text = "half";
};
template <> struct Name<__half2> {
  static constexpr auto Text = "half2";
};
template <> struct Name<__nv_bfloat16> {
  static constexpr auto Text = "bfloat16";
};
template <> struct Name<__nv_bfloat162> {
  static constexpr auto Text = "bfloat162";
};

/// A word of \p Mask + 1; the next one of \p Seed.
__device__ uint32_t next(uint32_t &Seed, uint32_t Mask) {
  Seed = Seed * 1664525u + 1013904223u;
  return Seed >> 12 & Mask;
}

/// Words 0: each lane has its own, all warps of a block the same ones.
template <class T, bool Adds>
__global__ void inShared(uint32_t Words, T One, T MinusOne, long long *Clocks,
                         T *Out) {
  __shared__ __align__(16) unsigned char Memory[SharedBytes];
  T *Its = reinterpret_cast<T *>(Memory);
  for (unsigned I = threadIdx.x; I < SharedBytes / 4; I += blockDim.x)
    reinterpret_cast<uint32_t *>(Memory)[I] = 0;
  __syncthreads();
  uint32_t Seed = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
  uint32_t Sum = 0;
  const long long Start = clock64();
  for (unsigned I = 0; I < Requests; ++I) {
    const uint32_t At = Words ? next(Seed, Words - 1) : threadIdx.x % 32;
    if (Adds)
      atomicAdd(&Its[At], I % 2 ? MinusOne : One);
    else
      Sum += At;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    Clocks[blockIdx.x] = clock64() - Start;
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Its[threadIdx.x + Sum % 2];
}

/// The loop that nvcc makes of a double's addition, with its rounds counted.
__global__ void rounds(uint32_t Words, unsigned long long *Rounds) {
  __shared__ unsigned long long Its[SharedBytes / 8];
  for (unsigned I = threadIdx.x; I < SharedBytes / 8; I += blockDim.x)
    Its[I] = 0;
  __syncthreads();
  uint32_t Seed = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
  unsigned long long Most = 0;
  for (unsigned I = 0; I < Requests; ++I) {
    const uint32_t At = Words ? next(Seed, Words - 1) : threadIdx.x % 32;
    unsigned Mine = 0;
    unsigned long long Old = Its[At], Seen;
    do {
      Seen = Old;
      ++Mine;
      Old = atomicCAS(&Its[At], Seen,
                      (unsigned long long)__double_as_longlong(
                          __longlong_as_double((long long)Seen) + 1));
    } while (Old != Seen);
    Most += __reduce_max_sync(~0u, Mine);
  }
  if (threadIdx.x % 32 == 0)
    atomicAdd(Rounds, Most);
}

/// Words 0: each lane its own, side by side; 1: all lanes of the grid to one.
template <class T>
__global__ void inGlobal(uint32_t Words, T One, T MinusOne, T *Memory) {
  const uint32_t Thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t Seed = Thread * 2654435761u + 1;
  for (unsigned I = 0; I < 16; ++I)
    atomicAdd(&Memory[Words == 0   ? Thread + I * gridDim.x * blockDim.x
                      : Words == 1 ? 0
                                   : next(Seed, Words - 1)],
              I % 2 ? MinusOne : One);
}

template <class Run> float microseconds(Run Its) {
  cudaEvent_t Start, Stop;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  std::vector<float> Times;
  for (int I = 0; I < 9; ++I) {
    float Ms;
    cudaEventRecord(Start);
    Its();
    cudaEventRecord(Stop);
    cudaEventSynchronize(Stop);
    cudaEventElapsedTime(&Ms, Start, Stop);
    Times.push_back(Ms * 1000);
  }
  std::sort(Times.begin(), Times.end());
  return Times[Times.size() / 2];
}

long long *Clocks;
void *Memory;
int Sms;

template <class T, bool Adds>
double clocksOf(uint32_t Words, unsigned Warps, T One, T MinusOne) {
  std::vector<long long> Its(Sms), Medians;
  for (int I = 0; I < 5; ++I) {
    inShared<T, Adds><<<Sms, 32 * Warps>>>(Words, One, MinusOne, Clocks,
                                           static_cast<T *>(Memory));
    cudaMemcpy(Its.data(), Clocks, Sms * sizeof(long long),
               cudaMemcpyDeviceToHost);
    std::sort(Its.begin(), Its.end());
    Medians.push_back(Its[Sms / 2]);
  }
  std::sort(Medians.begin(), Medians.end());
  return double(Medians[2]);
}

template <class T> void shared(T One, T MinusOne) {
  for (const uint32_t Words : {0u, 1u, 2u, 8u, 32u, 128u, 512u, 2048u})
    for (const unsigned Warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
      const double All = clocksOf<T, true>(Words, Warps, One, MinusOne);
      const double Rest = clocksOf<T, false>(Words, Warps, One, MinusOne);
      std::printf("shared,%s,%u,%u,%.2f,%.2f\n", Name<T>::Text, Words, Warps,
                  All / Requests, Rest / Requests);
    }
}

template <class T> void global(T One, T MinusOne) {
  for (const uint32_t Words : {0u, 1u, 32u, 1024u, 32768u, 1u << 20}) {
    const float Us = microseconds([&] {
      inGlobal<T>
          <<<Sms * 8, 256>>>(Words, One, MinusOne, static_cast<T *>(Memory));
    });
    // Of the whole GPU, for each request of a warp.
    std::printf("global,%s,%u,,%.3f,\n", Name<T>::Text, Words,
                Us * 1000 / (16.0 * Sms * 64));
  }
}

int main() {
  cudaDeviceGetAttribute(&Sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMalloc(&Clocks, Sms * sizeof(long long));
  cudaMalloc(&Memory, size_t(Sms) * 2048 * 16 * 8);
  cudaMemset(Memory, 0, size_t(Sms) * 2048 * 16 * 8);
  std::printf("memory,type,words,warps,clocks_or_ns,without\n");
  shared<int>(1, -1);
  shared<float>(1, -1);
  shared<double>(1, -1);
  shared<__half>(__float2half(1), __float2half(-1));
  shared<__half2>(__float2half2_rn(1), __float2half2_rn(-1));
  shared<__nv_bfloat16>(__float2bfloat16(1), __float2bfloat16(-1));
  for (const uint32_t Words : {0u, 1u, 2u, 8u, 32u, 128u, 512u, 2048u})
    for (const unsigned Warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
      unsigned long long *Rounds = static_cast<unsigned long long *>(Memory);
      cudaMemset(Rounds, 0, 8);
      rounds<<<Sms, 32 * Warps>>>(Words, Rounds);
      unsigned long long All;
      cudaMemcpy(&All, Rounds, 8, cudaMemcpyDeviceToHost);
      std::printf("rounds,double,%u,%u,%.2f,\n", Words, Warps,
                  double(All) / (double(Requests) * Warps * Sms));
    }
  cudaMemset(Memory, 0, size_t(Sms) * 2048 * 16 * 8);
  global<int>(1, -1);
  global<float>(1, -1);
  global<double>(1, -1);
  global<__half>(__float2half(1), __float2half(-1));
  global<__half2>(__float2half2_rn(1), __float2half2_rn(-1));
  global<__nv_bfloat16>(__float2bfloat16(1), __float2bfloat16(-1));
  global<__nv_bfloat162>(__float2bfloat162_rn(1), __float2bfloat162_rn(-1));
  const cudaError_t Status = cudaDeviceSynchronize();
  if (Status != cudaSuccess)
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  return Status != cudaSuccess;
}
