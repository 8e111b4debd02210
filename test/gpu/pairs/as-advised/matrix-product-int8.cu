// Rule: cuda-memory-single-result
// A product of matrices of bytes, four of a row at a time, from global memory;
// as advised, a thread computes eight results in a row along y, and uses what
// it loads of B for all of them.
#include "../Pair.cuh"

constexpr int N = 1024, Words = N / 4;

__global__ void before(const int *A, const int *B, int *C) {
  const int X = blockIdx.x * 16 + threadIdx.x;
  const int Y = blockIdx.y * 16 + threadIdx.y;
  int Sum = 0;
  for (int K = 0; K < Words; ++K)
    Sum = __dp4a(A[Y * Words + K], B[K * N + X], Sum);
  C[Y * N + X] = Sum;
}

constexpr int Results = 8;

__global__ void after(const int4 *A, const int *B, int *C) {
  const int X = blockIdx.x * 16 + threadIdx.x;
  const int Y = (blockIdx.y * 16 + threadIdx.y) * Results;
  int Sum[Results] = {};
  for (int K = 0; K < Words / 4; ++K) {
    const int *Column = B + 4 * K * N + X;
    const int B0 = Column[0], B1 = Column[N], B2 = Column[2 * N],
              B3 = Column[3 * N];
#pragma unroll
    for (int R = 0; R < Results; ++R) {
      const int4 Row = A[(Y + R) * (Words / 4) + K];
      Sum[R] = __dp4a(Row.x, B0, Sum[R]);
      Sum[R] = __dp4a(Row.y, B1, Sum[R]);
      Sum[R] = __dp4a(Row.z, B2, Sum[R]);
      Sum[R] = __dp4a(Row.w, B3, Sum[R]);
    }
  }
#pragma unroll
  for (int R = 0; R < Results; ++R)
    C[(Y + R) * N + X] = Sum[R];
}

int main() {
  // A word of B holds four rows of a column.
  const int *A = input<int>(N * Words, 0x7fffffff),
            *B = input<int>(N * Words, 0x7fffffff);
  int *Expected = output<int>(N * N), *Out = output<int>(N * N);
  Pair P("matrix-product-int8-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Expected);
    else
      after<<<dim3(N / 16, N / 16 / Results), dim3(16, 16)>>>((const int4 *)A,
                                                              B, Out);
}
