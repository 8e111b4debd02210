// Rule: cuda-memory-uncoalesced-access
// Open, high, low and close of bars of 24 ticks, and their mean: each thread
// walks the ticks of its bar, or the block first brings its bars to shared
// memory in order, with rows of odd length. "Use shared memory to coalesce",
// as the CUDA best practices guide has it.
#include "Pair.cuh"

constexpr int Bars = 1 << 20, Ticks = 24, Block = 128;

__global__ void before(const float *__restrict__ Price,
                       float4 *__restrict__ Bar, float *__restrict__ Mean) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float *Row = Price + size_t(I) * Ticks;
  const float Open = Row[0];
  float High = Open, Low = Open, Close = Open, Sum = Open;
  for (int T = 1; T < Ticks; ++T) {
    Close = Row[T];
    High = fmaxf(High, Close);
    Low = fminf(Low, Close);
    Sum += Close;
  }
  Bar[I] = make_float4(Open, High, Low, Close);
  Mean[I] = Sum / Ticks;
}

__global__ void after(const float *__restrict__ Price, float4 *__restrict__ Bar,
                      float *__restrict__ Mean) {
  __shared__ float Rows[Block * (Ticks + 1)];
  const int I = blockIdx.x * Block + threadIdx.x;
  const float *Start = Price + size_t(blockIdx.x) * Block * Ticks;
  for (int K = threadIdx.x; K < Block * Ticks; K += Block)
    Rows[K / Ticks * (Ticks + 1) + K % Ticks] = Start[K];
  __syncthreads();
  const float *Row = Rows + threadIdx.x * (Ticks + 1);
  const float Open = Row[0];
  float High = Open, Low = Open, Close = Open, Sum = Open;
  for (int T = 1; T < Ticks; ++T) {
    Close = Row[T];
    High = fmaxf(High, Close);
    Low = fminf(Low, Close);
    Sum += Close;
  }
  Bar[I] = make_float4(Open, High, Low, Close);
  Mean[I] = Sum / Ticks;
}

int main() {
  const float *Price = input<float>(size_t(Bars) * Ticks);
  float4 *ExpectedBar = reinterpret_cast<float4 *>(output<float>(4 * Bars)),
         *OutBar = reinterpret_cast<float4 *>(output<float>(4 * Bars));
  float *ExpectedMean = output<float>(Bars), *OutMean = output<float>(Bars);
  Pair P("price-bars-through-shared");
  P.same(&ExpectedBar->x, &OutBar->x, 4 * Bars);
  P.same(ExpectedMean, OutMean, Bars);
  while (P.next())
    if (P.beforesTurn())
      before<<<Bars / Block, Block>>>(Price, ExpectedBar, ExpectedMean);
    else
      after<<<Bars / Block, Block>>>(Price, OutBar, OutMean);
}
