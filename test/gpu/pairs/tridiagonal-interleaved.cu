// Rule: cuda-memory-uncoalesced-access
// Tridiagonal systems, one a thread, whose unknowns lie behind each other, or
// each equation of all systems lies together.
#include "Pair.cuh"

constexpr int Systems = 16384, N = 128;

struct Matrix {
  const float *Below, *Diagonal, *Above, *Right;
};

__device__ void solve(Matrix M, float *Scratch, float *X, int Start, int Step,
                      int Count) {
  float C = 0, D = 0;
  int At = Start;
  for (int I = 0; I < Count; ++I, At += Step) {
    const float A = M.Below[At];
    const float Scale = 1 / (M.Diagonal[At] + 3 - A * C);
    C = M.Above[At] * Scale;
    D = (M.Right[At] - A * D) * Scale;
    Scratch[At] = C;
    X[At] = D;
  }
  float Last = 0;
  for (int I = 0; I < Count; ++I) {
    At -= Step;
    Last = X[At] - Scratch[At] * Last;
    X[At] = Last;
  }
}

__global__ void before(Matrix M, float *Scratch, float *X, int Count) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  solve(M, Scratch, X, S * Count, 1, Count);
}

__global__ void after(Matrix M, float *Scratch, float *X, int Count) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  solve(M, Scratch, X, S, gridDim.x * blockDim.x, Count);
}

int main() {
  constexpr int All = Systems * N;
  const float *Old = input<float>(4 * All);
  const float *New = arranged(Old, 4 * All, 4 * All, [](size_t I) {
    return I / All * All + I % Systems * N + I % All / Systems;
  });
  const auto matrix = [](const float *From) {
    return Matrix{From, From + All, From + 2 * All, From + 3 * All};
  };
  const Matrix Rows = matrix(Old), Turned = matrix(New);
  float *Scratch = output<float>(All);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("tridiagonal-interleaved");
  P.same(Expected, Out, All,
         [](size_t I) { return I % N * Systems + I / N; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Systems / 128, 128>>>(Rows, Scratch, Expected, N);
    else
      after<<<Systems / 128, 128>>>(Turned, Scratch, Out, N);
}
