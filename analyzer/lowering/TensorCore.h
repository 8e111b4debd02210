//===- TensorCore.h - Matrix fragments as accesses --------------*- C++ -*-===//
//
// wmma loads and stores are calls in the IR. Which lane touches which element
// is fixed by the instruction, so a fragment is listed as the requests that the
// hardware makes of it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_TENSORCORE_H
#define WARPWISE_ANALYZER_LOWERING_TENSORCORE_H

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// One request that a fragment load or store makes: for each lane the line (row
/// of a row-major matrix, column of the other kind) and the element in it at
/// which its bytes start.
struct FragmentRequest {
  std::array<uint16_t, 32> Line{}, Element{};
  unsigned Bytes = 0;   ///< that each lane moves
  uint32_t Lanes = ~0u; ///< those that take part
};

/// A matrix fragment as an access.
struct FragmentAccess {
  const llvm::Value *Pointer = nullptr;
  /// Elements between the starts of two lines; null: every lane brings a
  /// pointer of its own (ldmatrix).
  const llvm::Value *Stride = nullptr;
  bool IsStore = false;
  unsigned ElementBytes = 0;
  std::vector<FragmentRequest> Requests;
};

/// The fragment that \p Call loads or stores, if it is such a call.
std::optional<FragmentAccess> fragmentAccess(const llvm::CallInst &Call);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_TENSORCORE_H
