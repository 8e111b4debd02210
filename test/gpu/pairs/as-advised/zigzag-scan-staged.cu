// Rule: cuda-memory-narrow-access
// Transform coefficients of 8 x 8 blocks of a frame quantised and put into
// zigzag order. As advised, a thread handles four neighbouring coefficients,
// loaded as vectors; their places are apart, so that it stores one by one.
#include "../Pair.cuh"

constexpr int N = 3840 * 2160, Size = 64, Threads = 256;

__device__ short quantised(int Coefficient, int Scale) {
  const int Level = (abs(Coefficient) * Scale + 0x5555) >> 16;
  return short(Coefficient < 0 ? -Level : Level);
}

__global__ void before(const short *__restrict__ In,
                       const unsigned short *__restrict__ Scales,
                       const unsigned char *__restrict__ Order,
                       short *__restrict__ Out) {
  const int I = blockIdx.x * Threads + threadIdx.x, At = I % Size;
  Out[I - At + Order[At]] = quantised(In[I], Scales[At]);
}

__global__ void after(const short *__restrict__ In,
                      const unsigned short *__restrict__ Scales,
                      const unsigned char *__restrict__ Order,
                      short *__restrict__ Out) {
  const int I = 4 * (blockIdx.x * Threads + threadIdx.x), At = I % Size;
  const short4 Four = *reinterpret_cast<const short4 *>(In + I);
  const ushort4 Scale = *reinterpret_cast<const ushort4 *>(Scales + At);
  const uchar4 Place = *reinterpret_cast<const uchar4 *>(Order + At);
  short *To = Out + (I - At);
  To[Place.x] = quantised(Four.x, Scale.x);
  To[Place.y] = quantised(Four.y, Scale.y);
  To[Place.z] = quantised(Four.z, Scale.z);
  To[Place.w] = quantised(Four.w, Scale.w);
}

/// Where the zigzag through a block comes to each coefficient.
std::vector<unsigned char> zigzag() {
  std::vector<unsigned char> Place(Size);
  int Next = 0;
  for (int Diagonal = 0; Diagonal < 15; ++Diagonal)
    for (int K = 0; K <= Diagonal; ++K) {
      const int Row = Diagonal % 2 ? K : Diagonal - K, Column = Diagonal - Row;
      if (Row < 8 && Column < 8)
        Place[Row * 8 + Column] = static_cast<unsigned char>(Next++);
    }
  return Place;
}

int main() {
  const short *In = input<short>(N, 2048);
  std::vector<unsigned short> Of(Size);
  for (int I = 0; I < Size; ++I)
    Of[I] = static_cast<unsigned short>(65536 / (8 + I));
  const unsigned short *Scales = onDevice(Of);
  const unsigned char *Order = onDevice(zigzag());
  short *Expected = output<short>(N), *Out = output<short>(N);
  Pair P("zigzag-scan-staged-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(In, Scales, Order, Expected);
    else
      after<<<N / Threads / 4, Threads>>>(In, Scales, Order, Out);
}
