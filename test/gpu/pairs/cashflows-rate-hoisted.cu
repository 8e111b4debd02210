// Rule: cuda-memory-missing-restrict
// Present values of a million trades of 24 cash flows: the exchange rate of a
// trade's currency is looked up at each flow or once ahead of the loop.
#include "Pair.cuh"

constexpr int Trades = 1000000, Flows = 24, Currencies = 160;

__global__ void before(const float *__restrict__ Flow,
                       const float *__restrict__ Discount,
                       const unsigned char *__restrict__ Currency,
                       const float *__restrict__ Rate,
                       float *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Trades)
    return;
  float Sum = 0;
  for (int F = 0; F < Flows; ++F)
    Sum += Flow[F * Trades + I] * Discount[F] * Rate[Currency[I]];
  Value[I] = Sum;
}

__global__ void after(const float *__restrict__ Flow,
                      const float *__restrict__ Discount,
                      const unsigned char *__restrict__ Currency,
                      const float *__restrict__ Rate,
                      float *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Trades)
    return;
  const float Exchange = Rate[Currency[I]];
  float Sum = 0;
  for (int F = 0; F < Flows; ++F)
    Sum += Flow[F * Trades + I] * Discount[F] * Exchange;
  Value[I] = Sum;
}

int main() {
  const float *Flow = input<float>(size_t(Trades) * Flows),
              *Discount = input<float>(Flows),
              *Rate = input<float>(Currencies);
  const unsigned char *Currency = input<unsigned char>(Trades, Currencies);
  float *Expected = output<float>(Trades), *Out = output<float>(Trades);
  constexpr int Grid = (Trades + 127) / 128;
  Pair P("cashflows-rate-hoisted");
  P.same(Expected, Out, Trades);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 128>>>(Flow, Discount, Currency, Rate, Expected);
    else
      after<<<Grid, 128>>>(Flow, Discount, Currency, Rate, Out);
}
