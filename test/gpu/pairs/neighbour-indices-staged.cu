// Rule: cuda-memory-missing-reuse
// A layer of a graph network: a warp sums the 32 features of a node's
// neighbours, weighed, and all its lanes read the same index and weight from
// global memory, or from shared memory where the warp put 32 of them.
#include "Pair.cuh"

constexpr int Nodes = 100003, Features = 32, Warps = 8;

__global__ void before(const int *__restrict__ Begin,
                       const int *__restrict__ Neighbour,
                       const float *__restrict__ Weight,
                       const float *__restrict__ In, float *__restrict__ Out) {
  const int Node = blockIdx.x * Warps + threadIdx.y, F = threadIdx.x;
  if (Node >= Nodes)
    return;
  float Sum = 0;
  for (int E = Begin[Node]; E < Begin[Node + 1]; ++E)
    Sum += Weight[E] * In[Neighbour[E] * Features + F];
  Out[Node * Features + F] = Sum;
}

__global__ void after(const int *__restrict__ Begin,
                      const int *__restrict__ Neighbour,
                      const float *__restrict__ Weight,
                      const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ int Staged[Warps][32];
  __shared__ float Weights[Warps][32];
  const int Node = blockIdx.x * Warps + threadIdx.y, F = threadIdx.x;
  if (Node >= Nodes)
    return;
  const int End = Begin[Node + 1];
  float Sum = 0;
  for (int E = Begin[Node]; E < End; E += 32) {
    const int Here = min(32, End - E);
    if (F < Here) {
      Staged[threadIdx.y][F] = Neighbour[E + F];
      Weights[threadIdx.y][F] = Weight[E + F];
    }
    __syncwarp();
    for (int I = 0; I < Here; ++I)
      Sum += Weights[threadIdx.y][I] *
             In[Staged[threadIdx.y][I] * Features + F];
    __syncwarp();
  }
  Out[Node * Features + F] = Sum;
}

int main() {
  std::vector<int> Begins(1, 0);
  for (int Node = 0; Node < Nodes; ++Node)
    Begins.push_back(Begins.back() + 1 + mixed(Node) % 48);
  const int Edges = Begins.back();
  const int *Begin = onDevice(Begins), *Neighbour = input<int>(Edges, Nodes);
  const float *Weight = input<float>(Edges),
              *In = input<float>(Nodes * Features);
  float *Expected = output<float>(Nodes * Features),
        *Out = output<float>(Nodes * Features);
  Pair P("neighbour-indices-staged");
  P.same(Expected, Out, Nodes * Features);
  const dim3 Block(32, Warps);
  const int Blocks = (Nodes + Warps - 1) / Warps;
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(Begin, Neighbour, Weight, In, Expected);
    else
      after<<<Blocks, Block>>>(Begin, Neighbour, Weight, In, Out);
}
