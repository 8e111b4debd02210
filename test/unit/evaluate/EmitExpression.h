//===- EmitExpression.h - A generated expression as LLVM IR -----*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_EMITEXPRESSION_H
#define WARPWISE_TEST_UNIT_EVALUATE_EMITEXPRESSION_H

#include "test/unit/evaluate/GeneratedKernel.h"

#include "llvm/IR/IRBuilder.h"

namespace warpwise::test {

class ExpressionEmitter {
  llvm::IRBuilder<> &Builder;

public:
  std::vector<llvm::Value *> Arguments;
  /// What each variable holds at the place of emission.
  std::vector<llvm::Value *> Variables;
  /// Points to the numbers that threads load.
  llvm::Value *Data = nullptr;

  explicit ExpressionEmitter(llvm::IRBuilder<> &Builder) : Builder(Builder) {}

  llvm::Value *emit(const Expression &E);

private:
  llvm::Value *emitLeaf(const Expression &E);
  llvm::Value *emitSpecial(llvm::StringRef Name);
  llvm::Value *emitLoaded();
  llvm::Value *emitUnary(const Expression &E, llvm::Value *A);
  llvm::Value *emitBinary(const Expression &E, llvm::Value *A, llvm::Value *B);
};

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_EMITEXPRESSION_H
