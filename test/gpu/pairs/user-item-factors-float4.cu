// Rule: cuda-memory-scalar-to-vector
// Ratings of pairs of a user and an item, products of two rows of 32 factors
// that lie anywhere: a factor at a time, or four.
// Options: --buffer=User=random,count=524288,below=200000
// Options: --buffer=Item=random,count=524288,below=50000
#include "Pair.cuh"

constexpr int N = 1 << 19, Factors = 32, Users = 200000, Items = 50000;

__global__ void before(const int *User, const int *Item, const float *OfUser,
                       const float *OfItem, float *Rating) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float *A = OfUser + User[I] * Factors;
  const float *B = OfItem + Item[I] * Factors;
  float Sum = 0;
#pragma unroll 8
  for (int F = 0; F < Factors; ++F)
    Sum += A[F] * B[F];
  Rating[I] = Sum;
}

__global__ void after(const int *User, const int *Item, const float4 *OfUser,
                      const float4 *OfItem, float *Rating) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 *A = OfUser + User[I] * (Factors / 4);
  const float4 *B = OfItem + Item[I] * (Factors / 4);
  float Sum = 0;
#pragma unroll
  for (int F = 0; F < Factors / 4; ++F) {
    const float4 V = A[F], W = B[F];
    Sum += V.x * W.x + V.y * W.y + V.z * W.z + V.w * W.w;
  }
  Rating[I] = Sum;
}

int main() {
  std::vector<int> Mine(N), Its(N);
  for (int I = 0; I < N; ++I) {
    Mine[I] = mixed(I) % Users;
    Its[I] = mixed(I + 10 * N) % Items;
  }
  const int *User = onDevice(Mine), *Item = onDevice(Its);
  const float *OfUser = input<float>(Users * Factors),
              *OfItem = input<float>(Items * Factors);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("user-item-factors-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(User, Item, OfUser, OfItem, Expected);
    else
      after<<<N / 256, 256>>>(User, Item, (const float4 *)OfUser,
                              (const float4 *)OfItem, Out);
}
