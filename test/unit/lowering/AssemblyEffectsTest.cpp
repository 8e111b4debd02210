//===- AssemblyEffectsTest.cpp - Barriers and registers in assembly -------===//

#include "analyzer/lowering/AssemblyEffects.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace warpwise::lowering;

namespace {

/// Of assembly with one result, "$0", of 32 bits.
AssemblyEffects effectsOf(StringRef Text) {
  LLVMContext Context;
  Module M("", Context);
  auto *T = FunctionType::get(Type::getInt32Ty(Context), false);
  auto *Kernel = Function::Create(T, GlobalValue::ExternalLinkage, "", M);
  IRBuilder<> Builder(BasicBlock::Create(Context, "", Kernel));
  return assemblyEffects(*Builder.CreateCall(
      T, InlineAsm::get(T, Text, "=r", /*hasSideEffects=*/true)));
}

TEST(AssemblyEffects, BarriersOfBlocks) {
  for (const char *Text :
       {"bar.sync 0;", "bar.cta.sync 0;", "barrier.sync.aligned 1, 64;",
        "barrier.cluster.arrive;", "mbarrier.arrive.shared.b64 _, [$0];",
        "cp.async.mbarrier.arrive.noinc.shared.b64 [$0];",
        "{ .reg .pred p;\n@p bar.sync 0; }"}) {
    EXPECT_TRUE(effectsOf(Text).BlockBarrier) << Text;
    EXPECT_FALSE(effectsOf(Text).WarpBarrier) << Text;
  }
}

TEST(AssemblyEffects, BarriersOfWarpsAndMasks) {
  EXPECT_TRUE(effectsOf("bar.warp.sync $0;").WarpBarrier);
  EXPECT_FALSE(effectsOf("bar.warp.sync $0;").BlockBarrier);
  EXPECT_TRUE(effectsOf("activemask.b32 $0;").ActiveMask);
  EXPECT_FALSE(effectsOf("bar.arrive 0, 64;").BlockBarrier);
}

TEST(AssemblyEffects, ARegisterIfNothingElseIsDone) {
  EXPECT_EQ(effectsOf("mov.u32 $0, %laneid;").Register, "laneid");
  EXPECT_EQ(effectsOf(" mov.b32\t$0,%%tid.x; ").Register, "tid.x");
  EXPECT_EQ(effectsOf("mov.u64 $0, %globaltimer;").Register, "globaltimer");
  EXPECT_EQ(effectsOf("mov.u32 $0, 5;").Register, "");
  EXPECT_EQ(effectsOf("mov.u32 $0, %tid.x; add.u32 $0, $0, 1;").Register, "");
  EXPECT_EQ(effectsOf("@p mov.u32 $0, %tid.x;").Register, "");
}

TEST(AssemblyEffects, WhatACommentSaysIsNotDone) {
  const AssemblyEffects Commented = effectsOf(
      "mov.u32 $0, %tid.x; // not bar.sync 0; nor activemask.b32 $0;\n"
      "/* bar.warp.sync -1; mbarrier.init.b64 [$0], 1; */");
  EXPECT_FALSE(Commented.BlockBarrier);
  EXPECT_FALSE(Commented.WarpBarrier);
  EXPECT_FALSE(Commented.ActiveMask);
  EXPECT_EQ(Commented.Register, "tid.x");
  EXPECT_EQ(effectsOf("// mov.u32 $0, %laneid;").Register, "");
}

} // namespace
