// Rule: cuda-memory-narrow-access
// A census transform: each thread compares the byte of its place with 48 others
// of a window in shared memory, which a row of bytes comes to in each round, one
// byte of a lane, or four of each lane of one warp.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, Lines = 16, Block = 128;
constexpr int Across = 9, Down = 7;

template <bool ByWord>
__device__ void bring(unsigned char *Row, const unsigned char *In, int X0,
                      int Y) {
  const bool IsInside = 0 <= Y && Y < Height;
  if constexpr (ByWord) {
    if (threadIdx.x < Block / 4)
      reinterpret_cast<uchar4 *>(Row)[threadIdx.x] =
          IsInside ? reinterpret_cast<const uchar4 *>(
                         In + Y * (Width + Block))[X0 / 4 + threadIdx.x]
                   : make_uchar4(0, 0, 0, 0);
  } else {
    Row[threadIdx.x] = IsInside ? In[Y * (Width + Block) + X0 + threadIdx.x] : 0;
  }
}

template <bool ByWord>
__global__ void census(const unsigned char *__restrict__ In,
                       unsigned long long *__restrict__ Out) {
  constexpr int Rows = Down + 1;
  __shared__ __align__(16) unsigned char Window[Rows][Block];
  const int X0 = blockIdx.x * (Block - Across + 1);
  const int Y0 = blockIdx.y * Lines;
  for (int I = 0; I < Down; ++I)
    bring<ByWord>(Window[I], In, X0, Y0 - Down / 2 + I);
  __syncthreads();
#pragma unroll
  for (int I = 0; I < Lines; ++I) {
    if (I + 1 < Lines)
      bring<ByWord>(Window[(Down + I) % Rows], In, X0, Y0 + Down / 2 + I + 1);
    const int X = threadIdx.x;
    if (Across / 2 <= X && X < Block - Across / 2) {
      const int Middle = (Down / 2 + I) % Rows;
      const auto A = Window[Middle][X];
      unsigned long long Bits = 0;
      for (int DY = -(Down / 2); DY <= Down / 2; ++DY)
        for (int DX = -(Across / 2); DX <= Across / 2; ++DX)
          if (DX != 0 && DY != 0)
            Bits = Bits << 1 | (A > Window[(Middle + DY + Rows) % Rows][X + DX]);
      Out[(Y0 + I) * Width + X0 + X - Across / 2] = Bits;
    }
    __syncthreads();
  }
}

int main() {
  const auto *In = input<unsigned char>((Width + Block) * Height, 256);
  auto *Expected = output<unsigned long long>(Width * Height),
       *Out = output<unsigned long long>(Width * Height);
  const dim3 Grid(Width / (Block - Across + 1), Height / Lines);
  Pair P("census-rows-staged-by-word");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      census<false><<<Grid, Block>>>(In, Expected);
    else
      census<true><<<Grid, Block>>>(In, Out);
}
