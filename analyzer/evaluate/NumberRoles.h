//===- NumberRoles.h - What numbers that nobody knows are for ---*- C++ -*-===//
//
// An integer argument without a value, or what a kernel loads of one, by what
// the kernel does with it: that tells which numbers are likely.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_NUMBERROLES_H
#define WARPWISE_ANALYZER_EVALUATE_NUMBERROLES_H

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace warpwise::access {

/// What it is used for, as far as that limits its values.
enum class Role {
  Extent,
  Shift,
  Flag,
  Mask,
  Radius ///< it bounds something on either side: "for (D = -R; D <= R; ++D)"
};
Role roleOf(const llvm::Value &Number);

/// "if (I < N)" and "for (I = ...; I < N; I += gridDim.x * blockDim.x)": where
/// the grid is known, N is likely no less than it has threads for, or nobody
/// would start as many.
struct GridBound {
  /// Of the grid, along which the number bounds something.
  std::array<bool, 3> Axes{};
  /// Loops lead from one element of a thread to the next, the whole grid on.
  bool IsWalked = false;
  /// The number is so many times what is compared: 4 in "I < N / 4".
  uint64_t Scale = 1;
};

/// What \p Number, an integer argument or what a kernel loads of one, bounds.
/// Nothing where it bounds what does not hang on the block, too: a row, say.
std::optional<GridBound> gridBoundOf(const llvm::Value &Number);

/// Whether \p V is computed, memory aside, from how many blocks the grid has.
bool hangsOnGridSize(const llvm::Value &V);

/// What \p Number, such a number, is likely where it does nothing but say how
/// far apart the elements of vectors lie, as BLAS has it ("X[IncX * I]"): they
/// lie side by side, as a rule. Of records with members by number
/// ("Cell[Members * I + 3]"), of which several are asked for, it is as many as
/// the last one makes. Nothing where it is a pitch: something else is added
/// that tells one lane from another, or one block or round.
std::optional<uint64_t> elementStrideOf(const llvm::Value &Number);

/// The largest of the numbers that \p Number is compared with, where it also
/// says how far apart something lies: "if (Members == 5) ... At[Members * I]"
/// is for records of five. Nothing where there are none, or only large ones.
std::optional<uint64_t> comparedWith(const llvm::Value &Number);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_NUMBERROLES_H
