//===- MemoryIntrinsicsTest.cpp - Copies and fills as accesses ------------===//

#include "test/unit/lowering/LoweredText.h"

#include "llvm/Analysis/ValueTracking.h"
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

TEST(MemoryIntrinsicsTest, AnAlignedFloat4IsCopiedWhole) {
  LoweredText Text(copying("16", "16"));
  EXPECT_EQ(Text.loadedBytes(), Bytes{16});
  EXPECT_EQ(Text.storedBytes(), Bytes{16});
}

TEST(MemoryIntrinsicsTest, AStructOfThreeFloatsIsCopiedInThreeParts) {
  LoweredText Text(copying("12", "4"));
  EXPECT_EQ(Text.loadedBytes(), (Bytes{4, 4, 4}));
  EXPECT_EQ(Text.storedBytes(), (Bytes{4, 4, 4}));
}

TEST(MemoryIntrinsicsTest, CopiesAreAsWideAsTheAlignmentAllows) {
  EXPECT_EQ(LoweredText(copying("16", "8")).loadedBytes(), (Bytes{8, 8}));
  EXPECT_EQ(LoweredText(copying("24", "16")).loadedBytes(), (Bytes{16, 8}));
  EXPECT_EQ(LoweredText(copying("20", "4")).loadedBytes(),
            (Bytes{4, 4, 4, 4, 4}));
  EXPECT_EQ(LoweredText(copying("3", "1")).loadedBytes(), (Bytes{1, 1, 1}));
}

TEST(MemoryIntrinsicsTest, LargeCopiesAreLoops) {
  LoweredText Text(copying("2056", "16"));
  EXPECT_TRUE(Text.all<MemIntrinsic>().empty());
  EXPECT_EQ(Text.loadedBytes(), (Bytes{16, 8})); // each round, and the rest
  EXPECT_EQ(Text.all<PHINode>().size(), 1u);
}

/// memcpy(out, in, n): single bytes, as nvcc has it.
TEST(MemoryIntrinsicsTest, CopiesOfUnknownLengthAreLoopsOverBytes) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr %in, i64 %n) {
      call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 %n, i1 false)
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes{1});
  EXPECT_EQ(Text.storedBytes(), Bytes{1});
}

TEST(MemoryIntrinsicsTest, FillsAreStores) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, i64 %n) {
      call void @llvm.memset.p0.i64(ptr align 16 %out, i8 7, i64 24, i1 false)
      call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 2, i1 false)
      call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 %n, i1 false)
      ret void
    })");
  EXPECT_EQ(Text.storedBytes(), (Bytes{16, 8, 1, 1, 1}));
  auto *Value = dyn_cast<Constant>(Text.all<StoreInst>()[0]->getValueOperand());
  ASSERT_TRUE(Value);
  EXPECT_EQ(Value->getUniqueInteger(), 0x07070707u);
}

/// memcpy() by name, of which one side is a variable: that side is accessed as
/// wide as the variable is aligned.
TEST(MemoryIntrinsicsTest, EachSideHasItsOwnWidth) {
  LoweredText Text(R"(
    @tile = internal addrspace(3) global [64 x i32] undef, align 16
    define void @kernel(ptr %in, i64 %i) {
      %at = getelementptr [4 x i32], ptr addrspace(3) @tile, i64 %i
      call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) %at, ptr %in, i64 16,
                                       i1 false)
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), Bytes(16, 1u));
  EXPECT_EQ(Text.storedBytes(), Bytes{16});
  EXPECT_TRUE(Text.all<AllocaInst>().empty());
}

/// reinterpret_cast<float4 *>(l)[c] = in[c]: the array's index is not known.
TEST(MemoryIntrinsicsTest, CopiesIntoAnIndexedArrayAreLoads) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, ptr %in, i64 %c, i64 %k) {
      %l = alloca [16 x float], align 4
      %to = getelementptr [4 x float], ptr %l, i64 %c
      call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %in,
                                       i64 16, i1 false)
      %at = getelementptr float, ptr %l, i64 %k
      %x = load float, ptr %at
      store float %x, ptr %out
      ret void
    })");
  EXPECT_EQ(Text.loadedBytes(), (Bytes{16, 4}));
  EXPECT_EQ(Text.storedBytes(), (Bytes{16, 4}));
}

