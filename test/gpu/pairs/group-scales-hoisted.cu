// Rule: cuda-memory-missing-restrict
// Weights of four bits made halves again: each thread unpacks the eight of a
// word, which share a scale and a zero; as stores might change these, they are
// read anew for each weight, or else once into registers.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Depth = 4096, Width = 4096, Group = 128;

__global__ void before(const unsigned *Packed, const half *Scale,
                       const half *Zero, half *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Word = blockIdx.y;
  const int G = Word * 8 / Group * Width + X;
  const unsigned Eight = Packed[Word * Width + X];
  for (int I = 0; I < 8; ++I) {
    const half Level = __uint2half_rn(Eight >> 4 * I & 15);
    Out[(Word * 8 + I) * Width + X] = __hmul(Scale[G], __hsub(Level, Zero[G]));
  }
}

__global__ void after(const unsigned *Packed, const half *Scale,
                      const half *Zero, half *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Word = blockIdx.y;
  const int G = Word * 8 / Group * Width + X;
  const unsigned Eight = Packed[Word * Width + X];
  const half S = Scale[G], Z = Zero[G];
  for (int I = 0; I < 8; ++I) {
    const half Level = __uint2half_rn(Eight >> 4 * I & 15);
    Out[(Word * 8 + I) * Width + X] = __hmul(S, __hsub(Level, Z));
  }
}

int main() {
  const unsigned *Packed =
      input<unsigned>(Depth / 8 * Width, 4294967295);
  const half *Scale = input<half>(Depth / Group * Width, 100),
             *Zero = input<half>(Depth / Group * Width, 16);
  half *Expected = output<half>(Depth * Width),
       *Out = output<half>(Depth * Width);
  Pair P("group-scales-hoisted");
  P.same((const short *)Expected, (const short *)Out, Depth * Width);
  const dim3 Grid(Width / 256, Depth / 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Packed, Scale, Zero, Expected);
    else
      after<<<Grid, 256>>>(Packed, Scale, Zero, Out);
}
