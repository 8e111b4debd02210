//===- GridPointersTest.cpp - What kernels are given is not shared --------===//

#include "test/unit/lowering/LoweredText.h"

using namespace llvm;
using namespace warpwise::test;

namespace {

/// How often a kernel with \p Arguments loads the number that the pointer %p
/// leads to, where a store to shared memory lies between two uses of it. \p
/// Code makes %p.
size_t loadsAround(const std::string &Arguments, const std::string &Code = "") {
  LoweredText Text("@s = external addrspace(3) global [0 x float]\n"
                   "define void @kernel(" +
                   Arguments + ", i64 %i, ptr %o) {\n" + Code +
                   "  %at = getelementptr float, ptr addrspace(3) @s, i64 %i\n"
                   "  %x = load float, ptr %p\n"
                   "  store float 1.0, ptr addrspace(3) %at\n"
                   "  %y = load float, ptr %p\n"
                   "  %z = fadd float %x, %y\n"
                   "  store float %z, ptr %o\n  ret void\n}");
  size_t Count = 0;
  for (LoadInst *Load : Text.all<LoadInst>())
    Count += Load->getType()->isFloatTy();
  return Count;
}

TEST(GridPointersTest, ArgumentsAreNotShared) {
  EXPECT_EQ(loadsAround("ptr %p"), 1u);
}

TEST(GridPointersTest, NorAreMembersOfArguments) {
  EXPECT_EQ(loadsAround("ptr byval({ i32, ptr }) align 8 %a",
                        "  %m = getelementptr i8, ptr %a, i64 8\n"
                        "  %p = load ptr, ptr %m\n"),
            1u);
}

TEST(GridPointersTest, NorIsWhatGlobalMemoryHolds) {
  EXPECT_EQ(loadsAround("ptr %rows", "  %p = load ptr, ptr %rows\n"), 1u);
}

TEST(GridPointersTest, ASharedAddressInGlobalMemoryMayBeFoundThere) {
  EXPECT_EQ(loadsAround("ptr %rows",
                        "  %g = addrspacecast ptr addrspace(3) @s to ptr\n"
                        "  %next = getelementptr i8, ptr %rows, i64 8\n"
                        "  store ptr %g, ptr %next\n"
                        "  %p = load ptr, ptr %rows\n"),
            2u);
}

TEST(GridPointersTest, SharedMemoryIsShared) {
  EXPECT_EQ(loadsAround("i64 %j",
                        "  %g = getelementptr float, ptr addrspace(3) @s, i64 "
                        "%j\n"
                        "  %p = addrspacecast ptr addrspace(3) %g to ptr\n"),
            2u);
}

TEST(GridPointersTest, WhatSharedMemoryHoldsIsNotKnown) {
  EXPECT_EQ(loadsAround("i64 %j", "  %p = load ptr, ptr addrspace(3) @s\n"),
            2u);
}

} // namespace
