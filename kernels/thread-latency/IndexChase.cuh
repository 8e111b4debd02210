//===- IndexChase.cuh - The chase as C code has it --------------*- C++ -*-===//
//
// The papers, and most public figures, chase indices: `P = Array[P]`. Their
// latency contains the multiplication or shift that makes an address of an
// index. Measured as well, so that like can be compared with like.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_THREADLATENCY_INDEXCHASE_CUH
#define WARPWISE_KERNELS_THREADLATENCY_INDEXCHASE_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

#include <algorithm>
#include <numeric>

namespace warpwise::harness {
inline namespace threadLatency {

constexpr unsigned IndexedWords = 2048;
constexpr unsigned IndexedSteps = 8192;

template <bool InShared>
__global__ void chaseIndices(const unsigned *Next, uint32_t *Out) {
  __shared__ unsigned Copy[InShared ? IndexedWords : 1];
  if constexpr (InShared)
    for (unsigned I = 0; I != IndexedWords; ++I)
      Copy[I] = Next[I];
  const unsigned *const Array = InShared ? Copy : Next;
  unsigned P = 0;
  uint32_t Begin = 0;
  // The first round brings the array into L1.
#pragma unroll 1
  for (unsigned Round = 0; Round != 2; ++Round) {
    Begin = clockNow();
#pragma unroll 32
    for (unsigned I = 0; I != IndexedSteps; ++I)
      P = Array[P];
    consume(P);
  }
  Out[0] = clockNow() - Begin;
  Out[1] = P;
}

/// Cycles per step through 8 KiB in random order.
template <bool InShared> double indexedStep(std::mt19937_64 &Random) {
  std::vector<unsigned> Order(IndexedWords), Next(IndexedWords);
  std::iota(Order.begin(), Order.end(), 0u);
  std::shuffle(Order.begin() + 1, Order.end(), Random);
  for (unsigned I = 0; I != IndexedWords; ++I)
    Next[Order[I]] = Order[(I + 1) % IndexedWords];
  Buffer<unsigned> Array{std::span<const unsigned>(Next)};
  Buffer<uint32_t> Out(2);
  chaseIndices<InShared><<<1, 1>>>(Array.get(), Out.get());
  finish();
  const std::vector<uint32_t> Result = Out.download();
  if (Result[1] != Order[2 * IndexedSteps % IndexedWords])
    throw CudaFailure("a chase through indices ended at the wrong one");
  return double(Result[0]) / IndexedSteps;
}

} // namespace threadLatency
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_THREADLATENCY_INDEXCHASE_CUH
