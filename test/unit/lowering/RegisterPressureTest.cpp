//===- RegisterPressureTest.cpp - Values that are alive together ----------===//

#include "analyzer/lowering/RegisterPressure.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

using namespace llvm;
using namespace warpwise;

namespace {

class RegisterPressureTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  const Function &kernel(const std::string &Body,
                         const std::string &Annotations = "") {
    SMDiagnostic Error;
    M = parseAssemblyString("define void @kernel(ptr %a, i32 %n) {\n" + Body +
                                "\n}\n" + Annotations,
                            Error, Context);
    if (!M)
      ADD_FAILURE() << Error.getMessage().str();
    return *M->getFunction("kernel");
  }
};

TEST_F(RegisterPressureTest, CountsWordsThatAreAliveTogether) {
  const Function &F = kernel(R"(
    %x = load i32, ptr %a
    %y = load i64, ptr %a
    %z = load float, ptr %a
    %wide = sext i32 %x to i64
    %sum = add i64 %wide, %y
    %less = icmp slt i32 %x, %n
    %it = select i1 %less, float %z, float 1.0
    store i64 %sum, ptr %a
    store float %it, ptr %a
    ret void)");
  // x, y, z and the wide x; later the sum takes the place of two.
  EXPECT_EQ(lowering::registersWanted(F), 1u + 2 + 1 + 2);
}

/// What a loop carries is alive all the way around it.
TEST_F(RegisterPressureTest, FollowsLoops) {
  const Function &F = kernel(R"(
  entry:
    %outside = load double, ptr %a
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %next = add i32 %i, 1
    %again = icmp slt i32 %next, %n
    br i1 %again, label %loop, label %end
  end:
    store double %outside, ptr %a
    ret void)");
  EXPECT_EQ(lowering::registersWanted(F), 2u + 1);
}

TEST_F(RegisterPressureTest, PrivateArraysAreRegistersAtBest) {
  const Function &F = kernel(R"(
    %array = alloca [40 x float]
    store float 1.0, ptr %array
    ret void)");
  EXPECT_EQ(lowering::registersWanted(F), 40u);
}

TEST_F(RegisterPressureTest, LaunchBoundsLimitThem) {
  EXPECT_EQ(lowering::registersAllowed(kernel("ret void")), 255u);
  EXPECT_EQ(lowering::registersAllowed(kernel("ret void", R"(
    !nvvm.annotations = !{!0, !1}
    !0 = !{ptr @kernel, !"kernel", i32 1}
    !1 = !{ptr @kernel, !"maxntidx", i32 256, !"minctasm", i32 6})")),
            40u);
  EXPECT_EQ(lowering::registersAllowed(kernel("ret void", R"(
    !nvvm.annotations = !{!0}
    !0 = !{ptr @kernel, !"maxntidx", i32 1024})")),
            64u);
}

} // namespace
