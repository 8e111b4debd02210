// Rule: cuda-memory-narrow-access
// Scores of 24 heads are scaled and masked; the mask, which all heads share,
// is a float for each pair of tokens (0 or -10000) or a byte.
#include "Pair.cuh"

constexpr int Heads = 24, Length = 1024;
constexpr float Scale = 0.088388348f, Forbidden = -10000;

__global__ void before(const float *__restrict__ Scores,
                       const float *__restrict__ Mask,
                       float *__restrict__ Out) {
  const int Key = blockIdx.x * blockDim.x + threadIdx.x;
  const int Query = blockIdx.y * blockDim.y + threadIdx.y;
  const int At = Query * Length + Key;
  const size_t I = size_t(blockIdx.z) * Length * Length + At;
  Out[I] = Scores[I] * Scale + Mask[At];
}

__global__ void after(const float *__restrict__ Scores,
                      const unsigned char *__restrict__ Mask,
                      float *__restrict__ Out) {
  const int Key = blockIdx.x * blockDim.x + threadIdx.x;
  const int Query = blockIdx.y * blockDim.y + threadIdx.y;
  const int At = Query * Length + Key;
  const size_t I = size_t(blockIdx.z) * Length * Length + At;
  Out[I] = Scores[I] * Scale + (Mask[At] ? Forbidden : 0.f);
}

int main() {
  const size_t N = size_t(Heads) * Length * Length;
  const float *Scores = input<float>(N);
  // Causal, and no look across the borders of packed documents.
  std::vector<float> Terms(Length * Length);
  std::vector<unsigned char> Flags(Length * Length);
  for (int Q = 0; Q < Length; ++Q)
    for (int K = 0; K < Length; ++K) {
      Flags[Q * Length + K] = K > Q || K / 300 != Q / 300;
      Terms[Q * Length + K] = Flags[Q * Length + K] ? Forbidden : 0.f;
    }
  const float *Floats = onDevice(Terms);
  const unsigned char *Bytes = onDevice(Flags);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("attention-mask-in-bytes");
  P.same(Expected, Out, N);
  const dim3 Block(64, 4), Grid(Length / 64, Length / 4, Heads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Scores, Floats, Expected);
    else
      after<<<Grid, Block>>>(Scores, Bytes, Out);
}
