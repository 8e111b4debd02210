// Rule: cuda-memory-uncoalesced-access
// Likelihoods of the four bases at an inner node of a tree of species, from
// those of its two children, for a million sites: four doubles a site, read and
// written one by one or by twos.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__constant__ double ToLeft[4][4], ToRight[4][4];

__device__ __forceinline__ double along(const double (&To)[4], double A,
                                        double C, double G, double T) {
  return To[0] * A + To[1] * C + To[2] * G + To[3] * T;
}

__global__ void before(const double *__restrict__ Left,
                       const double *__restrict__ Right,
                       double *__restrict__ Node) {
  const int I = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const double A = Left[I], C = Left[I + 1], G = Left[I + 2], T = Left[I + 3];
  const double B = Right[I], D = Right[I + 1], H = Right[I + 2],
               U = Right[I + 3];
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Node[I + K] = along(ToLeft[K], A, C, G, T) * along(ToRight[K], B, D, H, U);
}

__global__ void after(const double2 *__restrict__ Left,
                      const double2 *__restrict__ Right,
                      double2 *__restrict__ Node) {
  const int I = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const double2 L = Left[I], M = Left[I + 1], R = Right[I], S = Right[I + 1];
  double Result[4];
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Result[K] = along(ToLeft[K], L.x, L.y, M.x, M.y) *
                along(ToRight[K], R.x, R.y, S.x, S.y);
  Node[I] = {Result[0], Result[1]};
  Node[I + 1] = {Result[2], Result[3]};
}

int main() {
  const double *Left = input<double>(4 * N), *Right = input<double>(4 * N);
  must(cudaMemcpyToSymbol(ToLeft, Left, sizeof(ToLeft), 0,
                          cudaMemcpyDeviceToDevice));
  must(cudaMemcpyToSymbol(ToRight, Right + 16, sizeof(ToRight), 0,
                          cudaMemcpyDeviceToDevice));
  double *Expected = output<double>(4 * N), *Out = output<double>(4 * N);
  Pair P("clade-likelihoods-double2");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Left, Right, Expected);
    else
      after<<<N / 256, 256>>>((const double2 *)Left, (const double2 *)Right,
                              (double2 *)Out);
}
