// Rule: cuda-memory-missing-restrict
// Where a camera's lens puts each of many points, by six coefficients that all
// threads read: two stores at the end, only one load between them.
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const float *Us, const float *Vs, const float *Lens,
                       float *NewUs, float *NewVs) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float U = Us[I], V = Vs[I], R = U * U + V * V;
  const float Scale = 1 + R * (Lens[0] + R * (Lens[1] + R * Lens[2]));
  NewUs[I] = U * Scale + Lens[3] * U * V + Lens[4];
  NewVs[I] = V * Scale + Lens[3] * V * V + Lens[5];
}

__global__ void after(const float *__restrict__ Us,
                      const float *__restrict__ Vs,
                      const float *__restrict__ Lens, float *__restrict__ NewUs,
                      float *__restrict__ NewVs) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float U = Us[I], V = Vs[I], R = U * U + V * V;
  const float Scale = 1 + R * (Lens[0] + R * (Lens[1] + R * Lens[2]));
  NewUs[I] = U * Scale + Lens[3] * U * V + Lens[4];
  NewVs[I] = V * Scale + Lens[3] * V * V + Lens[5];
}

int main() {
  const float *Us = input<float>(N), *Vs = input<float>(N + 32) + 32,
              *Lens = input<float>(6);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("lens-corrected-restrict");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Us, Vs, Lens, Expected, Expected + N);
    else
      after<<<N / 256, 256>>>(Us, Vs, Lens, Out, Out + N);
}
