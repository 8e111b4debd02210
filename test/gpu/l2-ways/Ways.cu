//===- Ways.cu - Reads and writes of L2 at the same time ------------------===//
//
// All threads read R numbers and write W, all of which lie in L2, again and
// again. Prints "reads writes bytes blocks-per-SM read-GB/s write-GB/s".
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>

constexpr size_t AllBytes = size_t(12) << 20;
constexpr int Rounds = 40, Threads = 256;

template <int R, int W, class T>
__global__ void touch(const T *In, T *Out, size_t Count) {
  const size_t Step = size_t(gridDim.x) * Threads;
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = size_t(blockIdx.x) * Threads + threadIdx.x; I < Count;
         I += Step) {
      float Sum = Round;
#pragma unroll
      for (int K = 0; K < R; ++K) {
        const T Value = __ldcg(In + K * Count + I);
        Sum += reinterpret_cast<const float &>(Value);
      }
      T Result;
      for (size_t K = 0; K < sizeof(T) / 4; ++K)
        reinterpret_cast<float *>(&Result)[K] = Sum;
#pragma unroll
      for (int K = 0; K < W; ++K)
        Out[K * Count + I] = Result;
      if (W == 0 && Sum == 1.2345f)
        Out[I] = Result; // never: keeps the loads
    }
}

template <int R, int W, class T> void run(char *Memory, int Sms, int PerSm) {
  const size_t Count = AllBytes / (R + W) / sizeof(T);
  T *const Out = reinterpret_cast<T *>(Memory) + R * Count;
  cudaEvent_t Begin, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  float Best = 1e9f;
  for (int N = 0; N < 7; ++N) {
    cudaEventRecord(Begin);
    touch<R, W, T><<<Sms * PerSm, Threads>>>(reinterpret_cast<T *>(Memory),
                                             Out, Count);
    cudaEventRecord(End);
    cudaEventSynchronize(End);
    float Ms;
    cudaEventElapsedTime(&Ms, Begin, End);
    Best = std::min(Best, Ms);
  }
  const double Each = double(Count) * sizeof(T) * Rounds / Best / 1e6;
  std::printf("%d %d %zu %d %.0f %.0f\n", R, W, sizeof(T), PerSm, R * Each,
              W * Each);
}

int main() {
  cudaDeviceProp Device;
  cudaGetDeviceProperties(&Device, 0);
  char *Memory;
  cudaMalloc(&Memory, 2 * AllBytes);
  cudaMemset(Memory, 0, 2 * AllBytes);
  const int Sms = Device.multiProcessorCount;
  for (const int PerSm : {8, 2}) {
    run<1, 0, float4>(Memory, Sms, PerSm);
    run<0, 1, float4>(Memory, Sms, PerSm);
    run<1, 1, float4>(Memory, Sms, PerSm);
    run<2, 1, float4>(Memory, Sms, PerSm);
    run<3, 1, float4>(Memory, Sms, PerSm);
    run<1, 2, float4>(Memory, Sms, PerSm);
    run<1, 0, float>(Memory, Sms, PerSm);
    run<0, 1, float>(Memory, Sms, PerSm);
    run<1, 1, float>(Memory, Sms, PerSm);
    run<2, 1, float>(Memory, Sms, PerSm);
  }
  if (const cudaError_t Error = cudaDeviceSynchronize(); Error != cudaSuccess)
    std::printf("%s\n", cudaGetErrorString(Error));
}
