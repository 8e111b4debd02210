// Rule: cuda-memory-atomic-contention
// How many edges end at each vertex of a graph in which a quarter of them end
// at 64 hubs: all are counted in global memory, or those of the hubs in each
// block's shared memory first.
#include "Pair.cuh"

constexpr int Edges = 1 << 22, Vertices = 1 << 20, Hubs = 64;

__global__ void before(const int *Ends, int *Degrees) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Edges;
       I += gridDim.x * blockDim.x)
    atomicAdd(Degrees + Ends[I], 1);
}

__global__ void after(const int *Ends, int *Degrees) {
  __shared__ int OfHubs[Hubs];
  if (threadIdx.x < Hubs)
    OfHubs[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Edges;
       I += gridDim.x * blockDim.x) {
    const int End = Ends[I];
    if (End < Hubs)
      atomicAdd(OfHubs + End, 1);
    else
      atomicAdd(Degrees + End, 1);
  }
  __syncthreads();
  if (threadIdx.x < Hubs)
    atomicAdd(Degrees + threadIdx.x, OfHubs[threadIdx.x]);
}

int main() {
  std::vector<int> Host(Edges);
  for (int I = 0; I < Edges; ++I)
    Host[I] = int(mixed(I) % 4 == 0 ? mixed(I + Edges) % Hubs
                                    : mixed(I + Edges) % Vertices);
  const int *Ends = onDevice(Host);
  int *Expected = output<int>(Vertices), *Out = output<int>(Vertices);
  Pair P("degrees-of-hubs-shared");
  P.same(Expected, Out, Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<528, 512>>>(Ends, Expected);
    else
      after<<<528, 512>>>(Ends, Out);
}
