// What L2 does when all warps of the device read the same few lines past L1.
// Prints, of 16, 8 ... different lines, the requests of a warp that are served
// in a clock of the SMs, all of them together. See README.md.
#include <algorithm>
#include <cstdio>

constexpr int Rounds = 512;

/// All lanes of a warp read a word, of one sector of each of Lines lines, or
/// each its own, all of a line.
template <bool IsWhole>
__global__ void readAll(const float *Data, int Lines, float *Out) {
  const volatile float *From = Data + (IsWhole ? threadIdx.x % 32 : 0);
  const int Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float Sum = 0;
#pragma unroll 16
  for (int Round = 0; Round < Rounds; ++Round)
    Sum += From[(Warp + Round) % Lines * 32];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

int main() {
  cudaDeviceProp Device;
  cudaGetDeviceProperties(&Device, 0);
  const int Sms = Device.multiProcessorCount;
  int Khz;
  cudaDeviceGetAttribute(&Khz, cudaDevAttrClockRate, 0);
  float *Data, *Out;
  cudaMalloc(&Data, 1 << 20);
  cudaMemset(Data, 0, 1 << 20);
  cudaMalloc(&Out, 1 << 22);
  cudaEvent_t Start, Stop;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  printf("lines,words_per_clock,lines_per_clock\n");
  for (int Lines = 1; Lines <= 4096; Lines *= 2) {
    printf("%d", Lines);
    for (auto *Kernel : {readAll<false>, readAll<true>}) {
      float Least = 1e9f;
      for (int Time = 0; Time < 4; ++Time) {
        cudaEventRecord(Start);
        Kernel<<<2 * Sms, 512>>>(Data, Lines, Out);
        cudaEventRecord(Stop);
        cudaEventSynchronize(Stop);
        float Ms;
        cudaEventElapsedTime(&Ms, Start, Stop);
        Least = std::min(Least, Ms);
      }
      printf(",%.2f", 32.0 * Sms * Rounds / (double(Least) * Khz));
    }
    printf("\n");
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
