//===- SharedAtomicsTest.cpp - Atomics that shared memory lacks -----------===//

#include "test/unit/lowering/LoweredText.h"

using namespace llvm;
using namespace warpwise::test;

namespace {

/// How many loads of shared memory \p Operation on \p Type comes with.
size_t loadsWith(const std::string &Operation, const std::string &Type) {
  return LoweredText("@s = internal addrspace(3) global [32 x " + Type +
                     "] undef, align 8\n"
                     "define void @kernel(" +
                     Type + " %x) {\n  %old = atomicrmw " + Operation +
                     " ptr addrspace(3) @s, " + Type +
                     " %x monotonic\n  ret void\n}")
      .all<LoadInst>()
      .size();
}

TEST(SharedAtomicsTest, WordsHaveInstructions) {
  EXPECT_EQ(loadsWith("add", "i32"), 0u);
  EXPECT_EQ(loadsWith("max", "i32"), 0u);
  EXPECT_EQ(loadsWith("xchg", "i64"), 0u);
}

TEST(SharedAtomicsTest, OtherNumbersAreLoadedFirst) {
  EXPECT_EQ(loadsWith("fadd", "float"), 1u);
  EXPECT_EQ(loadsWith("fadd", "double"), 1u);
  EXPECT_EQ(loadsWith("add", "i64"), 1u);
  EXPECT_EQ(loadsWith("umin", "i64"), 1u);
}

/// Global memory has all of them.
TEST(SharedAtomicsTest, GlobalMemoryNeedsNoLoads) {
  LoweredText Text("define void @kernel(ptr %p, double %x) {\n"
                   "  %old = atomicrmw fadd ptr %p, double %x monotonic\n"
                   "  ret void\n}");
  EXPECT_TRUE(Text.all<LoadInst>().empty());
}

} // namespace
