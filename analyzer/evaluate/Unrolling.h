//===- Unrolling.h - How nvcc runs the rounds of a loop ---------*- C++ -*-===//
//
// Rounds that are written out one after the other share their counting; those
// that need not wait for what earlier ones load share the waiting, too.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_UNROLLING_H
#define WARPWISE_ANALYZER_EVALUATE_UNROLLING_H

#include "analyzer/evaluate/CarriedWords.h"
#include "analyzer/evaluate/UnrolledLoops.h"
#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace warpwise::access {

/// Of a loop that is written out as a whole nvcc runs at most so many rounds
/// side by side: then registers run out. It fits the ground truth's
/// instructions and times.
constexpr unsigned MostAtOnce = 16;

/// What nvcc makes of the rounds of a loop.
struct Unrolling {
  /// Written out one after the other: they share the counting.
  unsigned Written = 1;
  /// Under way together: they share the waiting for loads.
  unsigned AtOnce = 1;
  /// The same of loads from global memory alone. Those from shared memory may
  /// have to wait for what a round stores there: a counter of each thread's
  /// own, say, that a byte chooses. And ptxas writes short loops out once more;
  /// how many loads it keeps under way is said for each block.
  unsigned GlobalAtOnce = 1;
  /// The rounds of this loop, if all of them are written out and so are those
  /// of the loops within, and of those around it that are written out with it,
  /// the innermost first.
  llvm::SmallVector<unsigned, 4> Whole;
  /// Of the loop around those, in which all others are written out: so many of
  /// its rounds are written out at a time.
  unsigned Part = 1;

  bool isWhole() const { return !Whole.empty(); }
  unsigned atOnce(Space Memory) const {
    return Memory == Space::Global ? GlobalAtOnce : AtOnce;
  }
};

/// What is known of the kernel's pointer arguments.
enum class Pointers {
  AsDeclared,
  Restricted ///< as if all were __restrict__
};

/// Of \p L, a loop of the kernel whose unrolled loops are \p Unrolled. What
/// \p InRegisters has is taken to be in registers.
Unrolling unrollingOf(const llvm::Loop &L, const UnrolledLoops &Unrolled,
                      Pointers Known = Pointers::AsDeclared,
                      const CarriedWords &InRegisters = CarriedWords());

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNROLLING_H
