// Rule: cuda-memory-split-gather
// Walks back through a Burrows-Wheeler text by its FM index: the counts before
// each 64 letters lie in four arrays and the letters in two planes of bits, or
// all six of them in one record.
#include "Pair.cuh"

constexpr uint32_t Blocks = 1 << 20, Letters = Blocks * 64;
constexpr int Reads = 1 << 18, Steps = 24;

struct alignas(32) Record {
  uint64_t Low, High;
  uint32_t Count[4];
};

__device__ inline unsigned letterAt(uint64_t Low, uint64_t High, unsigned At) {
  return unsigned(Low >> At & 1) | unsigned(High >> At & 1) << 1;
}

__device__ inline unsigned countBelow(uint64_t Low, uint64_t High,
                                      unsigned Letter, unsigned At) {
  const uint64_t Same = (Letter & 1 ? Low : ~Low) & (Letter & 2 ? High : ~High);
  return __popcll(Same & ((uint64_t(1) << At) - 1));
}

__global__ void before(const uint32_t *__restrict__ Counts,
                       const uint64_t *__restrict__ Low,
                       const uint64_t *__restrict__ High,
                       const uint32_t *__restrict__ Starts,
                       uint64_t *__restrict__ Contexts) {
  const int Read = blockIdx.x * blockDim.x + threadIdx.x;
  if (Read >= Reads)
    return;
  uint32_t Row = Starts[Read];
  uint64_t Context = 0;
  for (int Step = 0; Step < Steps; ++Step) {
    const uint32_t Block = Row / 64;
    const uint64_t L = Low[Block], H = High[Block];
    const unsigned Letter = letterAt(L, H, Row % 64);
    Context = Context << 2 | Letter;
    Row = Counts[Letter * Blocks + Block] + countBelow(L, H, Letter, Row % 64);
  }
  Contexts[Read] = Context;
}

__global__ void after(const Record *__restrict__ Index,
                      const uint32_t *__restrict__ Starts,
                      uint64_t *__restrict__ Contexts) {
  const int Read = blockIdx.x * blockDim.x + threadIdx.x;
  if (Read >= Reads)
    return;
  uint32_t Row = Starts[Read];
  uint64_t Context = 0;
  for (int Step = 0; Step < Steps; ++Step) {
    const Record &R = Index[Row / 64];
    const uint64_t L = R.Low, H = R.High;
    const unsigned Letter = letterAt(L, H, Row % 64);
    Context = Context << 2 | Letter;
    Row = R.Count[Letter] + countBelow(L, H, Letter, Row % 64);
  }
  Contexts[Read] = Context;
}

int main() {
  std::vector<Record> Index(Blocks);
  std::vector<uint64_t> Low(Blocks), High(Blocks);
  std::vector<uint32_t> Counts(4 * size_t(Blocks));
  uint32_t Total[4] = {};
  for (uint32_t I = 0; I < Blocks; ++I) {
    Low[I] = uint64_t(mixed(4 * I)) << 32 | mixed(4 * I + 1);
    High[I] = uint64_t(mixed(4 * I + 2)) << 32 | mixed(4 * I + 3);
    for (unsigned C = 0; C < 4; ++C) {
      Counts[C * size_t(Blocks) + I] = Total[C];
      Total[C] += __builtin_popcountll((C & 1 ? Low[I] : ~Low[I]) &
                                       (C & 2 ? High[I] : ~High[I]));
    }
  }
  // The rows of a letter follow those of the letters before it.
  for (uint32_t C = 0, First = 0; C < 4; First += Total[C++])
    for (uint32_t I = 0; I < Blocks; ++I)
      Counts[C * size_t(Blocks) + I] += First;
  for (uint32_t I = 0; I < Blocks; ++I) {
    Index[I] = {Low[I], High[I], {}};
    for (unsigned C = 0; C < 4; ++C)
      Index[I].Count[C] = Counts[C * size_t(Blocks) + I];
  }
  const uint32_t *DeviceCounts = onDevice(Counts);
  const uint64_t *DeviceLow = onDevice(Low), *DeviceHigh = onDevice(High);
  const Record *DeviceIndex = onDevice(Index);
  const uint32_t *Starts = input<uint32_t>(Reads, Letters);
  uint64_t *Expected = output<uint64_t>(Reads), *Out = output<uint64_t>(Reads);
  Pair P("fm-index-counts-beside-letters");
  P.same(Expected, Out, Reads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Reads / 256, 256>>>(DeviceCounts, DeviceLow, DeviceHigh, Starts,
                                   Expected);
    else
      after<<<Reads / 256, 256>>>(DeviceIndex, Starts, Out);
}
