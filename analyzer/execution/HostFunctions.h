//===- HostFunctions.h - Calls from kernels to this process -----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_HOSTFUNCTIONS_H
#define WARPWISE_ANALYZER_EXECUTION_HOSTFUNCTIONS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace warpwise::execution {

/// Builds calls of the functions in HostCalls.h.
class HostFunctions {
  llvm::Module &M;

public:
  explicit HostFunctions(llvm::Module &M) : M(M) {}

  llvm::CallInst *call(llvm::IRBuilder<> &Builder, llvm::StringRef Name,
                       llvm::Type *Result,
                       llvm::ArrayRef<llvm::Value *> Arguments) {
    llvm::SmallVector<llvm::Type *, 5> Types;
    for (llvm::Value *Argument : Arguments)
      Types.push_back(Argument->getType());
    return Builder.CreateCall(
        M.getOrInsertFunction(Name,
                              llvm::FunctionType::get(Result, Types, false)),
        Arguments);
  }

  /// Reports an access and returns the pointer to make it through.
  llvm::Value *access(llvm::IRBuilder<> &Builder, uint32_t Position,
                      llvm::Value *Pointer) {
    llvm::Value *Checked =
        call(Builder, "warpwise.access", Builder.getPtrTy(),
             {Builder.getInt32(Position), generic(Builder, Pointer)});
    return Builder.CreateAddrSpaceCast(Checked, Pointer->getType());
  }

  static llvm::Value *generic(llvm::IRBuilder<> &Builder,
                              llvm::Value *Pointer) {
    return Builder.CreateAddrSpaceCast(Pointer, Builder.getPtrTy());
  }
};

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_HOSTFUNCTIONS_H
