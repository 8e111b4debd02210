//===- AssemblyEffects.h - What assembly does beside memory -----*- C++ -*-===//
//
// Barriers, masks and special registers in inline assembly. Every engine asks
// here, so that all of them see the same, and by statements, so that a comment
// is none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_ASSEMBLYEFFECTS_H
#define WARPWISE_ANALYZER_LOWERING_ASSEMBLYEFFECTS_H

#include <string>

namespace llvm {
class CallInst;
} // namespace llvm

namespace warpwise::lowering {

struct AssemblyEffects {
  /// Warps of the block meet, or a barrier object is used that they meet at.
  bool BlockBarrier = false;
  bool WarpBarrier = false; ///< lanes of the warp meet
  bool ActiveMask = false;  ///< asks which lanes are active
  /// The special register that is read, if nothing else is done: "tid.x".
  std::string Register;
};

/// Nothing for calls that are no inline assembly.
AssemblyEffects assemblyEffects(const llvm::CallInst &Call);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_ASSEMBLYEFFECTS_H