/// float w[] = {1, 2}: nvcc has no table of it in memory.
TEST(MemoryIntrinsicsTest, InitialValuesAreStored) {
  LoweredText Text(R"(
    @table = private unnamed_addr constant [2 x float] [float 1.0, float 2.0]
    define void @kernel(ptr %out, i64 %k) {
      %w = alloca [2 x float], align 4
      call void @llvm.memcpy.p0.p0.i64(ptr align 4 %w, ptr align 4 @table,
                                       i64 8, i1 false)
      %at = getelementptr float, ptr %w, i64 %k
      %x = load float, ptr %at
      store float %x, ptr %out
      ret void
    })");
  ASSERT_EQ(Text.all<LoadInst>().size(), 1u);
  EXPECT_TRUE(isa<AllocaInst>(
      getUnderlyingObject(Text.all<LoadInst>()[0]->getPointerOperand())));
  EXPECT_EQ(Text.storedBytes(), (Bytes{8, 4}));
}

/// char t[] = "...", read by an index that is not known.
std::string tableOf(unsigned Elements, const std::string &Type) {
  const std::string Array = "[" + std::to_string(Elements) + " x " + Type + "]";
  std::string Values;
  for (unsigned N = 0; N != Elements; ++N)
    Values += (N ? ", " : "") + Type + " " + std::to_string(N + 1);
  const unsigned Bytes = Elements * std::stoi(Type.substr(1)) / 8;
  return "@table = private unnamed_addr constant " + Array + " [" + Values +
         "]\ndefine void @kernel(ptr %out, i64 %k) {\n  %w = alloca " + Array +
         "\n  call void @llvm.memcpy.p0.p0.i64(ptr %w, ptr @table, i64 " +
         std::to_string(Bytes) + ", i1 false)\n  %at = getelementptr " + Type +
         ", ptr %w, i64 %k\n  %x = load " + Type + ", ptr %at\n  store " +
         Type + " %x, ptr %out\n  ret void\n}";
}

/// As nvcc 13 stores them; the last store is that of the result.
TEST(MemoryIntrinsicsTest, TablesAreStoredAsWideAsNvccDoes) {
  const auto of = [](unsigned Elements, const std::string &Type) {
    auto Its = LoweredText(tableOf(Elements, Type)).storedBytes();
    Its.pop_back();
    return Its;
  };
  EXPECT_EQ(of(16, "i32"), Bytes(4, 16));
  EXPECT_EQ(of(64, "i8"), Bytes(4, 16));
  EXPECT_EQ(of(128, "i8"), Bytes(16, 8));
  EXPECT_EQ(of(64, "i32"), Bytes(32, 8));
  EXPECT_EQ(of(33, "i32"), Bytes(33, 4));
  EXPECT_EQ(of(17, "i8"), Bytes(17, 1)); // "0123456789abcdef"
}

/// c[k] = make_uchar4(0, 0, 0, 255) in an array of 12 bytes is no table, nor is
/// a vector that consists of no numbers.
TEST(MemoryIntrinsicsTest, VectorsOfTheSourceStayWhole) {
  LoweredText Text(R"(
    @g = addrspace(1) global i32 0
    define void @kernel(ptr %out, i64 %k) {
      %c = alloca [3 x <4 x i8>], align 4
      %at = getelementptr <4 x i8>, ptr %c, i64 %k
      store <4 x i8> <i8 0, i8 0, i8 0, i8 -1>, ptr %at
      %x = load <4 x i8>, ptr %c
      store <4 x i8> %x, ptr %out
      %d = alloca [3 x i32], align 4
      %there = getelementptr i32, ptr %d, i64 %k
      store <2 x i32> bitcast (i64 ptrtoint (ptr addrspace(1) @g to i64)
                               to <2 x i32>), ptr %d, align 4
      %y = load i32, ptr %there
      store i32 %y, ptr %out
      ret void
    })");
  const auto Stored = Text.storedBytes();
  EXPECT_EQ(count(Stored, 1u), 0);
  EXPECT_GE(count(Stored, 4u), 2);
}

/// What stays within the thread's own variables is no access.
TEST(MemoryIntrinsicsTest, CopiesOfPrivateVariablesAreLeftToSroa) {
  LoweredText Text(R"(
    define void @kernel(ptr %out, float %x) {
      %a = alloca [10 x float], align 4
      %b = alloca [10 x float], align 4
      store float %x, ptr %a
      call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 40, i1 false)
      %y = load float, ptr %b
      store float %y, ptr %out
      ret void
    })");
  EXPECT_TRUE(Text.loadedBytes().empty());
  EXPECT_EQ(Text.storedBytes(), Bytes{4});
}

} // namespace
