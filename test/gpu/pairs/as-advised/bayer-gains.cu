// Rule: cuda-memory-narrow-access
// Gains of a Bayer pattern: lanes by turns take one of two words of constant
// memory, while the image comes from DRAM. As advised, each thread handles two
// neighbouring pixels: it loads a ushort2 and stores a float2.
#include "../Pair.cuh"

constexpr int N = 4096;

__constant__ float Gains[4];

__global__ void before(const unsigned short *Raw, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * N + X] = Gains[Y % 2 * 2 + X % 2] * (Raw[Y * N + X] - 64);
}

__global__ void after(const unsigned short *Raw, float *Out) {
  const int X = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const ushort2 Two = *reinterpret_cast<const ushort2 *>(Raw + Y * N + X);
  *reinterpret_cast<float2 *>(Out + Y * N + X) = make_float2(
      Gains[Y % 2 * 2] * (Two.x - 64), Gains[Y % 2 * 2 + 1] * (Two.y - 64));
}

int main() {
  const unsigned short *Raw = input<unsigned short>(N * N, 1024);
  const float *Table = input<float>(4);
  must(cudaMemcpyToSymbol(Gains, Table, sizeof(Gains), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("bayer-gains-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(Raw, Expected);
    else
      after<<<dim3(N / 128, N / 4), dim3(64, 4)>>>(Raw, Out);
}
