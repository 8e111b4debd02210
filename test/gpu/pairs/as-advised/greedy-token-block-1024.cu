// Rule: cuda-memory-narrow-access
// Greedy decoding: for each of 192 sequences the likeliest of 32000 tokens,
// after a penalty for those already said: a thread takes a token at a time, or,
// as advised, four neighbouring ones as one uchar4 and one float4.
#include "../Pair.cuh"

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

__device__ void compare(float Logit, unsigned char Said, float Penalty, int T,
                        float &Best, int &Place) {
  const float Value = Logit - (Said == 0 ? Penalty : 0.0f);
  if (Value > Best) {
    Best = Value;
    Place = T;
  }
}

__global__ void after(const float *__restrict__ Logits,
                      const unsigned char *__restrict__ Said,
                      int *__restrict__ Token, float Penalty) {
  constexpr int Block = 128;
  __shared__ float BestOfWarps[4];
  __shared__ int PlaceOfWarps[4];
  // A sequence begins at a multiple of 4 tokens.
  const size_t Start = size_t(blockIdx.x) * Tokens;
  const float4 *Logits4 = reinterpret_cast<const float4 *>(Logits + Start);
  const uchar4 *Said4 = reinterpret_cast<const uchar4 *>(Said + Start);
  float Best = -1e30f;
  int Place = Tokens;
  for (int Q = threadIdx.x; Q < Tokens / 4; Q += Block) {
    const float4 L = Logits4[Q];
    const uchar4 S = Said4[Q];
    compare(L.x, S.x, Penalty, 4 * Q, Best, Place);
    compare(L.y, S.y, Penalty, 4 * Q + 1, Best, Place);
    compare(L.z, S.z, Penalty, 4 * Q + 2, Best, Place);
    compare(L.w, S.w, Penalty, 4 * Q + 3, Best, Place);
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

int main() {
  const float *Logits = input<float>(size_t(Sequences) * Tokens);
  const unsigned char *Said =
      input<unsigned char>(size_t(Sequences) * Tokens, 3);
  int *Expected = output<int>(Sequences), *Out = output<int>(Sequences);
  Pair P("greedy-token-block-1024-as-advised");
  P.same(Expected, Out, Sequences);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sequences, 128>>>(Logits, Said, Expected, 0.25f);
    else
      after<<<Sequences, 128>>>(Logits, Said, Out, 0.25f);
}
