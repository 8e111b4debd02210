// Rule: cuda-memory-narrow-access
// Pixels of one byte become colours by a palette of 256 words. As advised, each
// thread handles four neighbouring pixels: it loads uchar4 and stores uint4.
// Options: --buffer=In=random,count=2097152,below=256
#include "../Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const unsigned char *In, const unsigned *Palette,
                       unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Palette[In[I]];
}

__global__ void after(const unsigned char *In, const unsigned *Palette,
                      unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 Four = reinterpret_cast<const uchar4 *>(In)[I];
  reinterpret_cast<uint4 *>(Out)[I] = make_uint4(
      Palette[Four.x], Palette[Four.y], Palette[Four.z], Palette[Four.w]);
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  const unsigned *Palette = input<unsigned>(256, 1 << 24);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("palette-in-shared-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Palette, Expected);
    else
      after<<<N / 4 / 256, 256>>>(In, Palette, Out);
}
