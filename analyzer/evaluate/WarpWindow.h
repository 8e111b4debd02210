//===- WarpWindow.h - Near each other whatever memory says ------*- C++ -*-===//
//
// Table[Row][Data] with one row for the whole warp: data choose within a row,
// not within the table. `Data < Limit ? It.Below : It.Above` chooses between
// two words that lie side by side. Where the lanes go is not known, but how far
// apart from each other they can go.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_WARPWINDOW_H
#define WARPWISE_ANALYZER_EVALUATE_WARPWINDOW_H

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

struct WarpWindow {
  uint64_t Bytes = 0;
  /// As long as indices do not leave the rows that the types of arrays say, as
  /// C++ has it; some programs walk on into the next row all the same, so it is
  /// likely and no bound.
  bool IsByType = false;
};

/// What all lanes of a warp stay within that execute \p Access, a load or
/// store; nothing where they may go anywhere.
std::optional<WarpWindow> warpWindow(const llvm::Instruction &Access,
                                     const llvm::LoopInfo &Loops);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_WARPWINDOW_H
