// Rule: cuda-memory-gather
// Ratings of pairs of a user and an item, products of two rows of 32 factors
// that lie anywhere: a lane goes along its rows by itself, or, as advised, eight
// lanes go along each row together.
// Options: --buffer=User=random,count=524288,below=200000
// Options: --buffer=Item=random,count=524288,below=50000
#include "../Pair.cuh"

constexpr int N = 1 << 19, Factors = 32, Users = 200000, Items = 50000,
              Lanes = 8;

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

__global__ void after(const int *User, const int *Item, const float *OfUser,
                      const float *OfItem, float *Rating) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  const int I = T / Lanes, Lane = T % Lanes;
  const float *A = OfUser + User[I] * Factors;
  const float *B = OfItem + Item[I] * Factors;
  float Sum = 0;
#pragma unroll
  for (int F = Lane; F < Factors; F += Lanes)
    Sum += A[F] * B[F];
#pragma unroll
  for (int Step = Lanes / 2; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step, Lanes);
  if (Lane == 0)
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
  Pair P("user-item-factors-float4-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(User, Item, OfUser, OfItem, Expected);
    else
      after<<<N * Lanes / 256, 256>>>(User, Item, OfUser, OfItem, Out);
}
