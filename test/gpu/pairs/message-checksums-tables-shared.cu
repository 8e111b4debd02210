// Rule: cuda-memory-constant-nonuniform
// CRC-32 of messages of 256 bytes, a thread each, four bytes at a time by four
// tables of 256 words ("slicing"). Messages lie word by word beside each other,
// so loads are coalesced; the tables are in constant memory or copied to shared
// memory by each block, as constant memory serves one address at a time.
#include "Pair.cuh"

constexpr int Messages = 3 << 16, Words = 64, Block = 256;

__constant__ unsigned Slices[4 * 256];

__global__ void before(const unsigned *__restrict__ Data,
                       unsigned *__restrict__ Checksums, int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  unsigned Crc = ~0u;
  for (int W = 0; W < Words; ++W) {
    Crc ^= Data[size_t(W) * Count + I];
    Crc = Slices[3 * 256 + (Crc & 255)] ^ Slices[2 * 256 + (Crc >> 8 & 255)] ^
          Slices[256 + (Crc >> 16 & 255)] ^ Slices[Crc >> 24];
  }
  Checksums[I] = ~Crc;
}

__global__ void after(const unsigned *__restrict__ Data,
                      const unsigned *__restrict__ Tables,
                      unsigned *__restrict__ Checksums, int Count) {
  __shared__ unsigned Near[4 * 256];
  for (int K = threadIdx.x; K < 4 * 256; K += Block)
    Near[K] = Tables[K];
  __syncthreads();
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  unsigned Crc = ~0u;
  for (int W = 0; W < Words; ++W) {
    Crc ^= Data[size_t(W) * Count + I];
    Crc = Near[3 * 256 + (Crc & 255)] ^ Near[2 * 256 + (Crc >> 8 & 255)] ^
          Near[256 + (Crc >> 16 & 255)] ^ Near[Crc >> 24];
  }
  Checksums[I] = ~Crc;
}

int main() {
  std::vector<unsigned> Host(4 * 256);
  for (unsigned B = 0; B < 256; ++B) {
    unsigned Crc = B;
    for (int Bit = 0; Bit < 8; ++Bit)
      Crc = Crc >> 1 ^ (Crc & 1 ? 0xedb88320u : 0);
    Host[B] = Crc;
  }
  for (unsigned B = 0; B < 256; ++B)
    for (int S = 1; S < 4; ++S) {
      const unsigned Last = Host[(S - 1) * 256 + B];
      Host[S * 256 + B] = Last >> 8 ^ Host[Last & 255];
    }
  must(cudaMemcpyToSymbol(Slices, Host.data(), sizeof(Slices)));
  const unsigned *Tables = onDevice(Host);
  const unsigned *Data = input<unsigned>(size_t(Messages) * Words, ~0u);
  unsigned *Expected = output<unsigned>(Messages),
           *Out = output<unsigned>(Messages);
  Pair P("message-checksums-tables-shared");
  P.same(Expected, Out, Messages);
  while (P.next())
    if (P.beforesTurn())
      before<<<Messages / Block, Block>>>(Data, Expected, Messages);
    else
      after<<<Messages / Block, Block>>>(Data, Tables, Out, Messages);
}
