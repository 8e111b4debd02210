//===- SharedAtomics.h - Atomics that shared memory lacks -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_SHAREDATOMICS_H
#define WARPWISE_ANALYZER_LOWERING_SHAREDATOMICS_H

namespace llvm {
class AtomicRMWInst;
class Function;
} // namespace llvm

namespace warpwise::lowering {

/// Whether shared memory has no instruction for \p Atomic.
bool isEmulated(const llvm::AtomicRMWInst &Atomic);

/// Puts a load before every atomic on shared memory for which there is no
/// instruction: floating point, and 64 bits other than exchanges. nvcc makes a
/// loop of them that loads, computes, and compares and swaps (read off cubins
/// of nvcc 13 for sm_90). One round is shown: there are as many as lanes that
/// meet at an address. Run last, since nobody uses what is loaded.
void showEmulatedAtomics(llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_SHAREDATOMICS_H
