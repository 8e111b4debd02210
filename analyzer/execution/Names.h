//===- Names.h - Ours and the source's --------------------------*- C++ -*-===//
//
// With an asm label a source can name its functions and variables as it likes,
// like an entry point of this process too. So all of its names are moved away
// before a module gets anything of ours.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_NAMES_H
#define WARPWISE_ANALYZER_EXECUTION_NAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace warpwise::execution {

/// What the names of our functions and variables begin with.
inline constexpr llvm::StringLiteral OwnPrefix = "warpwise.";

/// Renames everything in \p M but intrinsics: symbolOf() then finds it.
void moveNamesAway(llvm::Module &M);

/// The symbol of what the source calls \p Name.
std::string symbolOf(llvm::StringRef Name);

/// What the source calls \p Value; of an intrinsic, its name.
llvm::StringRef sourceName(const llvm::GlobalValue &Value);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_NAMES_H
