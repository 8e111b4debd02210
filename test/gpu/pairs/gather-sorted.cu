// Rule: cuda-memory-gather
// Values out of a table of 64 MB in random order, and in the order of the
// table.
#include "Pair.cuh"

constexpr int N = 1 << 22, Table = 1 << 24;

// Options: --buffer=Random=random,count=4194304,below=16777216
// Options: --buffer=Sorted=sorted,count=4194304,below=16777216
__global__ void before(const int *Random, const float *From, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * From[Random[I]];
}

__global__ void after(const int *Sorted, const float *From, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * From[Sorted[I]];
}

int main() {
  const float *From = input<float>(Table);
  std::vector<int> Sources(N), Order(N);
  for (int I = 0; I < N; ++I) {
    Sources[I] = int(mixed(I) % Table);
    Order[I] = I;
  }
  std::sort(Order.begin(), Order.end(),
            [&](int A, int B) { return Sources[A] < Sources[B]; });
  std::vector<int> Sorted(N), Place(N);
  for (int I = 0; I < N; ++I) {
    Sorted[I] = Sources[Order[I]];
    Place[Order[I]] = I;
  }
  const int *Random = onDevice(Sources), *Ascending = onDevice(Sorted);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gather-sorted");
  P.same(Expected, Out, N, [Place](size_t I) { return size_t(Place[I]); });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Random, From, Expected);
    else
      after<<<N / 256, 256>>>(Ascending, From, Out);
}
