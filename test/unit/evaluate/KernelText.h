//===- KernelText.h - Kernels written as LLVM IR ----------------*- C++ -*-===//
//
// What the unit tests of the access library are written in: a kernel as the
// body of an IR function, compiled for the lane evaluator as it stands.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_KERNELTEXT_H
#define WARPWISE_TEST_UNIT_EVALUATE_KERNELTEXT_H

#include "analyzer/evaluate/Evaluator.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <string>

namespace warpwise::test {

class KernelText {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;

public:
  /// \p Parameters and \p Body of the kernel; \p Globals: what stands before
  /// it.
  KernelText(const std::string &Parameters, const std::string &Body,
             const std::string &Globals = "") {
    const std::string Text =
        "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
        "target triple = \"nvptx64-nvidia-cuda\"\n" +
        Globals + "\ndefine void @kernel(" + Parameters + ") {\n" + Body +
        "\n}\n"
        "!nvvm.annotations = !{!0}\n"
        "!0 = !{ptr @kernel, !\"kernel\", i32 1}\n";
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text, Error, Context);
    if (!M)
      ADD_FAILURE() << Error.getMessage().str() << "\n"
                    << Error.getLineContents().str();
  }

  llvm::Module &module() { return *M; }
  llvm::Function &kernel() { return *M->getFunction("kernel"); }

  /// The instruction called \p Name.
  const llvm::Instruction *instruction(llvm::StringRef Name) {
    for (const llvm::BasicBlock &Block : kernel())
      for (const llvm::Instruction &I : Block)
        if (I.getName() == Name)
          return &I;
    return nullptr;
  }

  /// The first call that is not to a special register.
  const llvm::CallInst *call() {
    for (const llvm::BasicBlock &Block : kernel())
      for (const llvm::Instruction &I : Block)
        if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
            Call && (Call->isInlineAsm() || !Call->getCalledFunction() ||
                     !Call->getCalledFunction()->getName().contains("sreg")))
          return Call;
    return nullptr;
  }
};

/// A launch of one block, with pointers to the start of their allocations.
inline access::LaunchPlan launchOf(llvm::Function &Kernel,
                                   launch::Dim3 Block = {32, 1, 1},
                                   std::vector<int64_t> Integers = {}) {
  access::LaunchPlan Plan;
  Plan.Shape.Block = Block;
  Plan.Shape.Grid = launch::Dim3{1, 1, 1};
  for (const llvm::Argument &A : Kernel.args()) {
    launch::Argument &Given = Plan.Arguments.emplace_back();
    if (A.getType()->isPointerTy()) {
      Given.PointerOffset = 0;
    } else if (!Integers.empty()) {
      Given.Integer = Integers.front();
      Integers.erase(Integers.begin());
    }
  }
  return Plan;
}

/// What the sites of \p Text cost under \p Block and \p Integers.
inline std::vector<std::optional<access::Cost>>
costsOf(KernelText &Text, launch::Dim3 Block = {32, 1, 1},
        std::vector<int64_t> Integers = {}) {
  const access::Program Code = access::compileKernel(Text.kernel());
  std::vector<std::optional<access::Cost>> Costs;
  for (const access::SiteResult &S :
       evaluateLaunch(Code, launchOf(Text.kernel(), Block, Integers), {},
                      10000000)
           .Sites)
    Costs.push_back(S.Value);
  return Costs;
}

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_KERNELTEXT_H
