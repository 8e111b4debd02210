//===- StaticSharedTest.cpp - Shared memory with a fixed size -------------===//

#include "analyzer/lowering/StaticShared.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;
using warpwise::lowering::staticSharedBytes;

namespace {

TEST(StaticShared, OfTheKernelThatUsesIt) {
  LLVMContext Context;
  SMDiagnostic Problem;
  const std::unique_ptr<Module> M = parseAssemblyString(R"(
    @flag = internal addrspace(3) global i8 undef, align 1
    @tile = internal addrspace(3) global [33 x float] undef, align 4
    @other = internal addrspace(3) global [64 x double] undef, align 8
    @dynamic = external addrspace(3) global [0 x float], align 4
    @table = internal addrspace(4) constant [8 x i32] zeroinitializer
    define void @tiled(ptr %out) {
      store i8 1, ptr addrspace(3) @flag
      %a = load float, ptr addrspacecast (ptr addrspace(3) getelementptr (
             [33 x float], ptr addrspace(3) @tile, i64 0, i64 7) to ptr)
      %b = load float, ptr addrspace(3) @dynamic
      %c = load i32, ptr addrspace(4) @table
      ret void
    }
    define void @plain(ptr %out) {
      store double 1.0, ptr addrspace(3) @other
      ret void
    }
    define void @none(ptr %out) {
      ret void
    })",
                                                        Problem, Context);
  ASSERT_TRUE(M) << Problem.getMessage().str();
  // The second variable begins at a multiple of its alignment.
  EXPECT_EQ(staticSharedBytes(*M->getFunction("tiled")), 4U + 33 * 4);
  EXPECT_EQ(staticSharedBytes(*M->getFunction("plain")), 512U);
  EXPECT_EQ(staticSharedBytes(*M->getFunction("none")), 0U);
}

} // namespace
