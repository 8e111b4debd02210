//===- DevicePipelineTest.cpp - What the canonical form looks like --------===//

#include "test/unit/lowering/LoweredText.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpwise;
using namespace warpwise::test;
using Bytes = std::vector<unsigned>;

namespace {

TEST(DevicePipelineTest, DynamicSharedMemoryIsAlignedForVectors) {
  LoweredText Text(R"(
    @dynamic = external addrspace(3) global [0 x float], align 4
    @fixed = internal addrspace(3) global [8 x float] undef, align 4
    define void @kernel(ptr %out) {
      %d = load float, ptr addrspace(3) @dynamic, align 4
      %f = load float, ptr addrspace(3) @fixed, align 4
      %sum = fadd float %d, %f
      store float %sum, ptr %out
      ret void
    })");
  EXPECT_EQ(Text.M->getNamedGlobal("dynamic")->getAlign(), Align(16));
}

TEST(DevicePipelineTest, DeviceFunctionsAreInlinedWhateverTheySay) {
  LoweredText Text(R"(
    define weak_odr void @fill(ptr %at) noinline optnone {
      store i32 0, ptr %at
      ret void
    }
    define internal void @unused() {
      ret void
    }
    define weak_odr void @kernel(ptr %out) {
      call void @fill(ptr %out)
      ret void
    })");
  EXPECT_TRUE(Text.all<CallInst>().empty());
  EXPECT_EQ(Text.storedBytes(), Bytes{4});
  EXPECT_EQ(Text.M->getFunction("fill"), nullptr);
  EXPECT_EQ(Text.M->getFunction("unused"), nullptr);
  EXPECT_EQ(lowering::kernelsOf(*Text.M).size(), 1u);
}

/// "a[0] += 1; a[1] += 1;": ptxas, which alone knows where \p Array lies, does
/// not take the second load past the first store.
std::string addToTwo(const std::string &Array) {
  return Array + R"(
    define void @kernel() {
      %a = load float, ptr addrspace(3) @array
      %b = fadd float %a, 1.0
      store float %b, ptr addrspace(3) @array
      %next = getelementptr float, ptr addrspace(3) @array, i32 1
      %c = load float, ptr addrspace(3) %next
      %d = fadd float %c, 1.0
      store float %d, ptr addrspace(3) %next
      ret void
    })";
}

TEST(DevicePipelineTest, WherePtxasAloneKnowsTheAlignmentOrderStays) {
  LoweredText Text(addToTwo(
      "@array = internal addrspace(3) global [8 x float] undef, align 4"));
  EXPECT_EQ(Text.loadedBytes(), (Bytes{4, 4}));
  EXPECT_EQ(Text.storedBytes(), (Bytes{4, 4}));
}

TEST(DevicePipelineTest, WhereTheTypeTellsTheAlignmentMembersAreCombined) {
  LoweredText Text(addToTwo("@array = internal addrspace(3) global [4 x [2 x "
                            "float]] undef, align 8"));
  EXPECT_EQ(Text.loadedBytes(), Bytes{8});
  EXPECT_EQ(Text.storedBytes(), Bytes{8});
}

/// "x = a[0]; y = a[1];" have nothing between them.
TEST(DevicePipelineTest, PtxasCombinesNeighboursThatNothingParts) {
  LoweredText Text(R"(
    @array = internal addrspace(3) global [8 x float] undef, align 4
    define void @kernel(ptr addrspace(1) %out) {
      %a = load float, ptr addrspace(3) @array
      store float %a, ptr addrspace(1) %out
      %next = getelementptr float, ptr addrspace(3) @array, i32 1
      %b = load float, ptr addrspace(3) %next
      store float %b, ptr addrspace(1) %out
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{8});
}

/// "apply(half, out)" where apply calls what it is given: who that is shows
/// only once variables are in registers.
TEST(DevicePipelineTest, FunctionsThatArePassedAreInlinedToo) {
  LoweredText Text(R"(
    define internal void @half(ptr %out) {
      store float 0.5, ptr %out
      ret void
    }
    define void @kernel(ptr %out) {
      %passed = alloca ptr
      store ptr @half, ptr %passed
      %function = load ptr, ptr %passed
      call void %function(ptr %out)
      ret void
    })");
  EXPECT_TRUE(Text.all<CallInst>().empty());
  EXPECT_EQ(Text.all<StoreInst>().size(), 1u);
}

/// Generic pointers to shared variables, as Clang makes them.
TEST(DevicePipelineTest, AddressSpacesAreResolved) {
  LoweredText Text(R"(
    @tile = internal addrspace(3) global [32 x float] undef, align 4
    define void @kernel(ptr %out, i64 %i) {
      %slot = alloca ptr
      store ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr %slot
      %p = load ptr, ptr %slot
      %at = getelementptr float, ptr %p, i64 %i
      %v = load float, ptr %at
      store float %v, ptr %out
      ret void
    })");
  ASSERT_EQ(Text.all<LoadInst>().size(), 1u);
  EXPECT_EQ(Text.all<LoadInst>()[0]->getPointerAddressSpace(), 3u);
}

/// No unrolling and no hoisting: an access of the source stays one access.
TEST(DevicePipelineTest, LoopsStayAsTheyAreWritten) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr %in) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %body ]
      %more = icmp ult i64 %i, 4
      br i1 %more, label %body, label %end
    body:
      %fixed = load volatile float, ptr %in
      %at = getelementptr float, ptr %out, i64 %i
      store float %fixed, ptr %at
      %next = add i64 %i, 1
      br label %loop
    end:
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{4});
  EXPECT_EQ(Text.storedBytes(), Bytes{4});
  EXPECT_EQ(Text.all<PHINode>().size(), 1u);
}

TEST(DevicePipelineTest, TheMachineIsForTheArchitectureThatIsAsked) {
  auto Machine = lowering::createTargetMachine("sm_90");
  ASSERT_TRUE(bool(Machine));
  EXPECT_EQ((*Machine)->getTargetCPU(), "sm_90");
}

} // namespace
