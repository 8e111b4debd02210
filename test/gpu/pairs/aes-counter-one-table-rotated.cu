// Rule: cuda-memory-bank-conflict
// AES-128 in counter mode, eight blocks a thread, with tables in shared memory:
// four of 1 KB, one for each byte of a column, or one whose words are rotated.
#include "Pair.cuh"

constexpr int Rounds = 10, PerThread = 8, Blocks = 1 << 20;

struct Keys {
  uint32_t Words[4 * (Rounds + 1)];
};

struct FourTables {
  const uint32_t *T;
  __device__ uint32_t get(int Byte, uint32_t X) const {
    return T[Byte * 256 + (X >> 8 * Byte & 255)];
  }
};

struct OneTable {
  const uint32_t *T;
  __device__ uint32_t get(int Byte, uint32_t X) const {
    const uint32_t Word = T[X >> 8 * Byte & 255];
    return __funnelshift_l(Word, Word, 8 * Byte);
  }
};

template <class Tables>
__device__ uint4 encrypted(const Tables &T, const Keys &K, uint4 S) {
  S = make_uint4(S.x ^ K.Words[0], S.y ^ K.Words[1], S.z ^ K.Words[2],
                 S.w ^ K.Words[3]);
#pragma unroll
  for (int R = 1; R < Rounds; ++R) {
    const uint32_t *W = K.Words + 4 * R;
    const uint4 O = S;
    S.x = T.get(0, O.x) ^ T.get(1, O.y) ^ T.get(2, O.z) ^ T.get(3, O.w) ^ W[0];
    S.y = T.get(0, O.y) ^ T.get(1, O.z) ^ T.get(2, O.w) ^ T.get(3, O.x) ^ W[1];
    S.z = T.get(0, O.z) ^ T.get(1, O.w) ^ T.get(2, O.x) ^ T.get(3, O.y) ^ W[2];
    S.w = T.get(0, O.w) ^ T.get(1, O.x) ^ T.get(2, O.y) ^ T.get(3, O.z) ^ W[3];
  }
  // The box itself is the second byte of a word of the first table.
  const auto Last = [&](uint32_t A, uint32_t B, uint32_t C, uint32_t D,
                        uint32_t Key) {
    return ((T.T[A & 255] >> 8 & 255) | (T.T[B >> 8 & 255] & 0xff00) |
            (T.T[C >> 16 & 255] << 8 & 0xff0000) |
            (T.T[D >> 24] << 16 & 0xff000000)) ^
           Key;
  };
  const uint32_t *W = K.Words + 4 * Rounds;
  return make_uint4(
      Last(S.x, S.y, S.z, S.w, W[0]), Last(S.y, S.z, S.w, S.x, W[1]),
      Last(S.z, S.w, S.x, S.y, W[2]), Last(S.w, S.x, S.y, S.z, W[3]));
}

template <class Tables>
__device__ void counterMode(const Tables &T, const Keys &K, const uint4 *In,
                            uint4 *Out) {
  for (int I = 0; I < PerThread; ++I) {
    const uint32_t B = (blockIdx.x * PerThread + I) * blockDim.x + threadIdx.x;
    const uint4 Pad = encrypted(T, K, make_uint4(17, 4711, 0, B));
    const uint4 V = In[B];
    Out[B] = make_uint4(V.x ^ Pad.x, V.y ^ Pad.y, V.z ^ Pad.z, V.w ^ Pad.w);
  }
}

__global__ void before(const uint32_t *Table, Keys K, const uint4 *In,
                       uint4 *Out) {
  __shared__ uint32_t T[4 * 256];
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    for (int Byte = 0; Byte < 4; ++Byte)
      T[Byte * 256 + I] = __funnelshift_l(Table[I], Table[I], 8 * Byte);
  __syncthreads();
  counterMode(FourTables{T}, K, In, Out);
}

__global__ void after(const uint32_t *Table, Keys K, const uint4 *In,
                      uint4 *Out) {
  __shared__ uint32_t T[256];
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    T[I] = Table[I];
  __syncthreads();
  counterMode(OneTable{T}, K, In, Out);
}

int main() {
  // The box: inverses in the field of 256, then an affine map.
  const auto Times = [](int A, int B) {
    int Product = 0;
    for (; B; B >>= 1, A = A << 1 ^ (A & 128 ? 0x11b : 0))
      Product ^= B & 1 ? A : 0;
    return Product;
  };
  std::vector<uint32_t> Table(256);
  for (int X = 0; X < 256; ++X) {
    int Inverse = 0, Box = 0x63;
    while (X && Times(X, Inverse) != 1)
      ++Inverse;
    for (int R = 0; R < 5; ++R)
      Box ^= (Inverse << R | Inverse >> (8 - R)) & 255;
    Table[X] = uint32_t(Times(Box, 2) | Box << 8 | Box << 16) |
               uint32_t(Times(Box, 3)) << 24;
  }
  Keys K;
  for (int I = 0; I < 4 * (Rounds + 1); ++I)
    K.Words[I] = mixed(I);
  const uint32_t *DeviceTable = onDevice(Table);
  const uint32_t *In = input<uint32_t>(4 * size_t(Blocks), ~0u);
  uint32_t *Expected = output<uint32_t>(4 * size_t(Blocks)),
           *Out = output<uint32_t>(4 * size_t(Blocks));
  Pair P("aes-counter-one-table-rotated");
  P.same(Expected, Out, 4 * size_t(Blocks));
  constexpr int Grid = Blocks / PerThread / 256;
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(DeviceTable, K, (uint4 *)In, (uint4 *)Expected);
    else
      after<<<Grid, 256>>>(DeviceTable, K, (uint4 *)In, (uint4 *)Out);
}
