//===- WrittenArguments.h - By-value arguments as variables -----*- C++ -*-===//
//
// Clang passes a struct as a pointer to a copy that is the kernel's own, and a
// kernel may write to that as to any variable. Where one does, the argument
// becomes a variable that starts as what the launch gives, as in LLVM's
// lowering for NVPTX; so that all others are what the launch gives for good.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_WRITTENARGUMENTS_H
#define WARPWISE_ANALYZER_LOWERING_WRITTENARGUMENTS_H

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// Gives \p Kernel variables for the by-value arguments that it may write to.
void copyWrittenArguments(llvm::Function &Kernel);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_WRITTENARGUMENTS_H
