// Rule: cuda-memory-gather
// Supports of the edges of a dense graph, as a search for trusses asks for: the
// common neighbours of an edge's ends, of bit rows of 4096 vertices, and how
// much they resemble each other. A thread has an edge, or eight lanes have one
// and read along its rows together.
// Options: --buffer=From=random,count=262144,below=4096
// Options: --buffer=To=random,count=262144,below=4096
#include "Pair.cuh"

constexpr int Vertices = 4096, Quads = Vertices / 128, Edges = 1 << 18;
constexpr int Lanes = 8;

__device__ int common(uint4 A, uint4 B) {
  return __popc(A.x & B.x) + __popc(A.y & B.y) + __popc(A.z & B.z) +
         __popc(A.w & B.w);
}

__device__ float resemblance(int Common, int DegreeA, int DegreeB) {
  const int Either = DegreeA + DegreeB - Common;
  return Either > 0 ? float(Common) / Either : 0.0f;
}

__global__ void before(const int *__restrict__ From, const int *__restrict__ To,
                       const uint4 *__restrict__ Row,
                       const int *__restrict__ Degree, int Least,
                       int *__restrict__ Support,
                       float *__restrict__ Likeness) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  const int A = From[E], B = To[E];
  int Count = 0;
#pragma unroll 4
  for (int Q = 0; Q < Quads; ++Q)
    Count += common(Row[A * Quads + Q], Row[B * Quads + Q]);
  Support[E] = Count >= Least ? Count : -1;
  Likeness[E] = resemblance(Count, Degree[A], Degree[B]);
}

__global__ void after(const int *__restrict__ From, const int *__restrict__ To,
                      const uint4 *__restrict__ Row,
                      const int *__restrict__ Degree, int Least,
                      int *__restrict__ Support, float *__restrict__ Likeness) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int E = I / Lanes, Lane = I % Lanes;
  const int A = From[E], B = To[E];
  int Count = 0;
#pragma unroll
  for (int Q = Lane; Q < Quads; Q += Lanes)
    Count += common(Row[A * Quads + Q], Row[B * Quads + Q]);
#pragma unroll
  for (int Step = Lanes / 2; Step > 0; Step /= 2)
    Count += __shfl_xor_sync(~0u, Count, Step);
  if (Lane != 0)
    return;
  Support[E] = Count >= Least ? Count : -1;
  Likeness[E] = resemblance(Count, Degree[A], Degree[B]);
}

int main() {
  const int *From = input<int>(Edges, Vertices);
  // The ends of an edge are not to be the same.
  const int *To = arranged(From, Edges, Edges,
                           [](size_t I) { return (I + 777) % Edges; });
  const unsigned *Bits = input<unsigned>(Vertices * Quads * 4, 4294967295u);
  const std::vector<unsigned> Words = onHost(Bits, Vertices * Quads * 4);
  std::vector<int> Degrees(Vertices);
  for (int I = 0; I < Vertices * Quads * 4; ++I)
    Degrees[I / (Quads * 4)] += __builtin_popcount(Words[I]);
  const int *Degree = onDevice(Degrees);
  int *Expected = output<int>(Edges), *Out = output<int>(Edges);
  float *ExpectedLikeness = output<float>(Edges),
        *OutLikeness = output<float>(Edges);
  Pair P("truss-supports-eight-lanes-an-edge");
  P.same(Expected, Out, Edges);
  P.same(ExpectedLikeness, OutLikeness, Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 256, 256>>>(From, To, (const uint4 *)Bits, Degree, 1000,
                                   Expected, ExpectedLikeness);
    else
      after<<<Edges * Lanes / 256, 256>>>(From, To, (const uint4 *)Bits, Degree,
                                          1000, Out, OutLikeness);
}
