// Rule: cuda-memory-array-of-structs
// The turnover of a share by thousand trades: of records of 32 bytes price and
// volume are read, or these two are columns.
#include "Pair.cuh"

constexpr int N = 1 << 21;

struct Tick {
  uint64_t Time;
  double Price;
  uint32_t Volume, Order, Trader;
  uint16_t Venue, Flags;
};

__device__ void addUp(double Value, double *Turnover) {
  __shared__ double OfWarps[32];
  for (int I = 16; I > 0; I /= 2)
    Value += __shfl_xor_sync(~0u, Value, I);
  if (threadIdx.x % 32 == 0)
    OfWarps[threadIdx.x / 32] = Value;
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  Value = OfWarps[threadIdx.x];
  for (int I = 16; I > 0; I /= 2)
    Value += __shfl_xor_sync(~0u, Value, I);
  if (threadIdx.x == 0)
    Turnover[blockIdx.x] = Value;
}

__global__ void before(const Tick *Ticks, double *Turnover) {
  const Tick &T = Ticks[blockIdx.x * 1024 + threadIdx.x];
  addUp(T.Price * T.Volume, Turnover);
}

__global__ void after(const double *Prices, const uint32_t *Volumes,
                      double *Turnover) {
  const int I = blockIdx.x * 1024 + threadIdx.x;
  addUp(Prices[I] * Volumes[I], Turnover);
}

int main() {
  std::vector<Tick> Host(N);
  std::vector<double> Price(N);
  std::vector<uint32_t> Volume(N);
  for (int I = 0; I < N; ++I) {
    Host[I].Time = I;
    Host[I].Price = Price[I] = 100 + mixed(I) % 1000 * 0.01;
    Host[I].Volume = Volume[I] = mixed(I + N) % 500;
  }
  const Tick *Ticks = onDevice(Host);
  const double *Prices = onDevice(Price);
  const uint32_t *Volumes = onDevice(Volume);
  double *Expected = output<double>(N / 1024), *Out = output<double>(N / 1024);
  Pair P("ticks-price-and-volume");
  P.same(Expected, Out, N / 1024);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 1024, 1024>>>(Ticks, Expected);
    else
      after<<<N / 1024, 1024>>>(Prices, Volumes, Out);
}
