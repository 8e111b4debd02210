// Rule: cuda-memory-missing-reuse
// The product of two tall matrices of 128 columns at the places of a sparse
// band matrix: a warp for each place, which loads both rows, or a warp for each
// row of the first, which keeps it in registers for all its places.
#include "Pair.cuh"

constexpr int Rows = 1 << 14, Depth = 128, Band = 64;

__device__ float sumOfLanes(float Sum) {
#pragma unroll
  for (int Offset = 16; Offset > 0; Offset /= 2)
    Sum += __shfl_xor_sync(0xffffffff, Sum, Offset);
  return Sum;
}

__device__ float product(float4 A, float4 B) {
  return A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w;
}

__global__ void before(const int *__restrict__ Row,
                       const int *__restrict__ Column,
                       const float4 *__restrict__ A,
                       const float4 *__restrict__ B, float *__restrict__ Out,
                       int Places) {
  const int Lane = threadIdx.x % 32;
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (I >= Places)
    return;
  const float Sum =
      sumOfLanes(product(A[Row[I] * (Depth / 4) + Lane],
                         B[Column[I] * (Depth / 4) + Lane]));
  if (Lane == 0)
    Out[I] = Sum;
}

__global__ void after(const int *__restrict__ Offsets,
                      const int *__restrict__ Column,
                      const float4 *__restrict__ A,
                      const float4 *__restrict__ B, float *__restrict__ Out) {
  const int Lane = threadIdx.x % 32;
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const float4 Mine = A[Row * (Depth / 4) + Lane];
  const int End = Offsets[Row + 1];
  for (int I = Offsets[Row]; I < End; ++I) {
    const float Sum =
        sumOfLanes(product(Mine, B[Column[I] * (Depth / 4) + Lane]));
    if (Lane == 0)
      Out[I] = Sum;
  }
}

int main() {
  std::vector<int> Begin(1), Of, At;
  for (int R = 0; R < Rows; ++R) {
    for (unsigned Count = 16 + mixed(R) % 33; Count; --Count) {
      const int C = R - Band + int(mixed(Rows + At.size()) % (2 * Band + 1));
      Of.push_back(R);
      At.push_back(std::clamp(C, 0, Rows - 1));
    }
    Begin.push_back(int(At.size()));
  }
  const int Places = int(At.size());
  const int *Offsets = onDevice(Begin), *Row = onDevice(Of),
            *Column = onDevice(At);
  const float4 *A = (const float4 *)input<float>(2 * Rows * Depth),
               *B = A + Rows * Depth / 4;
  float *Expected = output<float>(Places), *Out = output<float>(Places);
  Pair P("sampled-product-row-kept");
  P.same(Expected, Out, Places);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Places + 7) / 8, 256>>>(Row, Column, A, B, Expected, Places);
    else
      after<<<Rows / 8, 256>>>(Offsets, Column, A, B, Out);
}
