//===- PointerChase.h - Latency without a clock in the loop -----*- C++ -*-===//
//
// The classical pointer chase: every loaded word is the address of the next
// load, and the clock is read before and after thousands of them. What it gives
// is the load-to-use latency, without any bracket's bias.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_POINTERCHASE_H
#define WARPWISE_KERNELS_HARNESS_POINTERCHASE_H

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

#include <span>

namespace warpwise::harness {

class PointerChase {
public:
  /// Over an array of \p Bytes; \p Carveout as in ProbeOptions.
  PointerChase(const Device &D, Path Through, uint64_t Bytes,
               uint64_t Carveout = 0);

  uint64_t size() const { return Array.size(); }

  /// Links the words at \p Offsets (bytes, multiples of 8, none twice) in that
  /// order to a circle. It stays until the next call.
  void link(std::span<const uint64_t> Offsets);
  /// Loads each sector of the first \p Bytes, all from one SM, in order: brings
  /// a large footprint into that SM's side of L2.
  void touch(uint64_t Bytes);
  /// Cycles per load over \p Loads loads, after \p Warm loads that do not
  /// count. Starts at the first linked word. Throws CudaFailure when the chase
  /// does not end where it has to.
  double cycles(uint64_t Warm, uint64_t Loads);

private:
  Path Through;
  Buffer<char> Array;
  Buffer<uint64_t> Offsets;
  Buffer<uint64_t> Result;
  std::vector<uint64_t> Order;
  unsigned SharedBytes = 0;
};

/// \p Count different 128-byte lines of the first \p Lines, one from each of
/// Count equal parts, in random order; as offsets in bytes.
std::vector<uint64_t> spreadLines(uint64_t Lines, uint64_t Count,
                                  std::mt19937_64 &Random);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_POINTERCHASE_H
