// Rule: cuda-memory-single-result
// A filter of 64 coefficients that all lanes read alike; as advised, a thread
// computes four results in a row, loads vectors of four elements, and keeps
// what the next results need in registers.
#include "../Pair.cuh"

constexpr int N = 1 << 22, Taps = 64;

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[T] * In[I + T];
  Out[I] = Sum;
}

__global__ void after(const float4 *In, const float4 *Table, float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Sum = make_float4(0, 0, 0, 0);
  float4 A = In[I];
#pragma unroll
  for (int T = 0; T < Taps / 4; ++T) {
    const float4 B = In[I + T + 1], C = Table[T];
    Sum.x += C.x * A.x;
    Sum.y += C.x * A.y;
    Sum.z += C.x * A.z;
    Sum.w += C.x * A.w;
    Sum.x += C.y * A.y;
    Sum.y += C.y * A.z;
    Sum.z += C.y * A.w;
    Sum.w += C.y * B.x;
    Sum.x += C.z * A.z;
    Sum.y += C.z * A.w;
    Sum.z += C.z * B.x;
    Sum.w += C.z * B.y;
    Sum.x += C.w * A.w;
    Sum.y += C.w * B.x;
    Sum.z += C.w * B.y;
    Sum.w += C.w * B.z;
    A = B;
  }
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(N + Taps), *Table = input<float>(Taps);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-candidate-filter-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Table, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, (const float4 *)Table,
                               (float4 *)Out);
}
