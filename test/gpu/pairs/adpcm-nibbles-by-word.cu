// Rule: cuda-memory-narrow-access
// Speech of many channels, four bits a sample, is decoded by a thread a
// channel, where each sample depends on the one before: the codes of a channel
// come as bytes of two samples or as words of eight.
#include "Pair.cuh"

constexpr int Channels = 1 << 14, Samples = 256;

struct Decoder {
  int Value = 0, Step = 16;

  __device__ int16_t next(int Code) {
    const int Move = Step * (2 * (Code & 7) + 1) >> 3;
    Value = min(max(Value + (Code & 8 ? -Move : Move), -32768), 32767);
    Step = min(max(Step * ((Code & 7) < 4 ? 58 : 80) >> 6, 16), 16384);
    return int16_t(Value);
  }
};

__global__ void before(const uint8_t *Codes, int16_t *Out) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  Decoder D;
  for (int I = 0; I < Samples; I += 2) {
    // Four bytes of a channel lie together, then those of the next channel.
    const int Byte = Codes[(I / 8 * Channels + C) * 4 + I / 2 % 4];
    Out[I * Channels + C] = D.next(Byte & 15);
    Out[(I + 1) * Channels + C] = D.next(Byte >> 4);
  }
}

__global__ void after(const uint32_t *Codes, int16_t *Out) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  Decoder D;
  for (int I = 0; I < Samples; I += 8) {
    const uint32_t Word = Codes[I / 8 * Channels + C];
    for (int J = 0; J < 8; ++J)
      Out[(I + J) * Channels + C] = D.next(Word >> 4 * J & 15);
  }
}

int main() {
  const uint8_t *Codes = input<uint8_t>(Channels * Samples / 2, 256);
  int16_t *Expected = output<int16_t>(Channels * Samples),
          *Out = output<int16_t>(Channels * Samples);
  Pair P("adpcm-nibbles-by-word");
  P.same(Expected, Out, Channels * Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels / 64, 64>>>(Codes, Expected);
    else
      after<<<Channels / 64, 64>>>((const uint32_t *)Codes, Out);
}
