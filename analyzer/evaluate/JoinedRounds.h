//===- JoinedRounds.h - Rounds whose accesses become one --------*- C++ -*-===//
//
// Of a loop that is written out nvcc makes one load or store of the words that
// a lane wants in successive rounds, where they lie side by side in an array of
// shared memory (LDS.128 in place of four LDS, STS.128 of four STS; read off
// cubins of nvcc 13 for sm_90).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_JOINEDROUNDS_H
#define WARPWISE_ANALYZER_EVALUATE_JOINEDROUNDS_H

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace warpwise::access {

/// Where the first round of a loop counts as lying: where it does, or where a
/// wide load can begin. What is loaded before a loop that is written out can
/// take the place of the rounds that are missing ("Sum = Row[0]; for (I = 1;").
enum class FirstRound { AsWritten, Aligned };

/// A loop of which rounds stand side by side.
struct SideBySide {
  const llvm::Loop &L;
  unsigned Together; ///< rounds whose accesses can become one
  unsigned Rounds;   ///< that are written out
  /// The outermost loop that is written out whole, around \ref L or that one:
  /// where its rounds and those of the loops in it begin, nvcc knows of each.
  const llvm::Loop &Outermost;
};

/// So many rounds of \p Of one load or store of up to 16 bytes serves as far as
/// the addresses say: they grow by the size of \p Access in each round, and the
/// first of them is aligned. 1: each has its own, as where other accesses to
/// shared memory stand between them.
unsigned roundsAtOnce(const llvm::Instruction &Access, const SideBySide &Of,
                      FirstRound First);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_JOINEDROUNDS_H
