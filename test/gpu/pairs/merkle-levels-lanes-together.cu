// Rule: cuda-memory-idle-lanes
// Merkle trees of 256 leaves, a block for each, nodes in shared memory: on each
// level every second, fourth ... lane compresses two digests, or the first so
// many lanes do, so that whole warps rest.
#include "Pair.cuh"

constexpr int Leaves = 256, Trees = 6144;

__device__ unsigned turned(unsigned X, int By) {
  return __funnelshift_r(X, X, By);
}

__device__ void quarter(unsigned &A, unsigned &B, unsigned &C, unsigned &D) {
  A += B;
  D = turned(D ^ A, 16);
  C += D;
  B = turned(B ^ C, 12);
  A += B;
  D = turned(D ^ A, 8);
  C += D;
  B = turned(B ^ C, 7);
}

__device__ uint4 compress(uint4 L, uint4 R) {
  uint4 A = L, B = R;
#pragma unroll
  for (int Round = 0; Round < 6; ++Round) {
    quarter(A.x, A.y, B.x, B.y);
    quarter(A.z, A.w, B.z, B.w);
    quarter(A.x, A.w, B.z, B.y);
    quarter(A.z, A.y, B.x, B.w);
  }
  return make_uint4(A.x ^ B.x ^ L.x, A.y ^ B.y ^ L.y, A.z ^ B.z ^ L.z,
                    A.w ^ B.w ^ L.w);
}

__global__ void before(const uint4 *__restrict__ Leaf,
                       uint4 *__restrict__ Root) {
  __shared__ uint4 Node[Leaves];
  const int I = threadIdx.x;
  Node[I] = Leaf[blockIdx.x * Leaves + I];
  __syncthreads();
  for (int Stride = 1; Stride < Leaves; Stride *= 2) {
    if (I % (2 * Stride) == 0)
      Node[I] = compress(Node[I], Node[I + Stride]);
    __syncthreads();
  }
  if (I == 0)
    Root[blockIdx.x] = Node[0];
}

__global__ void after(const uint4 *__restrict__ Leaf,
                      uint4 *__restrict__ Root) {
  __shared__ uint4 Node[Leaves];
  const int I = threadIdx.x;
  Node[I] = Leaf[blockIdx.x * Leaves + I];
  __syncthreads();
  for (int Count = Leaves / 2; Count > 0; Count /= 2) {
    uint4 Parent;
    if (I < Count)
      Parent = compress(Node[2 * I], Node[2 * I + 1]);
    __syncthreads();
    if (I < Count)
      Node[I] = Parent;
    __syncthreads();
  }
  if (I == 0)
    Root[blockIdx.x] = Node[0];
}

int main() {
  const uint4 *Leaf =
      (const uint4 *)input<unsigned>(4 * Trees * Leaves, 0xffffffff);
  unsigned *Expected = output<unsigned>(4 * Trees),
           *Out = output<unsigned>(4 * Trees);
  Pair P("merkle-levels-lanes-together");
  P.same(Expected, Out, 4 * Trees);
  while (P.next())
    if (P.beforesTurn())
      before<<<Trees, Leaves>>>(Leaf, (uint4 *)Expected);
    else
      after<<<Trees, Leaves>>>(Leaf, (uint4 *)Out);
}
