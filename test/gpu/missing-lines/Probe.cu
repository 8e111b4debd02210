//===- Probe.cu - Passes of requests that L1 does not have ----------------===//
//
// Launches one warp with a single request to global memory for each of many
// address patterns and widths, none of which L1 has, and prints the patterns:
// "width, offset of each lane in bytes". Under Nsight Compute the launch's
// wavefronts are those of that request.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace {

void must(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  std::exit(1);
}

struct Offsets {
  uint32_t Of[32];
};

template <class T>
__global__ void probe(const char *Data, Offsets O, float *Out) {
  const T Its = *reinterpret_cast<const T *>(Data + O.Of[threadIdx.x]);
  if (reinterpret_cast<const float &>(Its) == -123.f) // never
    Out[0] = 1;
}

const char *Data;
float *Out;

template <class T> void launch(const Offsets &O) {
  probe<T><<<1, 32>>>(Data, O, Out);
  must(cudaDeviceSynchronize());
  std::printf("%zu", sizeof(T));
  for (uint32_t Lane : O.Of)
    std::printf(",%u", Lane);
  std::printf("\n");
}

} // namespace

int main() {
  constexpr uint32_t Bytes = 32 << 20;
  char *Memory = nullptr;
  must(cudaMalloc(&Memory, Bytes));
  must(cudaMemset(Memory, 0, Bytes));
  must(cudaMalloc(&Out, 64));
  Data = Memory;
  uint32_t Seed = 1;
  const auto random = [&](uint32_t Below) {
    Seed = Seed * 1664525 + 1013904223;
    return uint32_t(uint64_t(Seed >> 8) * Below >> 24);
  };
  std::vector<Offsets> All;
  for (uint32_t Words : {1,  2,  3,  4,   5,   8,   9,   12,  16,  17,  20, 24,
                         28, 32, 33, 34,  36,  40,  44,  48,  56,  64,  65, 66,
                         68, 72, 80, 96,  97,  100, 112, 128, 129, 132, 144, 160,
                         180, 192, 193, 256, 257, 264, 320, 384, 385, 512, 513,
                         520, 576, 640, 1024, 1025, 1056, 2048, 2049, 4096, 4097}) {
    Offsets O;
    for (uint32_t Lane = 0; Lane != 32; ++Lane)
      O.Of[Lane] = Lane * Words * 4;
    All.push_back(O);
  }
  // Anywhere, or anywhere in so many lines.
  for (uint32_t Lines : {2, 4, 8, 16, 32, 64, 256, 1024, 65536})
    for (int Time = 0; Time != 4; ++Time) {
      Offsets O;
      for (uint32_t &Lane : O.Of)
        Lane = random(Lines * 32) * 4;
      All.push_back(O);
    }
  // One word of a line each, of as many lines as lanes, in any order; the first
  // of the line or any.
  for (int Time = 0; Time != 4; ++Time)
    for (bool First : {true, false}) {
      Offsets O;
      for (uint32_t Lane = 0; Lane != 32; ++Lane)
        O.Of[Lane] = (Lane * 7 + 3) % 32 * 128 + (First ? 0 : random(32) * 4);
      All.push_back(O);
    }
  for (const Offsets &O : All)
    launch<float>(O);
  for (const Offsets &O : All) {
    Offsets Aligned = O;
    for (uint32_t &Lane : Aligned.Of)
      Lane &= ~15u;
    launch<float4>(Aligned);
  }
}
