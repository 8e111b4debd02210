// Rule: cuda-memory-atomic-contention
// What two experts made of each token, weighed and summed: each row of the
// experts' output is added to its token's row by atomics, or each token looks
// up where its two rows are.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Tokens = 8192, Chosen = 2, Rows = Tokens * Chosen, Experts = 16;
constexpr int Width = 1024;

__global__ void before(const half *__restrict__ Made,
                       const int *__restrict__ TokenOf,
                       const float *__restrict__ Gate, float *Out) {
  const int Row = blockIdx.x;
  const int Token = TokenOf[Row];
  const float Weight = Gate[Row];
  for (int I = threadIdx.x; I < Width; I += blockDim.x)
    atomicAdd(Out + Token * Width + I,
              Weight * __half2float(Made[Row * Width + I]));
}

__global__ void after(const half *__restrict__ Made,
                      const int *__restrict__ RowOf,
                      const float *__restrict__ Gate, float *Out) {
  const int Token = blockIdx.x;
  const int Row0 = RowOf[Chosen * Token], Row1 = RowOf[Chosen * Token + 1];
  const float Weight0 = Gate[Row0], Weight1 = Gate[Row1];
  for (int I = threadIdx.x; I < Width; I += blockDim.x)
    Out[Token * Width + I] = Weight0 * __half2float(Made[Row0 * Width + I]) +
                             Weight1 * __half2float(Made[Row1 * Width + I]);
}

int main() {
  std::vector<int> Token, Row(Rows);
  for (int Expert = 0; Expert < Experts; ++Expert)
    for (int T = 0; T < Tokens; ++T) {
      const int First = mixed(T) % Experts;
      const int Second = (First + 1 + mixed(Tokens + T) % (Experts - 1)) %
                         Experts;
      if (Expert != First && Expert != Second)
        continue;
      Row[Chosen * T + (Expert == Second)] = int(Token.size());
      Token.push_back(T);
    }
  const int *TokenOf = onDevice(Token), *RowOf = onDevice(Row);
  const half *Made = input<half>(Rows * Width, 16);
  const float *Gate = input<float>(Rows);
  float *Expected = output<float>(Tokens * Width),
        *Out = output<float>(Tokens * Width);
  Pair P("expert-outputs-gathered");
  P.same(Expected, Out, Tokens * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 256>>>(Made, TokenOf, Gate, Expected);
    else
      after<<<Tokens, 256>>>(Made, RowOf, Gate, Out);
}
