//===- ConstTables.h - const variables of device code -----------*- C++ -*-===//
//
// Clang puts every const variable with a constant initial value into constant
// memory. nvcc puts only those there that say __constant__; a static const
// table, or a __device__ const one, is read from global memory.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_CONSTTABLES_H
#define WARPWISE_ANALYZER_FRONTEND_CONSTTABLES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace warpwise::frontend {

/// Moves the variables in constant memory for which \p SaysConstant does not
/// hold into global memory.
void moveConstTables(
    llvm::Module &Module,
    llvm::function_ref<bool(const llvm::GlobalVariable &)> SaysConstant);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_CONSTTABLES_H
