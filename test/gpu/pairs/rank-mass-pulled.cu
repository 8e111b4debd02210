// Rule: cuda-memory-atomic-contention
// A step of PageRank on a random graph of a million vertices: each pushes its
// share along its edges by atomics, or pulls those of the vertices before it by
// the transposed lists.
#include "Pair.cuh"

constexpr int Vertices = 1 << 20, MaxDegree = 15;

__global__ void before(const int *__restrict__ Offsets,
                       const int *__restrict__ Targets,
                       const float *__restrict__ Share,
                       float *__restrict__ Rank) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= Vertices)
    return;
  const float Mass = 0.85f * Share[V];
  const int End = Offsets[V + 1];
  for (int E = Offsets[V]; E < End; ++E)
    atomicAdd(Rank + Targets[E], Mass);
}

__global__ void after(const int *__restrict__ Offsets,
                      const int *__restrict__ Sources,
                      const float *__restrict__ Share,
                      float *__restrict__ Rank) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= Vertices)
    return;
  float Mass = 0;
  const int End = Offsets[V + 1];
  for (int E = Offsets[V]; E < End; ++E)
    Mass += 0.85f * Share[Sources[E]];
  Rank[V] += Mass;
}

int main() {
  std::vector<int> Begin(1), To, BeginIn(Vertices + 1);
  for (int V = 0; V < Vertices; ++V) {
    for (unsigned Degree = 1 + mixed(V) % MaxDegree; Degree; --Degree) {
      To.push_back(mixed(Vertices + To.size()) % Vertices);
      ++BeginIn[To.back() + 1];
    }
    Begin.push_back(int(To.size()));
  }
  for (int V = 0; V < Vertices; ++V)
    BeginIn[V + 1] += BeginIn[V];
  std::vector<int> From(To.size()), Place(BeginIn);
  for (int V = 0; V < Vertices; ++V)
    for (int E = Begin[V]; E < Begin[V + 1]; ++E)
      From[Place[To[E]]++] = V;
  const int *Offsets = onDevice(Begin), *Targets = onDevice(To),
            *OffsetsIn = onDevice(BeginIn), *Sources = onDevice(From);
  const float *Share = input<float>(Vertices);
  float *Expected = output<float>(Vertices), *Out = output<float>(Vertices);
  Pair P("rank-mass-pulled");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / 256, 256>>>(Offsets, Targets, Share, Expected);
    else
      after<<<Vertices / 256, 256>>>(OffsetsIn, Sources, Share, Out);
}
