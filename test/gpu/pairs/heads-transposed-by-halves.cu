// Rule: cuda-memory-narrow-access
// Where an element of a tensor of four dimensions goes takes three divisions by
// sizes that come as arguments. Two halves in a row share them.
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int Batch = 32, Length = 384, Heads = 16, Size = 66;
constexpr int All = Batch * Length * Heads * Size;

/// [batch][length][heads][size] to [batch][heads][length][size].
template <class T>
__device__ void transpose(const T *In, T *Out, int Length, int Heads, int Size,
                          int All) {
  const int At = blockIdx.x * blockDim.x + threadIdx.x;
  if (At >= All)
    return;
  const int Row = At / Size, Place = At % Size;
  const int Head = Row % Heads, Line = Row / Heads;
  const int Token = Line % Length, Sentence = Line / Length;
  Out[((Sentence * Heads + Head) * Length + Token) * Size + Place] = In[At];
}

__global__ void before(const __half *In, __half *Out, int Length, int Heads,
                       int Size, int All) {
  transpose(In, Out, Length, Heads, Size, All);
}

__global__ void after(const __half2 *In, __half2 *Out, int Length, int Heads,
                      int Size, int All) {
  transpose(In, Out, Length, Heads, Size, All);
}

int main() {
  const auto *In = reinterpret_cast<const __half *>(input<short>(All));
  __half *Expected = output<__half>(All), *Out = output<__half>(All);
  Pair P("heads-transposed-by-halves");
  P.same(reinterpret_cast<short *>(Expected), reinterpret_cast<short *>(Out),
         All);
  while (P.next())
    if (P.beforesTurn())
      before<<<(All + 1023) / 1024, 1024>>>(In, Expected, Length, Heads, Size,
                                            All);
    else
      after<<<(All / 2 + 1023) / 1024, 1024>>>(
          reinterpret_cast<const __half2 *>(In),
          reinterpret_cast<__half2 *>(Out), Length, Heads, Size / 2, All / 2);
}
