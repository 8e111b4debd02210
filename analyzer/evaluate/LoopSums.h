//===- LoopSums.h - Loops whose rounds only add up --------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LOOPSUMS_H
#define WARPWISE_ANALYZER_EVALUATE_LOOPSUMS_H

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace warpwise::access {

/// Whether a round of \p L, an innermost loop, does nothing for the others but
/// add to what they have added up (or multiply, or take the greater): several
/// threads could do a part of the rounds each, in any order.
bool onlyAddsUp(const llvm::Loop &L);

/// Whether each round of the loop around \p L begins \p L afresh, with nothing
/// in it but what the source says and the number of the round: all rounds could
/// go through \p L together.
bool beginsAfresh(const llvm::Loop &L);

/// Whether \p Access, in \p L, goes to the same addresses in each round of the
/// loop around \p L.
bool isSameInRounds(const llvm::Instruction &Access, const llvm::Loop &L);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LOOPSUMS_H
