//===- LoopHoistingTest.cpp - LICM without vain promotion -----------------===//

#include "analyzer/lowering/LoopHoisting.h"

#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/PassRunner.h"
#include "test/unit/lowering/LoweredText.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;
using namespace warpwise;

namespace {

/// A loop in which \p Body stands after its kernel has been hoisted, by the
/// pass of that name.
std::string hoisted(const std::string &Body, StringRef Pass) {
  LLVMContext Context;
  SMDiagnostic Problem;
  const auto M = parseAssemblyString(
      "@s = internal addrspace(3) global [64 x float] undef\n"
      "declare void @llvm.nvvm.barrier0()\n"
      "define void @kernel(ptr addrspace(1) %g, ptr addrspace(1) noalias %o,"
      " i32 %n, i64 %k) {\n"
      "entry:\n  br label %loop\n"
      "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n" +
          Body +
          "  %next = add nsw i32 %i, 1\n"
          "  %again = icmp slt i32 %next, %n\n"
          "  br i1 %again, label %loop, label %end\n"
          "end:\n  ret void\n}\n",
      Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  const auto Machine = cantFail(lowering::createTargetMachine("sm_90"));
  lowering::PassRunner Passes(*Machine);
  Passes.builder().registerPipelineParsingCallback(
      [](StringRef Name, LoopPassManager &Into,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "hoist")
          Into.addPass(lowering::LoopHoisting());
        return Name == "hoist";
      });
  Passes.run(*M,
             ("function(loop-simplify,lcssa,loop-mssa(" + Pass + "))").str());
  std::string Text;
  raw_string_ostream Out(Text);
  M->print(Out, nullptr);
  return Text;
}

/// Adds to what \p Address leads to.
std::string sum(const std::string &Address) {
  return "  %at = getelementptr float, " + Address +
         "  %x = load float, ptr addrspace(" + Address.substr(14, 1) +
         ") %at\n"
         "  %y = fadd float %x, 1.0\n"
         "  store float %y, ptr addrspace(" +
         Address.substr(14, 1) + ") %at\n";
}

const std::string Barrier = "  call void @llvm.nvvm.barrier0()\n";
const std::string Shared = sum("ptr addrspace(3) @s, i64 %k\n"),
                  Global = sum("ptr addrspace(1) %g, i64 %k\n"),
                  Promised = sum("ptr addrspace(1) %o, i64 %k\n"),
                  Moving = sum("ptr addrspace(1) %g, i32 %i\n");

TEST(LoopHoisting, DoesWhatLicmDoes) {
  for (const std::string &Body : {Shared, Global, Promised, Moving})
    for (const std::string &After : {std::string(), Barrier})
      EXPECT_EQ(hoisted(Body + After, "hoist"),
                hoisted(Body + After, "licm<allowspeculation>"))
          << Body << After;
}

/// Whether the loop still loads.
bool loadsInLoop(const std::string &Text) {
  return Text.find("load", Text.find("\nloop:")) < Text.find("\nend:");
}

TEST(LoopHoisting, ASumIsPromotedWhereNoBarrierIsInTheWay) {
  EXPECT_FALSE(loadsInLoop(hoisted(Shared, "hoist")));
  EXPECT_TRUE(loadsInLoop(hoisted(Shared + Barrier, "hoist")));
  EXPECT_FALSE(loadsInLoop(hoisted(Promised + Barrier, "hoist")));
}

} // namespace
