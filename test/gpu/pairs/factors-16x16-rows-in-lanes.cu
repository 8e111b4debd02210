// Rule: ?
// LU of many matrices of 16x16: a block of 256 threads for each, in shared
// memory with two barriers a step, or sixteen lanes, each with a row in
// registers, which get the row of the pivot by shuffles.
#include "Pair.cuh"

constexpr int Matrices = 16384, Side = 16;

__global__ void before(const float *__restrict__ In, float *Out) {
  __shared__ float Tile[Side][Side + 1];
  const int Row = threadIdx.y, Column = threadIdx.x;
  const int At = blockIdx.x * Side * Side + Row * Side + Column;
  Tile[Row][Column] = In[At] + (Row == Column ? Side : 0);
  __syncthreads();
  for (int Step = 0; Step < Side - 1; ++Step) {
    if (Column == Step && Row > Step)
      Tile[Row][Step] /= Tile[Step][Step];
    __syncthreads();
    if (Row > Step && Column > Step)
      Tile[Row][Column] -= Tile[Row][Step] * Tile[Step][Column];
    __syncthreads();
  }
  Out[At] = Tile[Row][Column];
}

__global__ void after(const float4 *__restrict__ In, float4 *Out) {
  const int Lane = threadIdx.x % Side;
  const int First = (blockIdx.x * 256 + threadIdx.x) * (Side / 4);
  float Row[Side];
#pragma unroll
  for (int I = 0; I < Side / 4; ++I) {
    const float4 Four = In[First + I];
    Row[4 * I] = Four.x;
    Row[4 * I + 1] = Four.y;
    Row[4 * I + 2] = Four.z;
    Row[4 * I + 3] = Four.w;
  }
#pragma unroll
  for (int I = 0; I < Side; ++I)
    Row[I] += I == Lane ? Side : 0;
#pragma unroll
  for (int Step = 0; Step < Side - 1; ++Step) {
    const float Pivot = __shfl_sync(~0u, Row[Step], Step, Side);
    const float Factor = Lane > Step ? Row[Step] / Pivot : 0;
    if (Lane > Step)
      Row[Step] = Factor;
#pragma unroll
    for (int I = Step + 1; I < Side; ++I)
      Row[I] -= Factor * __shfl_sync(~0u, Row[I], Step, Side);
  }
#pragma unroll
  for (int I = 0; I < Side / 4; ++I)
    Out[First + I] = {Row[4 * I], Row[4 * I + 1], Row[4 * I + 2],
                      Row[4 * I + 3]};
}

int main() {
  constexpr int N = Matrices * Side * Side;
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("factors-16x16-rows-in-lanes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Matrices, dim3(Side, Side)>>>(In, Expected);
    else
      after<<<Matrices * Side / 256, 256>>>((const float4 *)In, (float4 *)Out);
}
