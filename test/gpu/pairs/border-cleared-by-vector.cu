// Rule: cuda-memory-uncoalesced-access
// A filter that clears the first and the last row, four floats of a thread one
// by one, each lane 16 bytes from the next; or as one vector. These are two of
// 4096 rows.
#include "Pair.cuh"

constexpr int Width = 8192, Height = 4096;

template <bool AsVector>
__global__ void filter(const float4 *__restrict__ In, float *Out, int Rows,
                       int Pitch) {
  const int X = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (Y >= Rows)
    return;
  if (Y < 1 || Y >= Rows - 1) {
    if (AsVector)
      reinterpret_cast<float4 &>(Out[Y * Pitch + X]) = make_float4(0, 0, 0, 0);
    else
      for (int I = X; I < min(X + 4, Pitch); ++I)
        Out[Y * Pitch + I] = 0;
    return;
  }
  const int At = (Y * Pitch + X) / 4;
  const float4 Above = In[At - Pitch / 4], Here = In[At],
               Below = In[At + Pitch / 4];
  reinterpret_cast<float4 &>(Out[Y * Pitch + X]) = make_float4(
      Above.x + Here.x + Below.x, Above.y + Here.y + Below.y,
      Above.z + Here.z + Below.z, Above.w + Here.w + Below.w);
}

int main(int Count, char **Words) {
  const int Rows = Count > 1 ? atoi(Words[1]) : Height;
  const float4 *In =
      reinterpret_cast<const float4 *>(input<float>(Width * Height));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  const dim3 Block(16, 16), Grid(Width / 64, (Rows + 15) / 16);
  Pair P("border-cleared-by-vector");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      filter<false><<<Grid, Block>>>(In, Expected, Rows, Width);
    else
      filter<true><<<Grid, Block>>>(In, Out, Rows, Width);
}
