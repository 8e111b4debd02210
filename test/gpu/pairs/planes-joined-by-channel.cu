// Rule: cuda-memory-missing-restrict
// The channels of two stacks of images put behind each other, image by image: a
// thread goes through all images for one place, and each of its loads waits for
// the store before it; or declared not to overlap, with four under way.
#include "Pair.cuh"

constexpr int Images = 64, Area = 384, ChannelsA = 192, ChannelsB = 64;
constexpr int PerA = ChannelsA * Area, PerB = ChannelsB * Area;

__global__ void before(const float *A, const float *B, float *Out, int BlocksA,
                       int Count) {
  const bool IsFirst = blockIdx.x < BlocksA;
  const int Block = IsFirst ? blockIdx.x : blockIdx.x - BlocksA;
  const int At = Block * blockDim.x + threadIdx.x;
  if (IsFirst) {
    if (At < PerA)
      for (int N = 0; N < Count; ++N)
        Out[N * (PerA + PerB) + At] = A[N * PerA + At];
  } else if (At < PerB) {
    for (int N = 0; N < Count; ++N)
      Out[N * (PerA + PerB) + PerA + At] = B[N * PerB + At];
  }
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ Out, int BlocksA, int Count) {
  const bool IsFirst = blockIdx.x < BlocksA;
  const int Block = IsFirst ? blockIdx.x : blockIdx.x - BlocksA;
  const int At = Block * blockDim.x + threadIdx.x;
  if (IsFirst) {
    if (At < PerA)
      for (int N = 0; N < Count; ++N)
        Out[N * (PerA + PerB) + At] = A[N * PerA + At];
  } else if (At < PerB) {
    for (int N = 0; N < Count; ++N)
      Out[N * (PerA + PerB) + PerA + At] = B[N * PerB + At];
  }
}

int main() {
  const size_t All = size_t(Images) * (PerA + PerB);
  const float *A = input<float>(size_t(Images) * PerA);
  const float *B = input<float>(size_t(Images) * PerB);
  float *Expected = output<float>(All), *Out = output<float>(All);
  constexpr int BlocksA = PerA / 512, BlocksB = PerB / 512;
  Pair P("planes-joined-by-channel");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<BlocksA + BlocksB, 512>>>(A, B, Expected, BlocksA, Images);
    else
      after<<<BlocksA + BlocksB, 512>>>(A, B, Out, BlocksA, Images);
}
