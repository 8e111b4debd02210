//===- EmitKernel.h - A generated kernel as LLVM IR -------------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_EMITKERNEL_H
#define WARPWISE_TEST_UNIT_EVALUATE_EMITKERNEL_H

#include "test/unit/evaluate/GeneratedKernel.h"

#include <map>

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace warpwise::test {

struct EmittedKernel {
  llvm::Function *Function = nullptr;
  /// The argument or variable that each access goes to: one of its own, so that
  /// an access can be told by it whatever the passes do.
  std::map<const llvm::Value *, unsigned> AccessOfObject;
};

/// Adds \p K to \p M, roughly as Clang would. The integer arguments come first,
/// then one pointer for each access to global memory in order, then a pointer
/// to the numbers that threads load.
EmittedKernel emitKernel(const GeneratedKernel &K, llvm::Module &M);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_EMITKERNEL_H
