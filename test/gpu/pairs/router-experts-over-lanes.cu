// Rule: ?
// The two best of 64 experts for each token, with their share in the softmax: a
// thread walks the scores of its token, or a warp has two of them in each lane
// and merges by shuffles.
#include "Pair.cuh"

constexpr int Tokens = 65536, Experts = 64;

__global__ void before(const float *__restrict__ Score, float *Share,
                       int *Chosen) {
  const int Token = blockIdx.x * 128 + threadIdx.x;
  const float *Mine = Score + Token * Experts;
  float Best = -1e30f, Second = -1e30f, Sum = 0;
  int BestAt = 0, SecondAt = 0;
  for (int Expert = 0; Expert < Experts; ++Expert) {
    const float Value = Mine[Expert];
    if (Value > Best) {
      Second = Best;
      SecondAt = BestAt;
      Best = Value;
      BestAt = Expert;
    } else if (Value > Second) {
      Second = Value;
      SecondAt = Expert;
    }
  }
  for (int Expert = 0; Expert < Experts; ++Expert)
    Sum += __expf(Mine[Expert] - Best);
  Share[2 * Token] = 1 / Sum;
  Share[2 * Token + 1] = __expf(Second - Best) / Sum;
  Chosen[2 * Token] = BestAt;
  Chosen[2 * Token + 1] = SecondAt;
}

__device__ bool beats(float Value, int At, float Other, int OtherAt) {
  return Value > Other || (Value == Other && At < OtherAt);
}

__global__ void after(const float *__restrict__ Score, float *Share,
                      int *Chosen) {
  const int Token = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  const float Low = Score[Token * Experts + Lane],
              High = Score[Token * Experts + Lane + 32];
  const bool HighFirst = High > Low;
  float Best = HighFirst ? High : Low, Second = HighFirst ? Low : High;
  int BestAt = HighFirst ? Lane + 32 : Lane,
      SecondAt = HighFirst ? Lane : Lane + 32;
  for (int Half = 16; Half; Half /= 2) {
    const float Other = __shfl_xor_sync(~0u, Best, Half),
                OtherSecond = __shfl_xor_sync(~0u, Second, Half);
    const int OtherAt = __shfl_xor_sync(~0u, BestAt, Half),
              OtherSecondAt = __shfl_xor_sync(~0u, SecondAt, Half);
    if (beats(Other, OtherAt, Best, BestAt)) {
      const bool Kept = beats(Best, BestAt, OtherSecond, OtherSecondAt);
      Second = Kept ? Best : OtherSecond;
      SecondAt = Kept ? BestAt : OtherSecondAt;
      Best = Other;
      BestAt = OtherAt;
    } else if (beats(Other, OtherAt, Second, SecondAt)) {
      Second = Other;
      SecondAt = OtherAt;
    }
  }
  float Sum = __expf(Low - Best) + __expf(High - Best);
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Half);
  if (Lane < 2) {
    Share[2 * Token + Lane] = (Lane ? __expf(Second - Best) : 1.0f) / Sum;
    Chosen[2 * Token + Lane] = Lane ? SecondAt : BestAt;
  }
}

int main() {
  const float *Score = input<float>(Tokens * Experts);
  float *Expected = output<float>(2 * Tokens), *Out = output<float>(2 * Tokens);
  int *ExpectedChosen = output<int>(2 * Tokens),
      *OutChosen = output<int>(2 * Tokens);
  Pair P("router-experts-over-lanes");
  P.same(Expected, Out, 2 * Tokens);
  P.same(ExpectedChosen, OutChosen, 2 * Tokens);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tokens / 128, 128>>>(Score, Expected, ExpectedChosen);
    else
      after<<<Tokens / 8, 256>>>(Score, Out, OutChosen);
}
