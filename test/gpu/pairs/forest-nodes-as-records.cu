// Rule: cuda-memory-split-gather
// A random forest over rows of a table: feature, threshold, left child and
// leaf value of a node in four arrays, or in one record of 16 bytes that is
// read at once.
#include "Pair.cuh"

constexpr int Trees = 64, Depth = 12, NodesPerTree = (1 << (Depth + 1)) - 1;
constexpr int Rows = 1 << 16, Features = 32;
constexpr int Nodes = Trees * NodesPerTree;

struct alignas(16) Node {
  int Feature; // negative: a leaf
  float Threshold;
  int Left;
  float Value;
};

__global__ void before(const int *__restrict__ Feature,
                       const float *__restrict__ Threshold,
                       const int *__restrict__ Left,
                       const float *__restrict__ Value,
                       const float *__restrict__ Table, float *Votes) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int T = 0; T < Trees; ++T) {
    const int Root = T * NodesPerTree;
    int At = Root;
    int F;
    while ((F = Feature[At]) >= 0) {
      const bool Right = Table[F * Rows + Row] > Threshold[At];
      At = Root + Left[At] + Right;
    }
    Sum += Value[At];
  }
  Votes[Row] = Sum / Trees;
}

__global__ void after(const Node *__restrict__ Forest,
                      const float *__restrict__ Table, float *Votes) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int T = 0; T < Trees; ++T) {
    const Node *Root = Forest + T * NodesPerTree;
    int4 Raw = __ldg(reinterpret_cast<const int4 *>(Root));
    while (Raw.x >= 0) {
      const bool Right = Table[Raw.x * Rows + Row] > __int_as_float(Raw.y);
      Raw = __ldg(reinterpret_cast<const int4 *>(Root + Raw.z + Right));
    }
    Sum += __int_as_float(Raw.w);
  }
  Votes[Row] = Sum / Trees;
}

int main() {
  std::vector<int> Feature(Nodes), Left(Nodes);
  std::vector<float> Threshold(Nodes), Value(Nodes);
  std::vector<Node> Forest(Nodes);
  for (int I = 0; I < Nodes; ++I) {
    const int Local = I % NodesPerTree;
    const bool Leaf = 2 * Local + 2 >= NodesPerTree;
    Feature[I] = Leaf ? -1 : int(mixed(I) % Features);
    Threshold[I] = 0.25f + mixed(I + Nodes) % 1000 / 2000.f;
    Left[I] = Leaf ? 0 : 2 * Local + 1;
    Value[I] = mixed(I + 2 * Nodes) % 1000 / 1000.f;
    Forest[I] = {Feature[I], Threshold[I], Left[I], Value[I]};
  }
  const int *DF = onDevice(Feature), *DL = onDevice(Left);
  const float *DT = onDevice(Threshold), *DV = onDevice(Value);
  const Node *DForest = onDevice(Forest);
  const float *Table = input<float>(size_t(Rows) * Features);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("forest-nodes-as-records");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(DF, DT, DL, DV, Table, Expected);
    else
      after<<<Rows / 128, 128>>>(DForest, Table, Out);
}
