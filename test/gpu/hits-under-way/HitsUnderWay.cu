// What a request takes that hits in L1: lines that are there, or that another
// request of the warp has just asked for, so that they are under way from L2.
// Prints clocks per request and SM, of SMs full of warps. See README.md.
#include <algorithm>
#include <cstdio>

constexpr int Requests = 16, Rounds = 256;

/// Of 16 requests of a warp some are the first to ask for a line of \p Far,
/// which lies in L2. The others want the same lines, \p Off words farther on
/// each time, or, if that is 0, lines of \p Near, which stay in L1.
template <int First, int Off>
__global__ void mixed(const float *__restrict__ Far,
                      const float *__restrict__ Near, unsigned FarMask,
                      unsigned NearMask, float *Out) {
  constexpr int Each = Requests / First;
  const unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x,
                 Warps = gridDim.x * blockDim.x / 32, Lane = threadIdx.x % 32;
  unsigned FarAt = Thread / 32 * First * 32 + Lane,
           NearAt = Lane + threadIdx.x / 32 * 64;
  float Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    float Words[Requests];
    const float *Stream = Far + (FarAt & FarMask),
                *Here = Near + (NearAt & NearMask);
#pragma unroll
    for (int I = 0; I < Requests; ++I)
      Words[I] = I % Each == 0 || Off ? Stream[I / Each * 32 + I % Each * Off]
                                      : Here[I * 64 + I];
#pragma unroll
    for (int I = 0; I < Requests; ++I)
      Sum += Words[I];
    FarAt += Warps * First * 32;
    NearAt += 1024;
  }
  Out[Thread] = Sum;
}

int Sms, Khz;
float *Data, *Out;

template <int First, int Off> void run() {
  float Least = 1e9f;
  cudaEvent_t Start, Stop;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  for (int Time = 0; Time < 8; ++Time) {
    cudaEventRecord(Start);
    mixed<First, Off><<<2 * Sms, 1024>>>(Data, Data + (8 << 20), (1 << 22) - 1,
                                         4095, Out);
    cudaEventRecord(Stop);
    cudaEventSynchronize(Stop);
    float Ms;
    cudaEventElapsedTime(&Ms, Start, Stop);
    Least = std::min(Least, Ms);
  }
  printf("%d,%d,%.2f\n", First, Off,
         double(Least) * Khz / (64.0 * Requests * Rounds));
}

int main() {
  cudaDeviceProp Device;
  cudaGetDeviceProperties(&Device, 0);
  Sms = Device.multiProcessorCount;
  cudaDeviceGetAttribute(&Khz, cudaDevAttrClockRate, 0);
  cudaMalloc(&Data, 64 << 20);
  cudaMemset(Data, 0, 64 << 20);
  cudaMalloc(&Out, 1 << 22);
  printf("first,words_on,clocks_per_request\n");
  run<1, 0>(), run<1, 1>(), run<1, 4>();
  run<2, 0>(), run<2, 1>(), run<2, 4>();
  run<4, 0>(), run<4, 1>(), run<4, 4>();
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
}
