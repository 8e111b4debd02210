// Rule: cuda-memory-scalar-stream
// Black-Scholes price, delta and vega of European calls from arrays of spot,
// strike and expiry: an option a thread, or four with float4 loads and stores.
// "Increase performance with vectorised memory access", as blogs advise for
// every elementwise kernel; here there is much arithmetic too.
#include "Pair.cuh"

constexpr int N = 1 << 22, Block = 128;

struct Greeks {
  float Price, Delta, Vega;
};

__device__ Greeks call(float Spot, float Strike, float Years, float Rate,
                       float Volatility) {
  Spot = 80 + 40 * Spot;
  Strike = 80 + 40 * Strike;
  Years = 0.1f + 2 * Years;
  const float Root = sqrtf(Years);
  const float D1 =
      (logf(Spot / Strike) + (Rate + 0.5f * Volatility * Volatility) * Years) /
      (Volatility * Root);
  const float D2 = D1 - Volatility * Root;
  const float Discount = expf(-Rate * Years);
  Greeks G;
  G.Delta = normcdff(D1);
  G.Price = Spot * G.Delta - Strike * Discount * normcdff(D2);
  G.Vega = Spot * Root * 0.3989423f * expf(-0.5f * D1 * D1);
  return G;
}

__global__ void before(const float *__restrict__ Spot,
                       const float *__restrict__ Strike,
                       const float *__restrict__ Years,
                       float *__restrict__ Price, float *__restrict__ Delta,
                       float *__restrict__ Vega, float Rate, float Volatility) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const Greeks G = call(Spot[I], Strike[I], Years[I], Rate, Volatility);
  Price[I] = G.Price;
  Delta[I] = G.Delta;
  Vega[I] = G.Vega;
}

__global__ void after(const float4 *__restrict__ Spot,
                      const float4 *__restrict__ Strike,
                      const float4 *__restrict__ Years,
                      float4 *__restrict__ Price, float4 *__restrict__ Delta,
                      float4 *__restrict__ Vega, float Rate, float Volatility) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float4 S = Spot[I], K = Strike[I], Y = Years[I];
  const Greeks A = call(S.x, K.x, Y.x, Rate, Volatility),
               B = call(S.y, K.y, Y.y, Rate, Volatility),
               C = call(S.z, K.z, Y.z, Rate, Volatility),
               D = call(S.w, K.w, Y.w, Rate, Volatility);
  Price[I] = make_float4(A.Price, B.Price, C.Price, D.Price);
  Delta[I] = make_float4(A.Delta, B.Delta, C.Delta, D.Delta);
  Vega[I] = make_float4(A.Vega, B.Vega, C.Vega, D.Vega);
}

int main() {
  const float *In = input<float>(3 * N);
  const float4 *In4 = reinterpret_cast<const float4 *>(In);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  float4 *Out4 = reinterpret_cast<float4 *>(Out);
  Pair P("option-greeks-float4");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(In, In + N, In + 2 * N, Expected,
                                   Expected + N, Expected + 2 * N, 0.02f, 0.3f);
    else
      after<<<N / 4 / Block, Block>>>(In4, In4 + N / 4, In4 + N / 2, Out4,
                                      Out4 + N / 4, Out4 + N / 2, 0.02f, 0.3f);
}
