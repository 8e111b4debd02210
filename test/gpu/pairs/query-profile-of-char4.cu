// Rule: cuda-memory-narrow-access
// Smith-Waterman scores of 131072 proteins against a query of 32 residues, a
// thread for each protein: scores of the query profile are loaded singly or by
// four.
#include "Pair.cuh"

constexpr int N = 1 << 17, Length = 128, Query = 32, Letters = 24;
constexpr int Open = 10, Extend = 1;

struct Cells {
  int H[Query] = {}, E[Query] = {};
  int Diagonal, Up, F, Best = 0;

  __device__ void startColumn() { Diagonal = Up = F = 0; }

  __device__ void step(int I, int Score) {
    E[I] = max(E[I] - Extend, H[I] - Open);
    F = max(F - Extend, Up - Open);
    Up = max(max(Diagonal + Score, 0), max(E[I], F));
    Diagonal = H[I];
    H[I] = Up;
    Best = max(Best, Up);
  }
};

__global__ void before(const unsigned char *__restrict__ Proteins,
                       const signed char *__restrict__ Profile,
                       int *__restrict__ Scores) {
  const int P = blockIdx.x * 128 + threadIdx.x;
  Cells C;
  for (int J = 0; J < Length; ++J) {
    const signed char *Row = Profile + Proteins[J * N + P] * Query;
    C.startColumn();
#pragma unroll
    for (int I = 0; I < Query; ++I)
      C.step(I, Row[I]);
  }
  Scores[P] = C.Best;
}

__global__ void after(const unsigned char *__restrict__ Proteins,
                      const char4 *__restrict__ Profile,
                      int *__restrict__ Scores) {
  const int P = blockIdx.x * 128 + threadIdx.x;
  Cells C;
  for (int J = 0; J < Length; ++J) {
    const char4 *Row = Profile + Proteins[J * N + P] * (Query / 4);
    C.startColumn();
#pragma unroll
    for (int I = 0; I < Query; I += 4) {
      const char4 Four = Row[I / 4];
      C.step(I, Four.x);
      C.step(I + 1, Four.y);
      C.step(I + 2, Four.z);
      C.step(I + 3, Four.w);
    }
  }
  Scores[P] = C.Best;
}

int main() {
  const unsigned char *Proteins = input<unsigned char>(N * Length, 20);
  std::vector<signed char> Substitutions(Letters * Query);
  for (size_t I = 0; I < Substitutions.size(); ++I)
    Substitutions[I] = int(mixed(I) % 16) - 8;
  const signed char *Profile = onDevice(Substitutions);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("query-profile-of-char4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Proteins, Profile, Expected);
    else
      after<<<N / 128, 128>>>(Proteins, (const char4 *)Profile, Out);
}
