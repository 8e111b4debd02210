// Rule: cuda-memory-missing-reuse
// Counts the triangles of each vertex of a graph in CSR, whose edges lead to
// higher numbers, by a warp a vertex: the list that is searched again and again
// is read from global memory, or from a copy in shared memory.
#include "Pair.cuh"

constexpr int Vertices = 1 << 15, Warps = 8, Longest = 64;

__device__ int inList(const int *List, int Count, int Wanted) {
  int Low = 0, High = Count;
  while (Low < High) {
    const int Middle = (Low + High) / 2;
    if (List[Middle] < Wanted)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low < Count && List[Low] == Wanted;
}

__device__ int sumOfWarp(int Value) {
  for (int Step = 16; Step > 0; Step /= 2)
    Value += __shfl_down_sync(~0u, Value, Step);
  return Value;
}

__global__ void before(const int *__restrict__ Offsets,
                       const int *__restrict__ Targets,
                       int *__restrict__ Triangles) {
  const int Lane = threadIdx.x, U = blockIdx.x * Warps + threadIdx.y;
  const int Begin = Offsets[U], Degree = Offsets[U + 1] - Begin;
  const int *Mine = Targets + Begin;
  int Found = 0;
  for (int I = 0; I < Degree; ++I) {
    const int V = Mine[I], End = Offsets[V + 1];
    for (int J = Offsets[V] + Lane; J < End; J += 32)
      Found += inList(Mine, Degree, Targets[J]);
  }
  Found = sumOfWarp(Found);
  if (Lane == 0)
    Triangles[U] = Found;
}

__global__ void after(const int *__restrict__ Offsets,
                      const int *__restrict__ Targets,
                      int *__restrict__ Triangles) {
  __shared__ int Lists[Warps][Longest];
  const int Lane = threadIdx.x, U = blockIdx.x * Warps + threadIdx.y;
  const int Begin = Offsets[U], Degree = Offsets[U + 1] - Begin;
  int *Mine = Lists[threadIdx.y];
  for (int I = Lane; I < Degree; I += 32)
    Mine[I] = Targets[Begin + I];
  __syncwarp();
  int Found = 0;
  for (int I = 0; I < Degree; ++I) {
    const int V = Mine[I], End = Offsets[V + 1];
    for (int J = Offsets[V] + Lane; J < End; J += 32)
      Found += inList(Mine, Degree, Targets[J]);
  }
  Found = sumOfWarp(Found);
  if (Lane == 0)
    Triangles[U] = Found;
}

int main() {
  std::vector<int> Offsets = {0}, Targets;
  for (int U = 0; U < Vertices; ++U) {
    std::vector<int> List;
    const int Degree = 20 + mixed(U) % (Longest - 20);
    for (int I = 0; I < Degree; ++I) {
      const int V = U + 1 + mixed(size_t(U) * Longest + I) % 512;
      if (V < Vertices)
        List.push_back(V);
    }
    std::sort(List.begin(), List.end());
    List.erase(std::unique(List.begin(), List.end()), List.end());
    Targets.insert(Targets.end(), List.begin(), List.end());
    Offsets.push_back(int(Targets.size()));
  }
  const int *DeviceOffsets = onDevice(Offsets);
  const int *DeviceTargets = onDevice(Targets);
  int *Expected = output<int>(Vertices), *Out = output<int>(Vertices);
  Pair P("triangles-short-list-staged");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / Warps, dim3(32, Warps)>>>(DeviceOffsets,
                                                    DeviceTargets, Expected);
    else
      after<<<Vertices / Warps, dim3(32, Warps)>>>(DeviceOffsets, DeviceTargets,
                                                   Out);
}
