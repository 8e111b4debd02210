// Rule: cuda-memory-uncoalesced-access
// Decodes many rANS streams, a stream a thread, with the symbols' table in
// shared memory. The words of a stream follow each other, or each is followed
// by those of the other streams at the same place.
#include "Pair.cuh"

constexpr int Streams = 1 << 16, Symbols = 256, Words = Symbols + 4;
constexpr int ScaleBits = 12, Slots = 1 << ScaleBits;

struct Entry {
  uint16_t Frequency, Offset;
};

__device__ inline void loadTables(const Entry *Entries, const uint8_t *Names,
                                  Entry *LocalEntries, uint8_t *LocalNames) {
  for (int I = threadIdx.x; I < Slots; I += blockDim.x) {
    LocalEntries[I] = Entries[I];
    LocalNames[I] = Names[I];
  }
  __syncthreads();
}

__global__ void before(const uint16_t *__restrict__ In,
                       const Entry *__restrict__ Entries,
                       const uint8_t *__restrict__ Names,
                       uint8_t *__restrict__ Out) {
  __shared__ Entry Table[Slots];
  __shared__ uint8_t SymbolOf[Slots];
  loadTables(Entries, Names, Table, SymbolOf);
  const int Stream = blockIdx.x * blockDim.x + threadIdx.x;
  const uint16_t *Next = In + size_t(Stream) * Words;
  uint32_t State = 0x10000u | *Next++;
  for (int I = 0; I < Symbols; ++I) {
    const uint32_t Slot = State % Slots;
    Out[size_t(I) * Streams + Stream] = SymbolOf[Slot];
    const Entry E = Table[Slot];
    State = E.Frequency * (State >> ScaleBits) + E.Offset;
    if (State < 0x10000u)
      State = State << 16 | *Next++;
  }
}

__global__ void after(const uint16_t *__restrict__ In,
                      const Entry *__restrict__ Entries,
                      const uint8_t *__restrict__ Names,
                      uint8_t *__restrict__ Out) {
  __shared__ Entry Table[Slots];
  __shared__ uint8_t SymbolOf[Slots];
  loadTables(Entries, Names, Table, SymbolOf);
  const int Stream = blockIdx.x * blockDim.x + threadIdx.x;
  const uint16_t *Next = In + Stream;
  uint32_t State = 0x10000u | *Next;
  Next += Streams;
  for (int I = 0; I < Symbols; ++I) {
    const uint32_t Slot = State % Slots;
    Out[size_t(I) * Streams + Stream] = SymbolOf[Slot];
    const Entry E = Table[Slot];
    State = E.Frequency * (State >> ScaleBits) + E.Offset;
    if (State < 0x10000u) {
      State = State << 16 | *Next;
      Next += Streams;
    }
  }
}

int main() {
  std::vector<Entry> HostEntries(Slots);
  std::vector<uint8_t> HostNames(Slots);
  // Symbols in turns of 4, 8, 16 and 36 slots.
  for (int Slot = 0, Symbol = 0; Slot < Slots; ++Symbol) {
    const int Wanted = Symbol % 4 == 3 ? 36 : 4 << Symbol % 4;
    const int Frequency = std::min(Wanted, Slots - Slot);
    for (int I = 0; I < Frequency; ++I, ++Slot) {
      HostEntries[Slot] = {uint16_t(Frequency), uint16_t(I)};
      HostNames[Slot] = uint8_t(Symbol);
    }
  }
  const Entry *Entries = onDevice(HostEntries);
  const uint8_t *Names = onDevice(HostNames);
  constexpr size_t All = size_t(Streams) * Words;
  constexpr size_t Results = size_t(Streams) * Symbols;
  const uint16_t *In = input<uint16_t>(All, 65536);
  const uint16_t *Interleaved = arranged(
      In, All, All, [](size_t I) { return I % Streams * Words + I / Streams; });
  uint8_t *Expected = output<uint8_t>(Results), *Out = output<uint8_t>(Results);
  Pair P("rans-streams-interleaved");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<Streams / 256, 256>>>(In, Entries, Names, Expected);
    else
      after<<<Streams / 256, 256>>>(Interleaved, Entries, Names, Out);
}
