// Rule: cuda-memory-uncoalesced-access
// Results written where a permutation says, or read from where its inverse
// says.
#include "Pair.cuh"

constexpr int N = 1 << 22;

// Options: --buffer=To=random,count=4194304,below=4194304
// Options: --buffer=From=random,count=4194304,below=4194304
__global__ void before(const int *To, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[To[I]] = In[I];
}

__global__ void after(const int *From, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[From[I]];
}

int main() {
  std::vector<int> To(N), From(N);
  for (int I = 0; I < N; ++I)
    To[I] = I;
  for (int I = N - 1; I > 0; --I)
    std::swap(To[I], To[mixed(I) % (I + 1)]);
  for (int I = 0; I < N; ++I)
    From[To[I]] = I;
  const int *Forward = onDevice(To), *Backward = onDevice(From);
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("scatter-by-permutation");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Forward, In, Expected);
    else
      after<<<N / 256, 256>>>(Backward, In, Out);
}
