//===- LoweredText.h - IR in, canonical IR out ------------------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_LOWERING_LOWEREDTEXT_H
#define WARPWISE_TEST_UNIT_LOWERING_LOWEREDTEXT_H

#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpwise::test {

/// The module that \p Text describes, with a kernel called "kernel", as the
/// front end would hand it over and as the lane evaluator gets it.
class LoweredText {
  llvm::LLVMContext Context;

public:
  std::unique_ptr<llvm::TargetMachine> Machine;
  std::unique_ptr<llvm::Module> M;

  explicit LoweredText(const std::string &Text) {
    Machine = llvm::cantFail(lowering::createTargetMachine("sm_90"));
    const std::string Whole = "target triple = \"nvptx64-nvidia-cuda\"\n" +
                              Text +
                              "\n!nvvm.annotations = !{!0}\n"
                              "!0 = !{ptr @kernel, !\"kernel\", i32 1}\n";
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Whole, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << "\n"
                    << Error.getLineContents().str();
      return;
    }
    lowering::inlineIntoKernels(*M, *Machine);
    lowering::canonicalise(*M, *Machine);
  }

  /// All instructions of one kind in the kernel.
  template <typename Kind> std::vector<Kind *> all() {
    std::vector<Kind *> Found;
    for (llvm::Instruction &I : llvm::instructions(*M->getFunction("kernel")))
      if (auto *Wanted = llvm::dyn_cast<Kind>(&I))
        Found.push_back(Wanted);
    return Found;
  }

  unsigned bytesOf(llvm::Type *T) {
    return unsigned(M->getDataLayout().getTypeStoreSize(T).getFixedValue());
  }

  /// Bytes of each load, in order.
  std::vector<unsigned> loadedBytes() {
    std::vector<unsigned> Bytes;
    for (llvm::LoadInst *Load : all<llvm::LoadInst>())
      Bytes.push_back(bytesOf(Load->getType()));
    return Bytes;
  }
  std::vector<unsigned> storedBytes() {
    std::vector<unsigned> Bytes;
    for (llvm::StoreInst *Store : all<llvm::StoreInst>())
      Bytes.push_back(bytesOf(Store->getValueOperand()->getType()));
    return Bytes;
  }
};

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_LOWERING_LOWEREDTEXT_H
