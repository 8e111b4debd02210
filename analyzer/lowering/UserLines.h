//===- UserLines.h - Accesses belong to the user's lines --------*- C++ -*-===//
//
// atomicAdd() and __pipeline_memcpy_async() are functions of CUDA's headers:
// once they are inlined, their instructions stand on lines that nobody can
// change. What counts is the line that calls them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_USERLINES_H
#define WARPWISE_ANALYZER_LOWERING_USERLINES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class DIFile;
class Module;
} // namespace llvm

namespace warpwise::lowering {

/// The absolute path, or what there is of it.
std::string pathOf(const llvm::DIFile *File);

/// Moves every instruction of the inlined module \p M to its innermost frame in
/// a file that \p IsUsers holds for; to the outermost one when there is none.
void bookOnUserLines(llvm::Module &M,
                     llvm::function_ref<bool(llvm::StringRef Path)> IsUsers);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_USERLINES_H
