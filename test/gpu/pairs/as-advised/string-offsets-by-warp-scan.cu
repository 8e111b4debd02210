// Rule: cuda-memory-narrow-access
// Where each of 32 strings of a group begins, from their lengths: one lane of a
// group adds up. As advised, each thread handles two neighbouring lengths: it
// loads a ushort2 and stores an int2, and 16 lanes make a group.
#include "../Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const uint16_t *Lengths, int *Offsets) {
  __shared__ int Group[256];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Group[threadIdx.x] = Lengths[I];
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    int Sum = 0;
    for (int J = threadIdx.x; J < threadIdx.x + 32; ++J) {
      const int Length = Group[J];
      Group[J] = Sum;
      Sum += Length;
    }
  }
  __syncwarp();
  Offsets[I] = Group[threadIdx.x];
}

__global__ void after(const uint16_t *Lengths, int *Offsets) {
  __shared__ alignas(8) int Group[512];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const ushort2 Two = reinterpret_cast<const ushort2 *>(Lengths)[I];
  int2 *Mine = reinterpret_cast<int2 *>(Group) + threadIdx.x;
  *Mine = make_int2(Two.x, Two.y);
  __syncwarp();
  if (threadIdx.x % 16 == 0) {
    int Sum = 0;
    for (int J = 2 * threadIdx.x; J < 2 * threadIdx.x + 32; ++J) {
      const int Length = Group[J];
      Group[J] = Sum;
      Sum += Length;
    }
  }
  __syncwarp();
  reinterpret_cast<int2 *>(Offsets)[I] = *Mine;
}

int main() {
  const uint16_t *Lengths = input<uint16_t>(N, 1000);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("string-offsets-by-warp-scan-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Lengths, Expected);
    else
      after<<<N / 2 / 256, 256>>>(Lengths, Out);
}
