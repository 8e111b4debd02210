// Rule: none
// Where does each seismic trace first pass a threshold? A thread waits for one
// sample before it asks for the next, or has four on their way. All is quiet.
#include "Pair.cuh"

constexpr int Traces = 264 * 128, Samples = 512;

__global__ void before(const float *In, float Threshold, int *First) {
  const int T = blockIdx.x * 128 + threadIdx.x;
  int S = 0;
  while (S < Samples && In[S * Traces + T] < Threshold)
    ++S;
  First[T] = S;
}

__global__ void after(const float *In, float Threshold, int *First) {
  const int T = blockIdx.x * 128 + threadIdx.x;
  int S = 0;
  for (; S < Samples; S += 4) {
    const float A = In[S * Traces + T], B = In[(S + 1) * Traces + T],
                C = In[(S + 2) * Traces + T], D = In[(S + 3) * Traces + T];
    if (fmaxf(fmaxf(A, B), fmaxf(C, D)) < Threshold)
      continue;
    if (A < Threshold)
      ++S;
    if (A < Threshold && B < Threshold)
      ++S;
    if (A < Threshold && B < Threshold && C < Threshold)
      ++S;
    break;
  }
  First[T] = S;
}

int main() {
  const float *In = input<float>(size_t(Traces) * Samples);
  int *Expected = output<int>(Traces), *Out = output<int>(Traces);
  Pair P("traces-four-ahead");
  P.same(Expected, Out, Traces);
  while (P.next())
    if (P.beforesTurn())
      before<<<Traces / 128, 128>>>(In, 1.5f, Expected);
    else
      after<<<Traces / 128, 128>>>(In, 1.5f, Out);
}
