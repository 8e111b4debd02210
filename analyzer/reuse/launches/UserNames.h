//===- UserNames.h - Names that the user gives, checked ---------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_USERNAMES_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_USERNAMES_H

#include "analyzer/reuse/lanecode/KernelProgram.h"
#include "analyzer/reuse/launches/UserInput.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace warpwise::reuse {

/// An --arg or --buffer that none of \p Kernels, symbols of \p M, can have is a
/// typing error: one sentence, with the names that there are. Nothing has to be
/// traced for it.
llvm::Error checkNames(const llvm::Module &M,
                       llvm::ArrayRef<llvm::StringRef> Kernels,
                       const UserInput &User);

/// What \p User says of a kernel of \p M with these parameters: other kernels
/// of the file may have other buffers.
UserInput inputOf(const llvm::Module &M,
                  const std::vector<Parameter> &Parameters, UserInput User);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_USERNAMES_H
