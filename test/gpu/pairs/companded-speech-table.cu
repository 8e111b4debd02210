// Rule: cuda-memory-constant-nonuniform
// Decodes mu-law speech, four bytes a thread, with a table of 256 shorts: in
// constant memory, where the lanes of a warp want some thirty words of it, or
// copied to shared memory by each block.
#include "Pair.cuh"

constexpr int Samples = 16 << 20;

__constant__ short Linear[256];

__global__ void before(const uchar4 *In, short4 *Out, int Fours) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Fours;
       I += gridDim.x * blockDim.x) {
    const uchar4 Code = In[I];
    Out[I] = make_short4(Linear[Code.x], Linear[Code.y], Linear[Code.z],
                         Linear[Code.w]);
  }
}

__global__ void after(const uchar4 *In, const short *Table, short4 *Out,
                      int Fours) {
  __shared__ short Near[256];
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    Near[I] = Table[I];
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Fours;
       I += gridDim.x * blockDim.x) {
    const uchar4 Code = In[I];
    Out[I] =
        make_short4(Near[Code.x], Near[Code.y], Near[Code.z], Near[Code.w]);
  }
}

int main() {
  std::vector<short> Law(256);
  for (int I = 0; I < 256; ++I) {
    const int Code = ~I & 0xff, Exponent = Code >> 4 & 7, Mantissa = Code & 15;
    const int Size = (((Mantissa << 3) + 0x84) << Exponent) - 0x84;
    Law[I] = short(Code & 0x80 ? -Size : Size);
  }
  must(cudaMemcpyToSymbol(Linear, Law.data(), sizeof(Linear)));
  const short *Table = onDevice(Law);
  const uint8_t *Speech = input<uint8_t>(Samples, 256);
  short *Expected = output<short>(Samples), *Out = output<short>(Samples);
  Pair P("companded-speech-table");
  P.same(Expected, Out, Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<1056, 256>>>(reinterpret_cast<const uchar4 *>(Speech),
                            reinterpret_cast<short4 *>(Expected), Samples / 4);
    else
      after<<<1056, 256>>>(reinterpret_cast<const uchar4 *>(Speech), Table,
                           reinterpret_cast<short4 *>(Out), Samples / 4);
}
