// Rule: cuda-memory-constant-nonuniform
// Sample adaptive offset of a video decoder, a block for each coding unit of
// 64 x 64: the offset for the shape of an edge comes from constant memory,
// whose index differs by pixel, or from one word with five fields of four bits.
#include "Pair.cuh"

constexpr int Width = 3840, Height = 2160, Unit = 64;
constexpr int Across = Width / Unit, Down = (Height + Unit - 1) / Unit,
              Units = Across * Down;

__constant__ unsigned char Direction[Units];
__constant__ short Offsets[Units][5];
__constant__ unsigned Packed[Units];

__device__ int sign(int Value) { return (Value > 0) - (Value < 0); }

/// Local minimum, two kinds of corner, local maximum; or 0: none of these.
__device__ int category(int Here, int A, int B) {
  const int Sum = sign(Here - A) + sign(Here - B);
  return Sum == 0 ? 0 : Sum < 0 ? Sum + 3 : Sum + 2;
}

__device__ int stepOf(int Way) {
  return Way == 0 ? 1 : Way == 1 ? Width : Way == 2 ? Width + 1 : Width - 1;
}

__device__ bool atBorder(int X, int Y) {
  return X == 0 || Y == 0 || X == Width - 1 || Y == Height - 1;
}

__global__ void before(const unsigned char *__restrict__ In,
                       unsigned char *__restrict__ Out) {
  const int U = blockIdx.y * Across + blockIdx.x;
  const int X = blockIdx.x * Unit + threadIdx.x;
  const int Step = stepOf(Direction[U]);
  for (int Row = threadIdx.y; Row < Unit; Row += blockDim.y) {
    const int Y = blockIdx.y * Unit + Row;
    if (Y >= Height)
      return;
    const int I = Y * Width + X;
    int Pixel = In[I];
    if (!atBorder(X, Y))
      Pixel += Offsets[U][category(Pixel, In[I - Step], In[I + Step])];
    Out[I] = min(max(Pixel, 0), 255);
  }
}

__global__ void after(const unsigned char *__restrict__ In,
                      unsigned char *__restrict__ Out) {
  const int U = blockIdx.y * Across + blockIdx.x;
  const int X = blockIdx.x * Unit + threadIdx.x;
  const int Step = stepOf(Direction[U]);
  const unsigned Fields = Packed[U];
  for (int Row = threadIdx.y; Row < Unit; Row += blockDim.y) {
    const int Y = blockIdx.y * Unit + Row;
    if (Y >= Height)
      return;
    const int I = Y * Width + X;
    int Pixel = In[I];
    if (!atBorder(X, Y)) {
      const int Field = category(Pixel, In[I - Step], In[I + Step]);
      Pixel += int(Fields << (28 - 4 * Field)) >> 28;
    }
    Out[I] = min(max(Pixel, 0), 255);
  }
}

int main() {
  const unsigned char *In = input<unsigned char>(Width * Height, 16);
  std::vector<unsigned char> Ways(Units);
  std::vector<short> Apart(Units * 5);
  std::vector<unsigned> Words(Units);
  for (int U = 0; U < Units; ++U) {
    Ways[U] = mixed(U) % 4;
    for (int F = 1; F < 5; ++F) {
      const int Offset = int(mixed(U * 8 + F) % 15) - 7;
      Apart[U * 5 + F] = short(Offset);
      Words[U] |= (unsigned(Offset) & 15) << 4 * F;
    }
  }
  must(cudaMemcpyToSymbol(Direction, Ways.data(), sizeof(Direction)));
  must(cudaMemcpyToSymbol(Offsets, Apart.data(), sizeof(Offsets)));
  must(cudaMemcpyToSymbol(Packed, Words.data(), sizeof(Packed)));
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  Pair P("sample-adaptive-offsets-in-a-word");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Across, Down), Block(Unit, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected);
    else
      after<<<Grid, Block>>>(In, Out);
}
