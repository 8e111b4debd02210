//===- PointerChase.cu - Latency without a clock in the loop --------------===//

#include "kernels/harness/PointerChase.h"

#include <algorithm>

namespace warpwise::harness {
namespace {

__global__ void linkWords(char *Array, const uint64_t *Offsets,
                          uint64_t Count) {
  for (uint64_t I = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; I < Count;
       I += uint64_t(gridDim.x) * blockDim.x)
    *reinterpret_cast<char **>(Array + Offsets[I]) =
        Array + Offsets[I + 1 == Count ? 0 : I + 1];
}

__global__ void touchAll(const char *Array, uint64_t Bytes, uint32_t *Sink) {
  uint32_t Sum = 0;
  for (uint64_t At = threadIdx.x * uint64_t(32); At < Bytes;
       At += blockDim.x * uint64_t(32))
    Sum ^= load<Path::L2>(reinterpret_cast<const uint32_t *>(Array + At));
  if (Sum == 0x9e3779b9)
    *Sink = Sum;
}

template <Path Through>
__device__ __forceinline__ const char *next(const char *At) {
  const char *Value;
  if constexpr (Through == Path::L1)
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(Value) : "l"(At));
  else if constexpr (Through == Path::L2)
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(Value) : "l"(At));
  else
    asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(Value) : "l"(At));
  return Value;
}

/// Rounds of 16 loads, so that the loop's own instructions hide behind them.
template <Path Through>
__global__ void chase(const char *Start, uint64_t WarmRounds, uint64_t Rounds,
                      uint64_t *Out) {
  const char *At = Start;
#pragma unroll 1
  for (uint64_t R = 0; R < WarmRounds; ++R)
#pragma unroll
    for (int I = 0; I < 16; ++I)
      At = next<Through>(At);
  consume(uint32_t(reinterpret_cast<uint64_t>(At)) | 1);
  const uint64_t Begin = clock64Now();
#pragma unroll 1
  for (uint64_t R = 0; R < Rounds; ++R)
#pragma unroll
    for (int I = 0; I < 16; ++I)
      At = next<Through>(At);
  consume(uint32_t(reinterpret_cast<uint64_t>(At)) | 1);
  const uint64_t End = clock64Now();
  Out[0] = End - Begin;
  Out[1] = reinterpret_cast<uint64_t>(At);
}

using Kernel = void (*)(const char *, uint64_t, uint64_t, uint64_t *);

Kernel kernelFor(Path P) {
  switch (P) {
  case Path::L1:
    return chase<Path::L1>;
  case Path::L2:
    return chase<Path::L2>;
  case Path::ReadOnly:
    return chase<Path::ReadOnly>;
  }
  return nullptr;
}

} // namespace

PointerChase::PointerChase(const Device &D, Path Through, uint64_t Bytes,
                           uint64_t Carveout)
    : Through(Through), Array(Bytes), Result(2),
      SharedBytes(requestCarveout(
          D, reinterpret_cast<const void *>(kernelFor(Through)), Carveout)) {
  Array.zero();
}

void PointerChase::link(std::span<const uint64_t> Order) {
  if (Offsets.size() < Order.size())
    Offsets = Buffer<uint64_t>(Order.size());
  Offsets.upload(Order);
  linkWords<<<unsigned(std::min<size_t>(1024, (Order.size() + 255) / 256)),
              256>>>(Array.get(), Offsets.get(), Order.size());
  finish();
  this->Order.assign(Order.begin(), Order.end());
}

void PointerChase::touch(uint64_t Bytes) {
  touchAll<<<1, 1024>>>(Array.get(), Bytes,
                        reinterpret_cast<uint32_t *>(Result.get()));
  finish();
}

double PointerChase::cycles(uint64_t Warm, uint64_t Loads) {
  const uint64_t WarmRounds = (Warm + 15) / 16;
  const uint64_t Rounds = std::max<uint64_t>(1, Loads / 16);
  kernelFor(Through)<<<1, 1, SharedBytes>>>(Array.get() + Order.front(),
                                            WarmRounds, Rounds, Result.get());
  finish();
  const std::vector<uint64_t> Out = Result.download();
  const uint64_t End = Order[(WarmRounds + Rounds) * 16 % Order.size()];
  if (Out[1] != reinterpret_cast<uint64_t>(Array.get() + End))
    throw CudaFailure("a pointer chase ended at the wrong word");
  return double(Out[0]) / double(Rounds * 16);
}

std::vector<uint64_t> spreadLines(uint64_t Lines, uint64_t Count,
                                  std::mt19937_64 &Random) {
  constexpr uint64_t Line = 128;
  std::vector<uint64_t> Chosen(Count);
  for (uint64_t I = 0; I != Count; ++I) {
    const uint64_t From = Lines * I / Count, To = Lines * (I + 1) / Count;
    Chosen[I] = (From + Random() % (To - From)) * Line;
  }
  std::shuffle(Chosen.begin(), Chosen.end(), Random);
  return Chosen;
}

} // namespace warpwise::harness
