//===- SurvivingArrays.h - Private arrays that stay in memory ---*- C++ -*-===//
//
// Which local arrays of a kernel are still there when all loops over them are
// written out: those live in local memory, because registers cannot be indexed.
// Found on a clone, as the access model wants loops as they were written.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_SURVIVINGARRAYS_H
#define WARPWISE_ANALYZER_LOWERING_SURVIVINGARRAYS_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
class DILocation;
class DILocalVariable;
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::lowering {

struct SurvivingArray {
  std::string Kernel; ///< mangled name
  /// The variable and its scope; never null (arrays without one, such as the
  /// slow path of sinf, are not the user's and not listed).
  const llvm::DILocalVariable *Variable = nullptr;
  uint64_t Bytes = 0;
  /// Where it is indexed by something that is not a constant; may be null.
  const llvm::DILocation *DynamicIndex = nullptr;
  /// Every such index counts the rounds of loops that begin at a constant and
  /// end after a number of rounds that is known when they begin.
  bool CountsRounds = false;
  /// The callee that its address is passed to, when that is what holds it.
  std::string EscapesTo;
  /// That callee calls itself, so that it cannot be inlined.
  bool IntoRecursion = false;
  /// That callee has no body here.
  bool OutOfReach = false;
  /// nvcc keeps arrays of this size and use in registers.
  bool MayBeSelected = false;
  /// It holds the same numbers in all threads, from its initialiser on.
  bool IsTable = false;
};

/// The variable of the source that \p Slot holds, or null.
const llvm::DILocalVariable *variableOf(llvm::AllocaInst &Slot);

/// True when a kernel of the canonical module \p M has an array of its own in
/// memory, so that asking survivingArrays is worth its time.
bool hasPrivateArrays(llvm::Module &M);

/// The kernels of the canonical module \p M that have such an array, cloned,
/// with the loops over it written out where their length is known, as nvcc does
/// whatever -O says. The rest of the -O3 pipeline would change little about
/// arrays and took most of the time of a check.
std::unique_ptr<llvm::Module> unrolledClone(llvm::Module &M,
                                            llvm::TargetMachine &Machine);

/// The arrays that \p Unrolled still holds. The debug information that the
/// result points to belongs to the module's context.
std::vector<SurvivingArray> survivingArrays(llvm::Module &Unrolled);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_SURVIVINGARRAYS_H
