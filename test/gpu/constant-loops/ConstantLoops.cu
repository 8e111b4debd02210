// What a word of constant memory takes that all lanes of a warp want, in a loop
// whose rounds nvcc does not know, so that the word is no operand of another
// instruction. Prints clocks of a request and SM. See README.md.
#include <algorithm>
#include <cstdio>

__constant__ float4 Table[4096];

/// Warps begin together, or each somewhere else.
template <class Word>
__global__ void walk(int Words, int Rounds, int Apart, float *Out) {
  const Word *From = (const Word *)Table;
  const int Warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    const int First = Apart ? (Warp * 37 + Round * 11) % Words : 0;
    for (int At = First; At < Words; ++At) {
      const Word Its = From[At];
      Sum = Sum * 0.5f + ((const float *)&Its)[0];
      if (sizeof(Word) > 4)
        Sum += ((const float *)&Its)[1];
      if (sizeof(Word) > 8)
        Sum += ((const float *)&Its)[3];
    }
    for (int At = 0; At < First; ++At) {
      const Word Its = From[At];
      Sum = Sum * 0.5f + ((const float *)&Its)[0];
      if (sizeof(Word) > 4)
        Sum += ((const float *)&Its)[1];
      if (sizeof(Word) > 8)
        Sum += ((const float *)&Its)[3];
    }
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

int main() {
  cudaDeviceProp Device;
  cudaGetDeviceProperties(&Device, 0);
  const int Sms = Device.multiProcessorCount;
  int Khz;
  cudaDeviceGetAttribute(&Khz, cudaDevAttrClockRate, 0);
  float *Out;
  cudaMalloc(&Out, 1 << 22);
  cudaEvent_t Start, Stop;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  printf("bytes,in_step_4,apart_4,in_step_8,apart_8,in_step_16,apart_16\n");
  for (int Bytes = 256; Bytes <= 65536; Bytes *= 2) {
    printf("%d", Bytes);
    const auto time = [&](auto *Kernel, int Words, int Apart) {
      const int Rounds = std::max(1, 16384 / Words);
      float Least = 1e9f;
      for (int Time = 0; Time < 3; ++Time) {
        cudaEventRecord(Start);
        Kernel<<<4 * Sms, 512>>>(Words, Rounds, Apart, Out);
        cudaEventRecord(Stop);
        cudaEventSynchronize(Stop);
        float Ms;
        cudaEventElapsedTime(&Ms, Start, Stop);
        Least = std::min(Least, Ms);
      }
      printf(",%.2f", double(Least) * Khz / (64.0 * Rounds * Words));
    };
    for (const int Apart : {0, 1})
      time(walk<float>, Bytes / 4, Apart);
    for (const int Apart : {0, 1})
      time(walk<float2>, Bytes / 8, Apart);
    for (const int Apart : {0, 1})
      time(walk<float4>, Bytes / 16, Apart);
    printf("\n");
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
