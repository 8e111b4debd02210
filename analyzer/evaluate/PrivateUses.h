//===- PrivateUses.h - What private arrays ask of local memory --*- C++ -*-===//
//
// Where a private array stays in memory, each of its accesses is a request of
// local memory: words of 4 bytes, interleaved so that the same word of 32
// neighbouring lanes is one line of 128 bytes. A warp whose lanes agree about
// the index moves whole lines; lanes that want different elements touch one
// line for each.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PRIVATEUSES_H
#define WARPWISE_ANALYZER_EVALUATE_PRIVATEUSES_H

#include "analyzer/model/AccessModel.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace warpwise::access {

/// A load from or a store to a private array.
struct PrivateUse {
  llvm::AllocaInst *Array = nullptr;
  const llvm::Instruction *Instruction = nullptr;
  Operation Op = Operation::Load;
  unsigned Bytes = 0; ///< per lane
  /// Of the array; unset where its size is not constant.
  std::optional<uint64_t> ArrayBytes;
  /// Of the elements of that size, or of the words where it is smaller, those
  /// that a lane may want where another one wants its own.
  double Elements = 1;
  /// Stores of parts of a word that the compiler makes one of.
  unsigned AtOnce = 1;
  /// Lanes may want different elements at a time.
  bool LanesDiffer = false;
};

struct UnrolledLoops;

/// All of \p F, whose loops are \p Loops.
std::vector<PrivateUse> privateUses(llvm::Function &F,
                                    const llvm::LoopInfo &Loops,
                                    const UnrolledLoops &Unrolled);

/// What \p Requests of \p Use cost, made by \p Warps with \p Lanes active ones
/// each. Elements that differ are taken to be random ones.
Cost costOf(const PrivateUse &Use, double Requests, double Warps, double Lanes);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PRIVATEUSES_H
