// Rule: cuda-memory-redundant-round-trip
// Yearly volatility of 8192 stocks from 1024 days, a block for each stock: the
// logarithmic returns go to a global array until their mean is known, or stay
// in registers.
#include "Pair.cuh"

constexpr int Stocks = 8192, Days = 1024, Threads = 256;
constexpr int PerThread = Days / Threads;

__device__ float sumOfBlock(float Value) {
  __shared__ float Parts[Threads / 32];
  for (int D = 16; D > 0; D /= 2)
    Value += __shfl_down_sync(0xffffffff, Value, D);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    Parts[threadIdx.x / 32] = Value;
  __syncthreads();
  float Sum = 0;
  for (int W = 0; W < Threads / 32; ++W)
    Sum += Parts[W];
  return Sum;
}

__device__ float yearly(float Squares) {
  return sqrtf(Squares * (252.f / (Days - 2)));
}

__global__ void before(const float *__restrict__ Prices,
                       float *__restrict__ Returns,
                       float *__restrict__ Volatility) {
  const float *Price = Prices + blockIdx.x * Days;
  float *Return = Returns + blockIdx.x * Days;
  float Sum = 0;
  for (int D = threadIdx.x; D < Days - 1; D += Threads) {
    const float R = logf(Price[D + 1] / Price[D]);
    Return[D] = R;
    Sum += R;
  }
  const float Mean = sumOfBlock(Sum) / (Days - 1);
  float Squares = 0;
  for (int D = threadIdx.x; D < Days - 1; D += Threads)
    Squares += (Return[D] - Mean) * (Return[D] - Mean);
  Squares = sumOfBlock(Squares);
  if (threadIdx.x == 0)
    Volatility[blockIdx.x] = yearly(Squares);
}

__global__ void after(const float *__restrict__ Prices,
                      float *__restrict__ Volatility) {
  const float *Price = Prices + blockIdx.x * Days;
  float Return[PerThread], Sum = 0;
#pragma unroll
  for (int I = 0; I < PerThread; ++I) {
    const int D = threadIdx.x + I * Threads;
    if (D < Days - 1) {
      Return[I] = logf(Price[D + 1] / Price[D]);
      Sum += Return[I];
    }
  }
  const float Mean = sumOfBlock(Sum) / (Days - 1);
  float Squares = 0;
#pragma unroll
  for (int I = 0; I < PerThread; ++I)
    if (threadIdx.x + I * Threads < Days - 1)
      Squares += (Return[I] - Mean) * (Return[I] - Mean);
  Squares = sumOfBlock(Squares);
  if (threadIdx.x == 0)
    Volatility[blockIdx.x] = yearly(Squares);
}

int main() {
  std::vector<float> Quotes(Stocks * Days);
  for (size_t I = 0; I < Quotes.size(); ++I)
    Quotes[I] = 100 + 0.001f * (mixed(I) % 4096);
  const float *Prices = onDevice(Quotes);
  float *Returns = output<float>(Stocks * Days),
        *Expected = output<float>(Stocks), *Out = output<float>(Stocks);
  Pair P("volatility-returns-kept");
  P.same(Expected, Out, Stocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Stocks, Threads>>>(Prices, Returns, Expected);
    else
      after<<<Stocks, Threads>>>(Prices, Out);
}
