// Rows that data choose, each of which a lane goes along by itself and adds up:
// found whether the data are known or not, and not where lanes share them.
//
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --profile=nvidia-h200 \
// RUN:   %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 20, Factors = 64, Lanes = 8;
__device__ float OfUser[200000 * Factors], OfItem[50000 * Factors];

__global__ void alone(const int *User, const int *Item, float *Rating) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float *A = OfUser + User[I] * Factors, *B = OfItem + Item[I] * Factors;
  float Sum = 0;
  for (int F = 0; F < Factors; ++F)
    // CHECK: [[@LINE+2]]:{{.*}}: warning: data lead each lane to a row of '{{OfUser|OfItem}}', along which it goes by itself: 32 sectors per request (4 where 8 lanes share each row); about {{[0-9.]+}}x faster
    // CHECK: note: let 8 lanes go along each row of '{{OfUser|OfItem}}' side by side, and put together what they have found by __shfl_down_sync; the same at
    Sum += A[F] * B[F];
  Rating[I] = Sum;
}

__global__ void together(const int *User, const int *Item, float *Rating) {
  const int I = (blockIdx.x * 256 + threadIdx.x) / Lanes, Lane = threadIdx.x % Lanes;
  const float *A = OfUser + User[I] * Factors, *B = OfItem + Item[I] * Factors;
  float Sum = 0;
  for (int F = Lane; F < Factors; F += Lanes)
    Sum += A[F] * B[F];
  for (int Step = Lanes / 2; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step, Lanes);
  if (Lane == 0)
    Rating[I] = Sum;
}

// What one round finds the next one needs.
__global__ void carried(const int *User, float *Rating) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float *A = OfUser + User[I] * Factors;
  float Value = 0;
  for (int F = 0; F < Factors; ++F)
    Value = Value * Value + A[F];
  Rating[I] = Value;
}

// Rows of three.
__global__ void shortRows(const int *User, float *Rating) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float *A = OfUser + User[I] * Factors;
  float Sum = 0;
#pragma unroll 1
  for (int F = 0; F < 3; ++F)
    Sum += A[F];
  Rating[I] = Sum;
}

void launch(const int *User, const int *Item, float *Rating) {
  alone<<<N / 256, 256>>>(User, Item, Rating);
  together<<<N * Lanes / 256, 256>>>(User, Item, Rating);
  carried<<<N / 256, 256>>>(User, Rating);
  shortRows<<<N / 256, 256>>>(User, Rating);
}
// CHECK: note: 1 warning in 4 kernels
