// Rule: cuda-memory-gather
// A probabilistic roadmap checks its edges on a large occupancy map, the first
// blocked sample of each: the map with a byte or with a bit for each cell.
#include "Pair.cuh"

constexpr int Side = 8192, Edges = 1 << 18, Samples = 64;

__device__ int2 sample(int4 Edge, int S) {
  return make_int2(Edge.x + (Edge.z - Edge.x) * S / Samples,
                   Edge.y + (Edge.w - Edge.y) * S / Samples);
}

__global__ void before(const int4 *__restrict__ Edge,
                       const unsigned char *__restrict__ Map,
                       int *__restrict__ Blocked) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Edges)
    return;
  const int4 E = Edge[I];
  int S = 0;
  for (; S < Samples; ++S) {
    const int2 At = sample(E, S);
    if (Map[At.y * Side + At.x])
      break;
  }
  Blocked[I] = S;
}

__global__ void after(const int4 *__restrict__ Edge,
                      const unsigned *__restrict__ Map,
                      int *__restrict__ Blocked) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Edges)
    return;
  const int4 E = Edge[I];
  int S = 0;
  for (; S < Samples; ++S) {
    const int2 At = sample(E, S);
    if (Map[(At.y * Side + At.x) / 32] >> At.x % 32 & 1)
      break;
  }
  Blocked[I] = S;
}

int main() {
  // One cell of a hundred is occupied; edges reach 100 cells in x and y.
  std::vector<unsigned char> Bytes(Side * Side);
  std::vector<unsigned> Bits(Side * Side / 32);
  for (int I = 0; I < Side * Side; ++I)
    if (mixed(I) % 100 == 0) {
      Bytes[I] = 1;
      Bits[I / 32] |= 1u << I % 32;
    }
  const auto Inside = [](int At) { return std::clamp(At, 0, Side - 1); };
  std::vector<int4> Ends(Edges);
  for (int I = 0; I < Edges; ++I) {
    const int X = mixed(4 * I) % Side, Y = mixed(4 * I + 1) % Side;
    Ends[I] = {X, Y, Inside(X + int(mixed(4 * I + 2) % 201) - 100),
               Inside(Y + int(mixed(4 * I + 3) % 201) - 100)};
  }
  const unsigned char *ByteMap = onDevice(Bytes);
  const unsigned *BitMap = onDevice(Bits);
  const int4 *Edge = onDevice(Ends);
  int *Expected = output<int>(Edges), *Out = output<int>(Edges);
  Pair P("roadmap-edges-checked-in-bits");
  P.same(Expected, Out, Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 192 + 1, 192>>>(Edge, ByteMap, Expected);
    else
      after<<<Edges / 192 + 1, 192>>>(Edge, BitMap, Out);
}
