// Rule: cuda-memory-missing-reuse
// A boosted ensemble of 512 decisions, each about one of 16 features of a
// sample that the block keeps in shared memory: decisions from global memory,
// or, as advised, from tiles in shared memory, of which a thread brings one.
#include "../Pair.cuh"

constexpr int N = 1 << 17, Features = 16, Stumps = 512, Threads = 128;

struct alignas(16) Stump {
  int Feature;
  float Threshold, Below, Above;
};

__device__ void decide(const float *Samples, const Stump *Of, float *Scores) {
  __shared__ float Mine[Features][Threads];
  const int T = threadIdx.x, I = blockIdx.x * Threads + T;
  for (int F = 0; F < Features; ++F)
    Mine[F][T] = Samples[F * N + I];
  float Score = 0;
#pragma unroll 4
  for (int S = 0; S < Stumps; ++S)
    Score +=
        Mine[Of[S].Feature][T] < Of[S].Threshold ? Of[S].Below : Of[S].Above;
  Scores[I] = Score;
}

__global__ void before(const float *__restrict__ Samples,
                       const Stump *__restrict__ Ensemble,
                       float *__restrict__ Scores) {
  decide(Samples, Ensemble, Scores);
}

__global__ void after(const float *__restrict__ Samples,
                      const Stump *__restrict__ Ensemble,
                      float *__restrict__ Scores) {
  __shared__ float Mine[Features][Threads];
  __shared__ Stump Tile[Threads];
  const int T = threadIdx.x, I = blockIdx.x * Threads + T;
  for (int F = 0; F < Features; ++F)
    Mine[F][T] = Samples[F * N + I];
  float Score = 0;
  for (int First = 0; First < Stumps; First += Threads) {
    Tile[T] = Ensemble[First + T];
    __syncthreads();
#pragma unroll 4
    for (int S = 0; S < Threads; ++S)
      Score += Mine[Tile[S].Feature][T] < Tile[S].Threshold ? Tile[S].Below
                                                            : Tile[S].Above;
    __syncthreads();
  }
  Scores[I] = Score;
}

int main() {
  std::vector<Stump> Host(Stumps);
  for (int S = 0; S < Stumps; ++S)
    Host[S] = {int(mixed(S) % Features), mixed(S + 1000) / 4294967296.0f,
               mixed(S + 2000) / 4294967296.0f,
               mixed(S + 3000) / 4294967296.0f};
  const Stump *Ensemble = onDevice(Host);
  const float *Samples = input<float>(N * Features);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("boosted-stumps-constant-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Samples, Ensemble, Expected);
    else
      after<<<N / Threads, Threads>>>(Samples, Ensemble, Out);
}
