// What lanes that want different elements of constant memory wait, by the size
// of an element: whether two that share a word are served together.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int Elements = 1024, Rounds = 256;

__constant__ uint8_t Bytes[Elements];
__constant__ uint16_t Halves[Elements];
__constant__ uint32_t Words[Elements];

static void must(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  std::exit(1);
}

template <typename T> __device__ T at(unsigned Index) {
  return sizeof(T) == 1   ? Bytes[Index]
         : sizeof(T) == 2 ? Halves[Index]
                          : Words[Index];
}

// The tables hold zeros, so that the lanes stay where they are.
template <typename T>
__global__ void chain(int LanesOfOne, int Apart, unsigned *Out,
                      long long *Clocks) {
  unsigned Index = threadIdx.x / LanesOfOne * Apart;
  const long long Start = clock64();
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
    Index += at<T>(Index % Elements);
  if (threadIdx.x == 0)
    *Clocks = clock64() - Start;
  Out[threadIdx.x] = Index;
}

template <typename T> void measure() {
  unsigned *Out;
  long long *Clocks;
  must(cudaMalloc(&Out, 32 * sizeof(unsigned)));
  must(cudaMallocManaged(&Clocks, sizeof(long long)));
  for (int Distinct = 1; Distinct <= 32; Distinct *= 2)
    for (int Apart : {1, 4}) {
      for (int Run = 0; Run < 3; ++Run) {
        chain<T><<<1, 32>>>(32 / Distinct, Apart, Out, Clocks);
        must(cudaGetLastError());
        must(cudaDeviceSynchronize());
      }
      std::printf("%d,%d,%d,%.1f\n", int(sizeof(T)), Distinct, Apart,
                  *Clocks / double(Rounds));
    }
}

int main() {
  std::puts("bytes,distinct,apart,clocks");
  measure<uint8_t>();
  measure<uint16_t>();
  measure<uint32_t>();
}
