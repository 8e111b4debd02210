//===- KeptAccessesTest.cpp - Accesses that are left when nvcc is done ----===//

#include "KernelText.h"

#include "analyzer/evaluate/KeptAccesses.h"
#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace warpwise::access {
namespace {

/// \p Round in a loop of \p Rounds rounds, which %wide counts, after \p Before.
std::string looped(const std::string &Before, const std::string &Round,
                   const std::string &Rounds) {
  return "entry:" + Before + R"(
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %wide = sext i32 %i to i64
    %from = getelementptr float, ptr addrspace(1) %in, i64 %wide)" +
         Round + R"(
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, )" +
         Rounds + R"(
    br i1 %again, label %loop, label %end
  end:
    ret void)";
}

/// out[i] = scale[0] * in[i].
std::string scaled(const std::string &Rounds) {
  return looped("", R"(
    %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
    %factor = load float, ptr addrspace(1) %scale
    %v = load float, ptr addrspace(1) %from
    %product = fmul float %factor, %v
    store float %product, ptr addrspace(1) %to)",
                Rounds);
}

KeptAccess keptOf(test::KernelText &Text, StringRef Name) {
  const auto Machine = cantFail(lowering::createTargetMachine("sm_90"));
  Module &M = *Text.kernel().getParent();
  const auto Kept = keptAccesses(M, lowering::kernelsOf(M), *Machine);
  for (const Instruction &I : instructions(Text.kernel()))
    if (I.getName() == Name || (Name == "store" && isa<StoreInst>(I))) {
      const auto Its = Kept.find(&I);
      return Its == Kept.end() ? KeptAccess{} : Its->second;
    }
  ADD_FAILURE() << "no access " << Name.str();
  return {};
}

constexpr const char *Plain = "ptr addrspace(1) %in, ptr addrspace(1) %scale, "
                              "ptr addrspace(1) %out, i32 %n";
constexpr const char *Promised =
    "ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %scale, "
    "ptr addrspace(1) noalias %out, i32 %n";

TEST(KeptAccesses, AStoreMayChangeTheScale) {
  test::KernelText Text(Plain, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").IfRestricted, 1 / 8.0f);
}

TEST(KeptAccesses, WhatIsElsewhereEachTimeIsLoadedEachTime) {
  test::KernelText Text(Plain, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "v").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "v").IfRestricted, 1);
}

TEST(KeptAccesses, ThePromiseIsThere) {
  test::KernelText Text(Promised, scaled("8"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1 / 8.0f);
}

TEST(KeptAccesses, ALoopOfUnknownLengthHasManyRounds) {
  test::KernelText Text(Plain, scaled("%n"));
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "factor").IfRestricted, 1 / 16.0f);
}

/// out[n] += in[i] for each i: with the promise nvcc 13 stores one sum.
std::string summed(const std::string &Rounds) {
  return looped(R"(
    %k = sext i32 %n to i64
    %to = getelementptr float, ptr addrspace(1) %out, i64 %k)",
                R"(
    %v = load float, ptr addrspace(1) %from
    %before = load float, ptr addrspace(1) %to
    %sum = fadd float %before, %v
    store float %sum, ptr addrspace(1) %to)",
                Rounds);
}

TEST(KeptAccesses, ASumIsStoredOnceIfNothingElseLooks) {
  for (const char *Rounds : {"8", "4096"}) {
    const float Once = 1 / std::stof(Rounds);
    test::KernelText Text(Plain, summed(Rounds));
    EXPECT_FLOAT_EQ(keptOf(Text, "store").AsIs, 1);
    EXPECT_FLOAT_EQ(keptOf(Text, "store").IfRestricted, Once);
    // It was stored the round before, and nothing has been stored since.
    EXPECT_LE(keptOf(Text, "before").AsIs, Once);
    test::KernelText Known(Promised, summed(Rounds));
    EXPECT_FLOAT_EQ(keptOf(Known, "store").AsIs, Once);
  }
}

/// out[n] = in[n]; out[n] = in[n] - in[n + 1]: a single store, likewise.
TEST(KeptAccesses, TheLastOfSeveralValuesIsStored) {
  const char *Body = R"(
    %k = sext i32 %n to i64
    %to = getelementptr float, ptr addrspace(1) %out, i64 %k
    %from = getelementptr float, ptr addrspace(1) %in, i64 %k
    %v = load float, ptr addrspace(1) %from
    %after = getelementptr float, ptr addrspace(1) %from, i64 1
    store float %v, ptr addrspace(1) %to
    %w = load float, ptr addrspace(1) %after
    %difference = fsub float %v, %w
    store float %difference, ptr addrspace(1) %to
    ret void)";
  test::KernelText Text(Plain, Body), Known(Promised, Body);
  EXPECT_FLOAT_EQ(keptOf(Text, "store").AsIs, 1);
  EXPECT_FLOAT_EQ(keptOf(Text, "store").IfRestricted, 0); // the first one
  EXPECT_FLOAT_EQ(keptOf(Known, "store").AsIs, 0);
}

/// Stores to other elements of the same array are all left.
TEST(KeptAccesses, AStreamBesideASumIsStored) {
  test::KernelText Text(Promised, R"(
  entry:
    %k = sext i32 %n to i64
    %to = getelementptr float, ptr addrspace(1) %out, i64 %k
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %wide = sext i32 %i to i64
    %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
    %there = getelementptr float, ptr addrspace(1) %out, i64 %wide
    %v = load float, ptr addrspace(1) %from
    store float %v, ptr addrspace(1) %there
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, 4096
    br i1 %again, label %loop, label %second
  second:
    %j = phi i32 [ 0, %loop ], [ %after, %second ]
    %far = sext i32 %j to i64
    %of = getelementptr float, ptr addrspace(1) %scale, i64 %far
    %w = load float, ptr addrspace(1) %of
    %before = load float, ptr addrspace(1) %to
    %sum = fadd float %before, %w
    store float %sum, ptr addrspace(1) %to
    %after = add nsw i32 %j, 1
    %more = icmp slt i32 %after, 4096
    br i1 %more, label %second, label %end
  end:
    ret void)");
  EXPECT_FLOAT_EQ(keptOf(Text, "store").AsIs, 1); // the stream's
}

} // namespace
} // namespace warpwise::access
