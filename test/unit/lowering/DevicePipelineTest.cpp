//===- DevicePipelineTest.cpp - What the canonical form looks like --------===//

#include "test/unit/lowering/LoweredText.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpwise;
using namespace warpwise::test;
using Bytes = std::vector<unsigned>;

namespace {

std::string copying(const std::string &Length, const std::string &Align) {
  return "define void @kernel(ptr %out, ptr %in) {\n"
         "  call void @llvm.memcpy.p0.p0.i64(ptr align " +
         Align + " %out, ptr align " + Align + " %in, i64 " + Length +
         ", i1 false)\n  ret void\n}";
}

TEST(DevicePipelineTest, AnAlignedFloat4IsCopiedWhole) {
  LoweredText Text(copying("16", "16"));
  EXPECT_EQ(Text.loadedBytes(), Bytes{16});
  EXPECT_EQ(Text.storedBytes(), Bytes{16});
}

TEST(DevicePipelineTest, AStructOfThreeFloatsIsCopiedInThreeParts) {
  LoweredText Text(copying("12", "4"));
  EXPECT_EQ(Text.loadedBytes(), (Bytes{4, 4, 4}));
  EXPECT_EQ(Text.storedBytes(), (Bytes{4, 4, 4}));
}

TEST(DevicePipelineTest, CopiesAreAsWideAsTheAlignmentAllows) {
  EXPECT_EQ(LoweredText(copying("16", "8")).loadedBytes(), (Bytes{8, 8}));
  EXPECT_EQ(LoweredText(copying("24", "16")).loadedBytes(), (Bytes{16, 8}));
  EXPECT_EQ(LoweredText(copying("20", "4")).loadedBytes(),
            (Bytes{4, 4, 4, 4, 4}));
  EXPECT_EQ(LoweredText(copying("3", "1")).loadedBytes(), (Bytes{1, 1, 1}));
}

TEST(DevicePipelineTest, LargeCopiesStayCalls) {
  LoweredText Text(copying("1024", "16"));
  EXPECT_EQ(Text.all<MemCpyInst>().size(), 1u);
}

/// float4 v = in[0]; out[0] = v.x: nvcc still loads sixteen bytes.
TEST(DevicePipelineTest, AVectorOfWhichOneMemberIsUsedIsLoadedWhole) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr %in) {
      %v = alloca [4 x float], align 16
      call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %in,
                                       i64 16, i1 false)
      %x = load float, ptr %v, align 16
      store float %x, ptr %out, align 4
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{16});
  EXPECT_TRUE(Text.all<AllocaInst>().empty());
}

/// Of a larger struct only the members that are used are loaded.
TEST(DevicePipelineTest, UnusedMembersOfALargerStructAreNotLoaded) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr %in) {
      %v = alloca [10 x float], align 8
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %v, ptr align 8 %in,
                                       i64 40, i1 false)
      %at = getelementptr [10 x float], ptr %v, i64 0, i64 5
      %x = load float, ptr %at, align 4
      store float %x, ptr %out, align 4
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{4});
  EXPECT_TRUE(Text.all<AllocaInst>().empty());
}

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

TEST(DevicePipelineTest, NeighbouringLoadsBecomeOneVector) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr align 16 %in) {
      %a1 = getelementptr float, ptr %in, i64 1
      %a2 = getelementptr float, ptr %in, i64 2
      %a3 = getelementptr float, ptr %in, i64 3
      %v0 = load float, ptr %in, align 16
      %v1 = load float, ptr %a1, align 4
      %v2 = load float, ptr %a2, align 8
      %v3 = load float, ptr %a3, align 4
      %s0 = fadd float %v0, %v1
      %s1 = fadd float %v2, %v3
      %s = fadd float %s0, %s1
      store float %s, ptr %out
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{16});
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
