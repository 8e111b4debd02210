// Rule: cuda-memory-gather
// Lengths of a mesh's edges, whose ends lie anywhere among the vertices, or one
// after the other as in a strip. All of it stays in L2.
// Options: --buffer=First=random,count=1048576,below=524288
// Options: --buffer=Second=random,count=1048576,below=524288
// Options: --buffer=Start=iota,count=1048576
// Options: --buffer=End=iota,count=1048576
#include "Pair.cuh"

constexpr int Edges = 1 << 20, Vertices = 1 << 19;

__global__ void before(const double *X, const double *Y, const unsigned *First,
                       const unsigned *Second, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned A = First[I], B = Second[I];
  const double DX = X[A] - X[B], DY = Y[A] - Y[B];
  Out[I] = sqrt(DX * DX + DY * DY);
}

__global__ void after(const double *X, const double *Y, const unsigned *Start,
                      const unsigned *End, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned A = Start[I], B = End[I] + Edges;
  const double DX = X[A] - X[B], DY = Y[A] - Y[B];
  Out[I] = sqrt(DX * DX + DY * DY);
}

int main() {
  const double *X = input<double>(Vertices), *Y = input<double>(Vertices);
  const unsigned *First = input<unsigned>(Edges, Vertices),
                 *Second = arranged(First, Edges, Edges,
                                    [](size_t I) { return Edges - 1 - I; });
  const std::vector<unsigned> Ends[] = {onHost(First, Edges),
                                        onHost(Second, Edges)};
  const auto Renumbered = [&](const double *Old) {
    return arranged(Old, Vertices, 2 * Edges,
                    [&](size_t I) { return Ends[I / Edges][I % Edges]; });
  };
  std::vector<unsigned> InOrder(Edges);
  for (int I = 0; I < Edges; ++I)
    InOrder[I] = I;
  const double *NewX = Renumbered(X), *NewY = Renumbered(Y);
  const unsigned *Start = onDevice(InOrder), *End = onDevice(InOrder);
  double *Expected = output<double>(Edges), *Out = output<double>(Edges);
  Pair P("mesh-edges-renumbered");
  P.same(Expected, Out, Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 256, 256>>>(X, Y, First, Second, Expected);
    else
      after<<<Edges / 256, 256>>>(NewX, NewY, Start, End, Out);
}
