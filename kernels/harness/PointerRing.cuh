//===- PointerRing.cuh - A circle of pointers in global memory --*- C++ -*-===//
//
// What the copies chase: boxes of equal size, of which each begins with the
// address of the next, in random order.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_POINTERRING_CUH
#define WARPWISE_KERNELS_HARNESS_POINTERRING_CUH

#include "kernels/harness/Cuda.h"

#include <algorithm>
#include <random>
#include <vector>

namespace warpwise::harness {
class PointerRing {
public:
  /// \p Count of the boxes of \p BoxBytes (a multiple of 8) in \p Bytes.
  PointerRing(uint64_t Bytes, unsigned BoxBytes, size_t Count,
              std::mt19937_64 &Random)
      : Memory(Bytes / 8) {
    std::vector<uint64_t> Boxes(Bytes / BoxBytes);
    for (size_t I = 0; I != Boxes.size(); ++I)
      Boxes[I] = I * BoxBytes;
    std::shuffle(Boxes.begin(), Boxes.end(), Random);
    Boxes.resize(std::min(Count, Boxes.size()));
    std::vector<uint64_t> Words(Memory.size());
    for (size_t I = 0; I != Boxes.size(); ++I)
      Words[Boxes[I] / 8] = base() + Boxes[(I + 1) % Boxes.size()];
    Memory.upload(Words);
    Order = std::move(Boxes);
  }

  size_t size() const { return Order.size(); }
  /// The address that a walk from the first box reaches with \p Steps.
  uint64_t after(uint64_t Steps) const {
    return base() + Order[Steps % Order.size()];
  }

private:
  uint64_t base() const { return reinterpret_cast<uint64_t>(Memory.get()); }

  Buffer<uint64_t> Memory;
  std::vector<uint64_t> Order; ///< offsets in bytes
};

/// \p E with \p Offset less in every part.
inline inference::Estimate less(inference::Estimate E, double Offset) {
  E.Value -= Offset;
  E.Low -= Offset;
  E.High -= Offset;
  return E;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_POINTERRING_CUH
