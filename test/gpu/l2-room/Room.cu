//===- Room.cu - How much L2 keeps from one launch to the next ------------===//
//
// Launches each kernel again and again on the same data, of which there is more
// from row to row, and prints microseconds of a launch. As long as L2 keeps all
// of it, the time grows by what L2 takes; from where it begins to lose some, by
// what DRAM does.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
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

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void write(float4 *Data, int Count) {
  if (const int I = index(); I < Count)
    Data[I] = make_float4(1, 2, 3, 4);
}

__global__ void read(float4 *Data, int Count) {
  if (const int I = index(); I < Count) {
    const float4 V = Data[I];
    if (V.x + V.y + V.z + V.w == -123.f) // never
      Data[0] = V;
  }
}

__global__ void change(float4 *Data, int Count) {
  if (const int I = index(); I < Count) {
    float4 V = Data[I];
    V.x *= 1.5f;
    Data[I] = V;
  }
}

/// From the first half to the second.
__global__ void copy(float4 *Data, int Count) {
  if (const int I = index(); I < Count / 2)
    Data[I + Count / 2] = Data[I];
}

/// From the first three quarters to the fourth.
__global__ void sum(float4 *Data, int Count) {
  const int I = index(), Part = Count / 4;
  if (I >= Part)
    return;
  const float4 A = Data[I], B = Data[I + Part], C = Data[I + 2 * Part];
  Data[I + 3 * Part] = make_float4(A.x + B.x + C.x, A.y + B.y + C.y,
                                   A.z + B.z + C.z, A.w + B.w + C.w);
}

/// Two blocks far apart read the same.
__global__ void readTwice(float4 *Data, int Count) {
  const int I = blockIdx.x % (gridDim.x / 2) * blockDim.x + threadIdx.x;
  if (I < Count) {
    const float4 V = Data[I];
    if (V.x + V.y + V.z + V.w == -123.f)
      Data[0] = V;
  }
}

struct Kernel {
  const char *Name;
  void (*Run)(float4 *, int);
  int Divide, Times; ///< of the threads, one for each element
};

constexpr Kernel Kernels[] = {
    {"write", write, 1, 1}, {"read", read, 1, 1}, {"change", change, 1, 1},
    {"copy", copy, 2, 1},   {"sum", sum, 4, 1},   {"read_twice", readTwice, 1, 2}};

} // namespace

int main() {
  constexpr size_t Most = 512;
  constexpr int Block = 256, Launches = 20, Rounds = 9;
  float4 *Data = nullptr;
  must(cudaMalloc(&Data, Most << 20));
  must(cudaMemset(Data, 0, Most << 20));
  cudaEvent_t Start, End;
  must(cudaEventCreate(&Start));
  must(cudaEventCreate(&End));
  std::printf("mib");
  for (const Kernel &K : Kernels)
    std::printf(",%s", K.Name);
  std::printf("\n");
  for (size_t Mib = 8; Mib <= Most; Mib += Mib < 80 ? 4 : Mib < 128 ? 16 : 128) {
    std::printf("%zu", Mib);
    for (const Kernel &K : Kernels) {
      const int Count = int((Mib << 20) / sizeof(float4));
      const int Grid = Count / K.Divide / Block * K.Times;
      std::vector<float> Times;
      for (int Round = 0; Round != Rounds; ++Round) {
        for (int N = 0; N != 2; ++N)
          K.Run<<<Grid, Block>>>(Data, Count);
        must(cudaEventRecord(Start));
        for (int N = 0; N != Launches; ++N)
          K.Run<<<Grid, Block>>>(Data, Count);
        must(cudaEventRecord(End));
        must(cudaEventSynchronize(End));
        float Millis = 0;
        must(cudaEventElapsedTime(&Millis, Start, End));
        Times.push_back(1e3f * Millis / Launches);
      }
      std::sort(Times.begin(), Times.end());
      std::printf(",%.2f", double(Times[Rounds / 2]));
    }
    std::printf("\n");
  }
}
