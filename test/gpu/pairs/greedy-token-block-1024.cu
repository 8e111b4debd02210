// Rule: cuda-memory-small-block
// Greedy decoding: for each of 192 sequences the likeliest of 32000 tokens,
// after a penalty for those already said. A block of 128 threads a sequence
// leaves most of the multiprocessor empty; 1024 threads keep more loads in
// flight. Occupancy advice of the CUDA best practices guide.
#include "Pair.cuh"

constexpr int Sequences = 192, Tokens = 32000;

template <int Block>
__device__ void likeliest(const float *__restrict__ Logits,
                          const unsigned char *__restrict__ Said,
                          int *__restrict__ Token, float Penalty,
                          float *BestOfWarps, int *PlaceOfWarps) {
  const size_t Start = size_t(blockIdx.x) * Tokens;
  float Best = -1e30f;
  int Place = Tokens;
  for (int T = threadIdx.x; T < Tokens; T += Block) {
    const float Value =
        Logits[Start + T] - (Said[Start + T] == 0 ? Penalty : 0.0f);
    if (Value > Best) {
      Best = Value;
      Place = T;
    }
  }
  for (int Level = 0; Level < 2; ++Level) {
    for (int Off = 16; Off > 0; Off /= 2) {
      const float Other = __shfl_down_sync(~0u, Best, Off);
      const int There = __shfl_down_sync(~0u, Place, Off);
      if (Other > Best || (Other == Best && There < Place)) {
        Best = Other;
        Place = There;
      }
    }
    if (Level == 1)
      break;
    if (threadIdx.x % 32 == 0) {
      BestOfWarps[threadIdx.x / 32] = Best;
      PlaceOfWarps[threadIdx.x / 32] = Place;
    }
    __syncthreads();
    if (threadIdx.x >= 32)
      return;
    const bool Mine = threadIdx.x < Block / 32;
    Best = Mine ? BestOfWarps[threadIdx.x] : -1e30f;
    Place = Mine ? PlaceOfWarps[threadIdx.x] : Tokens;
  }
  if (threadIdx.x == 0)
    Token[blockIdx.x] = Place;
}

__global__ void before(const float *__restrict__ Logits,
                       const unsigned char *__restrict__ Said,
                       int *__restrict__ Token, float Penalty) {
  __shared__ float Best[4];
  __shared__ int Place[4];
  likeliest<128>(Logits, Said, Token, Penalty, Best, Place);
}

__global__ void after(const float *__restrict__ Logits,
                      const unsigned char *__restrict__ Said,
                      int *__restrict__ Token, float Penalty) {
  __shared__ float Best[32];
  __shared__ int Place[32];
  likeliest<1024>(Logits, Said, Token, Penalty, Best, Place);
}

int main() {
  const float *Logits = input<float>(size_t(Sequences) * Tokens);
  const unsigned char *Said =
      input<unsigned char>(size_t(Sequences) * Tokens, 3);
  int *Expected = output<int>(Sequences), *Out = output<int>(Sequences);
  Pair P("greedy-token-block-1024");
  P.same(Expected, Out, Sequences);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sequences, 128>>>(Logits, Said, Expected, 0.25f);
    else
      after<<<Sequences, 1024>>>(Logits, Said, Out, 0.25f);
}
