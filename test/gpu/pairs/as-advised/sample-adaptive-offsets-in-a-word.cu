// Rule: cuda-memory-narrow-access
// Sample adaptive offset of a video decoder, in coding units of 64 x 64. As
// advised, a thread handles four neighbouring pixels as one uchar4, their
// neighbours likewise but for those beyond; a block handles four units.
#include "../Pair.cuh"

constexpr int Width = 3840, Height = 2160, Unit = 64;
constexpr int Across = Width / Unit, Down = (Height + Unit - 1) / Unit,
              Units = Across * Down;

__constant__ unsigned char Direction[Units];
__constant__ short Offsets[Units][5];

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

__device__ uchar4 fourAt(const unsigned char *In) {
  return *reinterpret_cast<const uchar4 *>(In);
}

/// The four pixels at \p I, or those one to the left (-1) or right (1) of each;
/// any value where that is outside of the picture.
__device__ uchar4 beside(const unsigned char *In, int I, int X, int Side) {
  const uchar4 Four = fourAt(In + I);
  if (Side < 0)
    return make_uchar4(X > 0 ? In[I - 1] : 0, Four.x, Four.y, Four.z);
  if (Side > 0)
    return make_uchar4(Four.y, Four.z, Four.w, X + 4 < Width ? In[I + 4] : 0);
  return Four;
}

__device__ unsigned char adapted(int Pixel, int A, int B, const short *Offset) {
  return min(max(Pixel + Offset[category(Pixel, A, B)], 0), 255);
}

__global__ void after(const unsigned char *__restrict__ In,
                      unsigned char *__restrict__ Out) {
  const int X = 4 * (blockIdx.x * Unit + threadIdx.x);
  const int U = blockIdx.y * Across + X / Unit;
  const int Way = Direction[U];
  // A step of stepOf() is Below and Side together.
  const int Below = Way == 0 ? 0 : Width;
  const int Side = Way == 1 ? 0 : Way == 3 ? -1 : 1;
  for (int Row = threadIdx.y; Row < Unit; Row += blockDim.y) {
    const int Y = blockIdx.y * Unit + Row;
    if (Y >= Height)
      return;
    const int I = Y * Width + X;
    const uchar4 Pixel = fourAt(In + I);
    uchar4 New = Pixel;
    if (Y > 0 && Y < Height - 1) {
      const uchar4 A = beside(In, I - Below, X, -Side);
      const uchar4 B = beside(In, I + Below, X, Side);
      if (X > 0)
        New.x = adapted(Pixel.x, A.x, B.x, Offsets[U]);
      New.y = adapted(Pixel.y, A.y, B.y, Offsets[U]);
      New.z = adapted(Pixel.z, A.z, B.z, Offsets[U]);
      if (X + 4 < Width)
        New.w = adapted(Pixel.w, A.w, B.w, Offsets[U]);
    }
    *reinterpret_cast<uchar4 *>(Out + I) = New;
  }
}

int main() {
  const unsigned char *In = input<unsigned char>(Width * Height, 16);
  std::vector<unsigned char> Ways(Units);
  std::vector<short> Apart(Units * 5);
  for (int U = 0; U < Units; ++U) {
    Ways[U] = mixed(U) % 4;
    for (int F = 1; F < 5; ++F) {
      const int Offset = int(mixed(U * 8 + F) % 15) - 7;
      Apart[U * 5 + F] = short(Offset);
    }
  }
  must(cudaMemcpyToSymbol(Direction, Ways.data(), sizeof(Direction)));
  must(cudaMemcpyToSymbol(Offsets, Apart.data(), sizeof(Offsets)));
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  Pair P("sample-adaptive-offsets-in-a-word-as-advised");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Across, Down), Quarter(Across / 4, Down), Block(Unit, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected);
    else
      after<<<Quarter, Block>>>(In, Out);
}
