//===- ObjectOf.h - The variable behind a pointer ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_OBJECTOF_H
#define WARPWISE_ANALYZER_LOWERING_OBJECTOF_H

#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace warpwise::lowering {

struct ObjectInfo {
  /// Generic when the pointer may lead into several spaces.
  access::Space Memory = access::Space::Generic;
  /// The kernel argument, variable or load that the pointer comes from; null
  /// when there are several.
  const llvm::Value *Object = nullptr;
  /// Object, or where the ways to several meet: what accesses of the same
  /// memory have in common.
  const llvm::Value *Base = nullptr;
  /// A by-value kernel parameter: read through the parameter bank, which is not
  /// an access of the model.
  bool Parameter = false;
  /// Plain address arithmetic leads from Object to the pointer, so that a
  /// program which leaves the object has no meaning.
  bool IsWithin = false;
};

/// Kernel pointer arguments lead to global memory: CUDA has no way to pass a
/// pointer to shared or private memory to a kernel. So do pointers that are
/// loaded from memory, unless a cast says otherwise.
ObjectInfo objectOf(const llvm::Value *Pointer);

/// All variables, arguments and other origins of pointers that \p F may write
/// to, through integers, too.
llvm::SmallPtrSet<const llvm::Value *, 8>
storedObjects(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_OBJECTOF_H
