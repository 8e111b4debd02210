// Rule: cuda-memory-atomic-contention
// Histograms of 28 features for boosted trees: in shared memory the sums of the
// quantised gradient and of the hessian of a bin are two words, or halves of
// one word that a single atomic adds to.
#include "Pair.cuh"

constexpr int Rows = 1 << 20, Features = 28, Bins = 64, Threads = 256;
constexpr int Chunk = 8192;

__global__ void before(const unsigned char *__restrict__ Bin,
                       const char2 *__restrict__ Slope, int *Sums) {
  __shared__ int Gradient[Bins], Hessian[Bins];
  if (threadIdx.x < Bins)
    Gradient[threadIdx.x] = Hessian[threadIdx.x] = 0;
  __syncthreads();
  const int Feature = blockIdx.y, First = blockIdx.x * Chunk;
  for (int I = First + threadIdx.x; I < First + Chunk; I += Threads) {
    const int B = Bin[Feature * Rows + I];
    const char2 S = Slope[I];
    atomicAdd(&Gradient[B], S.x);
    atomicAdd(&Hessian[B], S.y);
  }
  __syncthreads();
  if (threadIdx.x < Bins) {
    int *Sum = Sums + (Feature * Bins + threadIdx.x) * 2;
    atomicAdd(Sum, Gradient[threadIdx.x]);
    atomicAdd(Sum + 1, Hessian[threadIdx.x]);
  }
}

__global__ void after(const unsigned char *__restrict__ Bin,
                      const char2 *__restrict__ Slope, int *Sums) {
  // A hessian is not negative, and those of a chunk add up to less than 65536.
  __shared__ int Both[Bins];
  if (threadIdx.x < Bins)
    Both[threadIdx.x] = 0;
  __syncthreads();
  const int Feature = blockIdx.y, First = blockIdx.x * Chunk;
  for (int I = First + threadIdx.x; I < First + Chunk; I += Threads) {
    const int B = Bin[Feature * Rows + I];
    const char2 S = Slope[I];
    atomicAdd(&Both[B], S.x * 65536 + S.y);
  }
  __syncthreads();
  if (threadIdx.x < Bins) {
    int *Sum = Sums + (Feature * Bins + threadIdx.x) * 2;
    atomicAdd(Sum, Both[threadIdx.x] >> 16);
    atomicAdd(Sum + 1, Both[threadIdx.x] & 65535);
  }
}

int main() {
  std::vector<char2> Slopes(Rows);
  for (int I = 0; I < Rows; ++I)
    Slopes[I] = make_char2(int(mixed(I) % 5) - 2, mixed(Rows + I) % 5);
  const char2 *Slope = onDevice(Slopes);
  const unsigned char *Bin = input<unsigned char>(Features * Rows, Bins);
  int *Expected = output<int>(Features * Bins * 2),
      *Out = output<int>(Features * Bins * 2);
  Pair P("boosting-histogram-packed-pair");
  P.same(Expected, Out, Features * Bins * 2);
  const dim3 Grid(Rows / Chunk, Features);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Threads>>>(Bin, Slope, Expected);
    else
      after<<<Grid, Threads>>>(Bin, Slope, Out);
}
