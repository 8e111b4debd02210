// Rule: cuda-memory-local-array
// How many points lie near each place? A thread walks a k-d tree with a stack
// of what is to be visited, in local memory or in shared memory.
#include "Pair.cuh"

constexpr int Levels = 16, Nodes = 1 << Levels, Queries = 1 << 17;

__global__ void before(const float2 *Tree, const float2 *Query, float Radius,
                       int *Count) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float2 At = Query[I];
  int Stack[Levels + 1], Size = 1, Near = 0;
  Stack[0] = 1;
  while (Size) {
    const int N = Stack[--Size];
    const float2 Point = Tree[N];
    const float X = At.x - Point.x, Y = At.y - Point.y;
    Near += X * X + Y * Y < Radius * Radius;
    if (2 * N >= Nodes)
      continue;
    const float Side = __clz(N) & 1 ? X : Y;
    if (Side > -Radius)
      Stack[Size++] = 2 * N + 1;
    if (Side < Radius)
      Stack[Size++] = 2 * N;
  }
  Count[I] = Near;
}

__global__ void after(const float2 *Tree, const float2 *Query, float Radius,
                      int *Count) {
  __shared__ int Stack[Levels + 1][128];
  const int T = threadIdx.x, I = blockIdx.x * 128 + T;
  const float2 At = Query[I];
  int Size = 1, Near = 0;
  Stack[0][T] = 1;
  while (Size) {
    const int N = Stack[--Size][T];
    const float2 Point = Tree[N];
    const float X = At.x - Point.x, Y = At.y - Point.y;
    Near += X * X + Y * Y < Radius * Radius;
    if (2 * N >= Nodes)
      continue;
    const float Side = __clz(N) & 1 ? X : Y;
    if (Side > -Radius)
      Stack[Size++][T] = 2 * N + 1;
    if (Side < Radius)
      Stack[Size++][T] = 2 * N;
  }
  Count[I] = Near;
}

void build(std::vector<float2> &Points, int First, int Last, int Node, bool ByX,
           std::vector<float2> &Tree) {
  if (First == Last)
    return;
  const int Middle = (First + Last) / 2;
  std::nth_element(
      Points.begin() + First, Points.begin() + Middle, Points.begin() + Last,
      [=](float2 A, float2 B) { return ByX ? A.x < B.x : A.y < B.y; });
  Tree[Node] = Points[Middle];
  build(Points, First, Middle, 2 * Node, !ByX, Tree);
  build(Points, Middle + 1, Last, 2 * Node + 1, !ByX, Tree);
}

int main() {
  const float *Noise = input<float>(2 * Nodes);
  std::vector<float2> Points =
      onHost(reinterpret_cast<const float2 *>(Noise), Nodes - 1);
  std::vector<float2> Tree(Nodes);
  build(Points, 0, Nodes - 1, 1, true, Tree);
  const float2 *Built = onDevice(Tree);
  const float *Query = input<float>(2 * Queries);
  int *Expected = output<int>(Queries), *Out = output<int>(Queries);
  Pair P("tree-stack-in-shared");
  P.same(Expected, Out, Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / 128, 128>>>(Built, (const float2 *)Query, 0.01f,
                                     Expected);
    else
      after<<<Queries / 128, 128>>>(Built, (const float2 *)Query, 0.01f, Out);
}
