// Rule: cuda-memory-uncoalesced-access
// Prices of a share along simulated paths, one a thread, are kept for a later
// pass: the 64 prices of a path together, or those of a day together.
#include "Pair.cuh"

constexpr int N = 1 << 17, Days = 64;

struct Walk {
  uint32_t State;
  float Price = 100;

  /// Twelve uniform numbers make one that is nearly normal.
  __device__ float next() {
    float Sum = -6;
    for (int I = 0; I < 12; ++I) {
      State ^= State << 13, State ^= State >> 17, State ^= State << 5;
      Sum += (State >> 8) * (1.0f / (1 << 24));
    }
    Price *= __expf(0.0001f + 0.012f * Sum);
    return Price;
  }
};

__global__ void before(const uint32_t *Seeds, float *Paths) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Walk W{Seeds[I] + 1};
  for (int D = 0; D < Days; ++D)
    Paths[I * Days + D] = W.next();
}

__global__ void after(const uint32_t *Seeds, float *Paths) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Walk W{Seeds[I] + 1};
  for (int D = 0; D < Days; ++D)
    Paths[D * N + I] = W.next();
}

int main() {
  const uint32_t *Seeds = input<uint32_t>(N, 0x7fffffff);
  float *Expected = output<float>(N * Days), *Out = output<float>(N * Days);
  Pair P("asian-paths-step-major");
  P.same(Expected, Out, N * Days,
         [](size_t I) { return I % Days * N + I / Days; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Seeds, Expected);
    else
      after<<<N / 128, 128>>>(Seeds, Out);
}
