// Rule: ?
// Lossless audio: each thread adds residuals to what a predictor of order eight
// makes of the samples before. Those are read back from the output, or kept in
// registers that move on by one.
#include "Pair.cuh"

constexpr int Frames = 32768, Samples = 256, Order = 8;

__global__ void before(const int *Residual, const int *Coefficient, int *Out) {
  const int Frame = blockIdx.x * 128 + threadIdx.x;
  int Weight[Order];
  for (int I = 0; I < Order; ++I)
    Weight[I] = Coefficient[I * Frames + Frame];
  for (int I = 0; I < Order; ++I)
    Out[I * Frames + Frame] = Residual[I * Frames + Frame] - 32;
  for (int I = Order; I < Samples; ++I) {
    int Sum = 0;
#pragma unroll
    for (int Back = 0; Back < Order; ++Back)
      Sum += Weight[Back] * Out[(I - 1 - Back) * Frames + Frame];
    Out[I * Frames + Frame] =
        Residual[I * Frames + Frame] - 32 + (Sum >> 10);
  }
}

__global__ void after(const int *Residual, const int *Coefficient, int *Out) {
  const int Frame = blockIdx.x * 128 + threadIdx.x;
  int Weight[Order], Past[Order];
  for (int I = 0; I < Order; ++I)
    Weight[I] = Coefficient[I * Frames + Frame];
  for (int I = 0; I < Order; ++I) {
    Past[Order - 1 - I] = Residual[I * Frames + Frame] - 32;
    Out[I * Frames + Frame] = Past[Order - 1 - I];
  }
  for (int I = Order; I < Samples; ++I) {
    int Sum = 0;
#pragma unroll
    for (int Back = 0; Back < Order; ++Back)
      Sum += Weight[Back] * Past[Back];
#pragma unroll
    for (int Back = Order - 1; Back > 0; --Back)
      Past[Back] = Past[Back - 1];
    Past[0] = Residual[I * Frames + Frame] - 32 + (Sum >> 10);
    Out[I * Frames + Frame] = Past[0];
  }
}

int main() {
  const int *Residual = input<int>(Frames * Samples, 64),
            *Coefficient = input<int>(Frames * Order, 100);
  int *Expected = output<int>(Frames * Samples),
      *Out = output<int>(Frames * Samples);
  Pair P("predictor-history-in-registers");
  P.same(Expected, Out, Frames * Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / 128, 128>>>(Residual, Coefficient, Expected);
    else
      after<<<Frames / 128, 128>>>(Residual, Coefficient, Out);
}
