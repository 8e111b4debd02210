//===- KeptLoadsTest.cpp - Loads that are left when nvcc is done ----------===//

#include "KernelText.h"

#include "analyzer/evaluate/KeptLoads.h"
#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace warpwise::access {
namespace {

/// out[i] = scale[0] * in[i], in a loop of \p Rounds rounds.
std::string scaled(const std::string &Rounds) {
  return R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %wide = sext i32 %i to i64
    %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
    %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
    %factor = load float, ptr addrspace(1) %scale
    %v = load float, ptr addrspace(1) %from
    %product = fmul float %factor, %v
    store float %product, ptr addrspace(1) %to
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, )" +
         Rounds + R"(
    br i1 %again, label %loop, label %end
  end:
    ret void)";
}

KeptLoad keptOf(test::KernelText &Text, StringRef Name) {
  const auto Machine = cantFail(lowering::createTargetMachine("sm_90"));
  Module &M = *Text.kernel().getParent();
  const auto Kept = keptLoads(M, lowering::kernelsOf(M), *Machine);
  for (const Instruction &I : instructions(Text.kernel()))
    if (I.getName() == Name) {
      const auto Its = Kept.find(&I);
      return Its == Kept.end() ? KeptLoad{} : Its->second;
    }
  ADD_FAILURE() << "no load " << Name.str();
  return {};
}

constexpr const char *Plain = "ptr addrspace(1) %in, ptr addrspace(1) %scale, "
                              "ptr addrspace(1) %out, i32 %n";
constexpr const char *Promised =
    "ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %scale, "
    "ptr addrspace(1) noalias %out, i32 %n";

TEST(KeptLoads, AStoreMayChangeTheScale) {
  test::KernelText Text(Plain, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").IfRestricted, 1 / 8.0f);
}

TEST(KeptLoads, WhatIsElsewhereEachTimeIsLoadedEachTime) {
  test::KernelText Text(Plain, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "v").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "v").IfRestricted, 1);
}

TEST(KeptLoads, ThePromiseIsThere) {
  test::KernelText Text(Promised, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1 / 8.0f);
}

TEST(KeptLoads, ALoopOfUnknownLengthHasManyRounds) {
  test::KernelText Text(Plain, scaled("%n"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").IfRestricted, 1 / 16.0f);
}

} // namespace
} // namespace warpwise::access
