// Rule: cuda-memory-narrow-access
// A step of HyperANF: the sketch of a vertex, 64 counters of a byte, becomes
// the maximum of its own and its neighbours', a counter or sixteen a thread.
#include "Pair.cuh"

constexpr int Vertices = 1 << 18, Counters = 64;

__global__ void before(const int *__restrict__ Offsets,
                       const int *__restrict__ Neighbours,
                       const unsigned char *__restrict__ Sketch,
                       unsigned char *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Vertex = I / Counters, Counter = I % Counters;
  int Max = Sketch[I];
  const int End = Offsets[Vertex + 1];
  for (int E = Offsets[Vertex]; E < End; ++E)
    Max = max(Max, int(Sketch[Neighbours[E] * Counters + Counter]));
  Out[I] = Max;
}

__global__ void after(const int *__restrict__ Offsets,
                      const int *__restrict__ Neighbours,
                      const uint4 *__restrict__ Sketch,
                      uint4 *__restrict__ Out) {
  constexpr int Parts = Counters / 16;
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Vertex = I / Parts, Part = I % Parts;
  uint4 Max = Sketch[I];
  const int End = Offsets[Vertex + 1];
  for (int E = Offsets[Vertex]; E < End; ++E) {
    const uint4 Other = Sketch[Neighbours[E] * Parts + Part];
    Max.x = __vmaxu4(Max.x, Other.x);
    Max.y = __vmaxu4(Max.y, Other.y);
    Max.z = __vmaxu4(Max.z, Other.z);
    Max.w = __vmaxu4(Max.w, Other.w);
  }
  Out[I] = Max;
}

int main() {
  constexpr int N = Vertices * Counters;
  std::vector<int> Begin(1), Ends;
  for (int V = 0; V < Vertices; ++V) {
    for (unsigned Degree = 1 + mixed(V) % 15; Degree; --Degree)
      Ends.push_back(mixed(Vertices + Ends.size()) % Vertices);
    Begin.push_back(int(Ends.size()));
  }
  const int *Offsets = onDevice(Begin), *Neighbours = onDevice(Ends);
  const unsigned char *Sketch = input<unsigned char>(N, 24);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("neighbourhood-sketches-by-sixteen");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Offsets, Neighbours, Sketch, Expected);
    else
      after<<<N / 16 / 256, 256>>>(Offsets, Neighbours, (const uint4 *)Sketch,
                                   (uint4 *)Out);
}
