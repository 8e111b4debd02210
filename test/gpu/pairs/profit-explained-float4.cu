// Rule: cuda-memory-scalar-stream
// A day's profit of five million positions explained by their sensitivities
// and the moves of the market: seven arrays, a float or four at a time.
#include "Pair.cuh"

constexpr int N = 5000000;

__device__ float profit(float Delta, float Gamma, float Vega, float Theta,
                        float Move, float Volatility) {
  return Move * (Delta + 0.5f * Gamma * Move) + Vega * Volatility -
         Theta * (1 / 252.0f);
}

__global__ void before(const float *__restrict__ Delta,
                       const float *__restrict__ Gamma,
                       const float *__restrict__ Vega,
                       const float *__restrict__ Theta,
                       const float *__restrict__ Move,
                       const float *__restrict__ Volatility,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] =
        profit(Delta[I], Gamma[I], Vega[I], Theta[I], Move[I], Volatility[I]);
}

__global__ void after(const float4 *__restrict__ Delta,
                      const float4 *__restrict__ Gamma,
                      const float4 *__restrict__ Vega,
                      const float4 *__restrict__ Theta,
                      const float4 *__restrict__ Move,
                      const float4 *__restrict__ Volatility,
                      float4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N / 4)
    return;
  const float4 D = Delta[I], G = Gamma[I], V = Vega[I], T = Theta[I],
               M = Move[I], S = Volatility[I];
  Out[I] = make_float4(profit(D.x, G.x, V.x, T.x, M.x, S.x),
                       profit(D.y, G.y, V.y, T.y, M.y, S.y),
                       profit(D.z, G.z, V.z, T.z, M.z, S.z),
                       profit(D.w, G.w, V.w, T.w, M.w, S.w));
}

int main() {
  const float *In = input<float>(6 * N);
  const float4 *In4 = (const float4 *)In;
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("profit-explained-float4");
  P.same(Expected, Out, N);
  constexpr int Q = N / 4;
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>(In, In + N, In + 2 * N, In + 3 * N,
                                       In + 4 * N, In + 5 * N, Expected);
    else
      after<<<(Q + 255) / 256, 256>>>(In4, In4 + Q, In4 + 2 * Q, In4 + 3 * Q,
                                      In4 + 4 * Q, In4 + 5 * Q, (float4 *)Out);
}
