//===- TensorCoreTest.cpp - Which lane touches what of a fragment ---------===//

#include "analyzer/lowering/TensorCore.h"

#include "test/unit/evaluate/KernelText.h"

#include <set>

using namespace warpwise;
using namespace warpwise::access;
using namespace warpwise::lowering;
using namespace warpwise::test;

namespace {

const char *const Tile =
    "@tile = external addrspace(3) global [65536 x i8], align 16";

/// A kernel that loads a 16x16 fragment of half from \p Pointer, given as a
/// typed value.
std::string loadHalf(const std::string &Matrix, const std::string &Layout,
                     const std::string &Pointer,
                     const std::string &Leading = "%ld") {
  const bool Shared = Pointer.find("addrspace(3)") != std::string::npos;
  const std::string Eight = "<2 x half>, <2 x half>, <2 x half>, <2 x half>";
  return "%fragment = call { " + Eight + ", " + Eight +
         " } @llvm.nvvm.wmma.m16n16k16.load." + Matrix + "." + Layout +
         ".stride.f16." + (Shared ? "p3" : "p0") + "(" + Pointer + ", i32 " +
         Leading + ")\nret void";
}

std::optional<FragmentAccess> fragmentOf(KernelText &Text) {
  return fragmentAccess(*Text.call());
}

/// Every element of the fragment, as {line, element}, with how often a lane
/// touches it.
std::multiset<std::pair<unsigned, unsigned>>
elementsOf(const FragmentAccess &F) {
  std::multiset<std::pair<unsigned, unsigned>> Elements;
  for (const FragmentRequest &R : F.Requests)
    for (unsigned L = 0; L != 32; ++L)
      if (R.Lanes >> L & 1)
        for (unsigned E = 0; E != R.Bytes / F.ElementBytes; ++E)
          Elements.insert({R.Line[L], R.Element[L] + E});
  return Elements;
}

void expectWholeTile(const FragmentAccess &F, unsigned Lines, unsigned Length) {
  const auto Elements = elementsOf(F);
  EXPECT_EQ(Elements.size(), size_t(Lines) * Length);
  for (unsigned Line = 0; Line != Lines; ++Line)
    for (unsigned E = 0; E != Length; ++E)
      EXPECT_EQ(Elements.count({Line, E}), 1u) << Line << ", " << E;
}

TEST(TensorCoreTest, ARowMajorOperandFromGlobalMemoryGoesByRegister) {
  KernelText Text("ptr %a, i32 %ld", loadHalf("a", "row", "ptr %a"));
  const auto F = fragmentOf(Text);
  ASSERT_TRUE(F);
  EXPECT_FALSE(F->IsStore);
  EXPECT_EQ(F->ElementBytes, 2u);
  ASSERT_EQ(F->Requests.size(), 4u);
  // Four lanes hold eight neighbouring elements of a row, two each.
  const FragmentRequest &First = F->Requests[0];
  EXPECT_EQ(First.Bytes, 4u);
  for (unsigned L = 0; L != 32; ++L) {
    EXPECT_EQ(First.Line[L], L / 4);
    EXPECT_EQ(First.Element[L], L % 4 * 2);
  }
  expectWholeTile(*F, 16, 16);
}

TEST(TensorCoreTest, EveryElementIsLoadedOnceWhateverTheLayout) {
  for (const char *Matrix : {"a", "b"})
    for (const char *Layout : {"row", "col"}) {
      KernelText Global("ptr %a, i32 %ld", loadHalf(Matrix, Layout, "ptr %a"));
      expectWholeTile(*fragmentOf(Global), 16, 16);
      KernelText Shared(
          "i32 %ld", loadHalf(Matrix, Layout, "ptr addrspace(3) @tile"), Tile);
      expectWholeTile(*fragmentOf(Shared), 16, 16);
    }
}

TEST(TensorCoreTest, HalfFromSharedMemoryComesByRowsOfSixteenBytes) {
  KernelText Text("i32 %ld", loadHalf("a", "row", "ptr addrspace(3) @tile"),
                  Tile);
  const auto F = fragmentOf(Text);
  ASSERT_TRUE(F);
  ASSERT_EQ(F->Requests.size(), 1u);
  EXPECT_EQ(F->Requests[0].Bytes, 16u);
  EXPECT_EQ(F->Requests[0].Lanes, ~0u);
}

double wavefronts(int64_t Leading) {
  KernelText Text("i32 %ld", loadHalf("a", "row", "ptr addrspace(3) @tile"),
                  Tile);
  const auto Costs = costsOf(Text, {32, 1, 1}, {Leading});
  EXPECT_EQ(Costs.size(), 1u);
  EXPECT_EQ(Costs[0]->State, Proof::Exact);
  EXPECT_EQ(Costs[0]->IdealWavefronts, 4.0);
  return Costs[0]->Wavefronts.value_or(0);
}

/// Rows 128 bytes apart start at the same bank; 16 bytes more spread them.
TEST(TensorCoreTest, PaddingTheLeadingDimensionAvoidsConflicts) {
  EXPECT_DOUBLE_EQ(wavefronts(64), 32);
  EXPECT_DOUBLE_EQ(wavefronts(72), 4);
  EXPECT_DOUBLE_EQ(wavefronts(16), 8);
  EXPECT_DOUBLE_EQ(wavefronts(24), 4);
}

TEST(TensorCoreTest, ARequestToGlobalMemoryTouchesASectorOfEachOfItsRows) {
  KernelText Text("ptr %a, i32 %ld", loadHalf("a", "row", "ptr %a"));
  for (const auto &C : costsOf(Text, {32, 1, 1}, {1024})) {
    ASSERT_TRUE(C);
    EXPECT_DOUBLE_EQ(C->Sectors.value_or(0), 8);
    EXPECT_EQ(C->IdealSectors, 4.0);
  }
}

TEST(TensorCoreTest, AnAccumulatorIsStoredTwoColumnsAtATime) {
  KernelText Text("ptr %d, i32 %ld, float %v", R"(
    call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %d,
        float %v, float %v, float %v, float %v, float %v, float %v, float %v,
        float %v, i32 %ld)
    ret void)");
  const auto F = fragmentOf(Text);
  ASSERT_TRUE(F);
  EXPECT_TRUE(F->IsStore);
  EXPECT_EQ(F->ElementBytes, 4u);
  ASSERT_EQ(F->Requests.size(), 4u);
  EXPECT_EQ(F->Requests[0].Bytes, 8u);
  expectWholeTile(*F, 16, 16);
}

TEST(TensorCoreTest, OtherCallsAreNoFragments) {
  KernelText Text("", "call void @llvm.nvvm.barrier0()\nret void");
  EXPECT_FALSE(fragmentOf(Text));
}

} // namespace
