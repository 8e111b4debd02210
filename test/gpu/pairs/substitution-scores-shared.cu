// Rule: cuda-memory-constant-nonuniform
// A protein of 32 residues is held against each place of a database: scores of
// two residues are in constant memory, where lanes ask for different ones, or
// in shared memory.
// Options: --buffer=Query=random,count=32,below=24
// Options: --buffer=Base=random,count=1048608,below=24
#include "Pair.cuh"

constexpr int N = 1 << 20, Long = 32, Kinds = 24;

__constant__ signed char Scores[Kinds * Kinds];

__global__ void before(const unsigned char *Query, const unsigned char *Base,
                       int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Sum = 0, Best = 0;
  for (int J = 0; J < Long; ++J) {
    Sum = max(Sum + Scores[Query[J] * Kinds + Base[I + J]], 0);
    Best = max(Best, Sum);
  }
  Out[I] = Best;
}

__global__ void after(const signed char *Table, const unsigned char *Query,
                      const unsigned char *Base, int *Out) {
  __shared__ signed char Near[Kinds * Kinds];
  for (int T = threadIdx.x; T < Kinds * Kinds; T += blockDim.x)
    Near[T] = Table[T];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Sum = 0, Best = 0;
  for (int J = 0; J < Long; ++J) {
    Sum = max(Sum + Near[Query[J] * Kinds + Base[I + J]], 0);
    Best = max(Best, Sum);
  }
  Out[I] = Best;
}

int main() {
  std::vector<signed char> Values(Kinds * Kinds);
  for (int I = 0; I < Kinds * Kinds; ++I)
    Values[I] = I % (Kinds + 1) ? int(mixed(I) % 6) - 4 : 5;
  const signed char *Table = onDevice(Values);
  must(cudaMemcpyToSymbol(Scores, Values.data(), sizeof(Scores)));
  const unsigned char *Base = input<unsigned char>(N + Long, Kinds),
                      *Query = Base + 4096;
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("substitution-scores-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Query, Base, Expected);
    else
      after<<<N / 256, 256>>>(Table, Query, Base, Out);
}
