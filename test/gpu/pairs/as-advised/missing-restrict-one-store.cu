// Rule: cuda-memory-scalar-stream
// Products of the elements of two arrays: a thread has one element, or, as
// advised, four neighbouring ones as one float4.
#include "../Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const float *A, const float *B, float *C) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  C[I] = A[I] * B[I];
}

__global__ void after(const float *A, const float *B, float *C) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 A4 = reinterpret_cast<const float4 *>(A)[I];
  const float4 B4 = reinterpret_cast<const float4 *>(B)[I];
  reinterpret_cast<float4 *>(C)[I] =
      make_float4(A4.x * B4.x, A4.y * B4.y, A4.z * B4.z, A4.w * B4.w);
}

int main() {
  const float *A = input<float>(N), *B = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("missing-restrict-one-store-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(A, B, Expected);
    else
      after<<<N / 256 / 4, 256>>>(A, B, Out);
}
