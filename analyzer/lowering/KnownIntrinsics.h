//===- KnownIntrinsics.h - The intrinsics that code may contain -*- C++ -*-===//
//
// A function is an intrinsic of LLVM's by its name alone, and with an asm label
// the source gives any name to anything: what jumps, reads registers of the
// host or traps, and known intrinsics with other arguments than LLVM relies on.
// So there is a list of those that device code has a use for. All others become
// ordinary functions that nobody knows, before any pass sees them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_KNOWNINTRINSICS_H
#define WARPWISE_ANALYZER_LOWERING_KNOWNINTRINSICS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace warpwise::lowering {

/// Whether \p F is an intrinsic that every target has and that does no more
/// than compute a value, describe the program or copy memory.
bool isPlainIntrinsic(const llvm::Function &F);

/// Takes the name from everything in \p M that is called like one of LLVM's
/// intrinsics and is neither a plain one nor one of NVIDIA's:
/// "llvm.eh.sjlj.longjmp" is "llvm_eh_sjlj_longjmp" then, a declaration.
void demoteUnknownIntrinsics(llvm::Module &M);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_KNOWNINTRINSICS_H
