// Rule: cuda-memory-missing-restrict
// The losses of proximal policy optimisation and their gradients, for two
// million steps: without __restrict__, what the value loss needs may not be
// read before the results of the policy loss are written.
#include "Pair.cuh"

constexpr int N = 2000000;
constexpr float Clip = 0.2f;

__global__ void before(const float *LogNew, const float *LogOld,
                       const float *Advantage, const float *Value,
                       const float *ValueOld, const float *Return,
                       float *PolicyLoss, float *PolicyGradient,
                       float *ValueLoss, float *ValueGradient) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float Ratio = __expf(LogNew[I] - LogOld[I]), A = Advantage[I] - 0.5f;
  const float Clipped = fminf(fmaxf(Ratio, 1 - Clip), 1 + Clip);
  PolicyLoss[I] = -fminf(Ratio * A, Clipped * A);
  PolicyGradient[I] = Ratio * A <= Clipped * A ? -Ratio * A : 0.f;
  const float Off = Value[I] - Return[I], Moved = Value[I] - ValueOld[I];
  const float Held = ValueOld[I] + fminf(fmaxf(Moved, -Clip), Clip) - Return[I];
  ValueLoss[I] = 0.5f * fmaxf(Off * Off, Held * Held);
  ValueGradient[I] = Off * Off >= Held * Held ? Off : 0.f;
}

__global__ void
after(const float *__restrict__ LogNew, const float *__restrict__ LogOld,
      const float *__restrict__ Advantage, const float *__restrict__ Value,
      const float *__restrict__ ValueOld, const float *__restrict__ Return,
      float *__restrict__ PolicyLoss, float *__restrict__ PolicyGradient,
      float *__restrict__ ValueLoss, float *__restrict__ ValueGradient) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float Ratio = __expf(LogNew[I] - LogOld[I]), A = Advantage[I] - 0.5f;
  const float Clipped = fminf(fmaxf(Ratio, 1 - Clip), 1 + Clip);
  PolicyLoss[I] = -fminf(Ratio * A, Clipped * A);
  PolicyGradient[I] = Ratio * A <= Clipped * A ? -Ratio * A : 0.f;
  const float Off = Value[I] - Return[I], Moved = Value[I] - ValueOld[I];
  const float Held = ValueOld[I] + fminf(fmaxf(Moved, -Clip), Clip) - Return[I];
  ValueLoss[I] = 0.5f * fmaxf(Off * Off, Held * Held);
  ValueGradient[I] = Off * Off >= Held * Held ? Off : 0.f;
}

int main() {
  const float *In[6];
  float *Expected[4], *Out[4];
  Pair P("clipped-surrogate-restrict");
  // Noise that differs from array to array.
  const float *Noise = input<float>(6 * N);
  for (int K = 0; K < 6; ++K)
    In[K] = Noise + K * N;
  for (int K = 0; K < 4; ++K) {
    Expected[K] = output<float>(N);
    Out[K] = output<float>(N);
    P.same(Expected[K], Out[K], N);
  }
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>(In[0], In[1], In[2], In[3], In[4], In[5],
                                       Expected[0], Expected[1], Expected[2],
                                       Expected[3]);
    else
      after<<<(N + 255) / 256, 256>>>(In[0], In[1], In[2], In[3], In[4], In[5],
                                      Out[0], Out[1], Out[2], Out[3]);
}
