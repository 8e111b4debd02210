//===- VectorLoadsTest.cpp - Loads as wide as nvcc makes them -------------===//

#include "test/unit/lowering/LoweredText.h"

#include <map>

using namespace llvm;
using namespace warpwise;
using namespace warpwise::test;
using Bytes = std::vector<unsigned>;

namespace {

/// A kernel that copies sixteen aligned bytes and uses those members of \p Type
/// whose bits are set in \p Mask.
std::string using_(unsigned Mask, const std::string &Type, unsigned Bytes,
                   unsigned Count) {
  const std::string Whole = std::to_string(Bytes * Count);
  std::string Text = "define void @kernel(ptr %out, ptr %in) {\n"
                     "  %v = alloca [" +
                     Whole + " x i8], align " + Whole +
                     "\n  call void @llvm.memcpy.p0.p0.i64(ptr align " + Whole +
                     " %v, ptr align " + Whole + " %in, i64 " + Whole +
                     ", i1 false)\n";
  for (unsigned N = 0; N != Count; ++N)
    if (Mask >> N & 1) {
      const std::string Number = std::to_string(N);
      Text += "  %a" + Number + " = getelementptr " + Type + ", ptr %v, i64 " +
              Number + "\n  %x" + Number + " = load " + Type + ", ptr %a" +
              Number + "\n  store volatile " + Type + " %x" + Number +
              ", ptr %out\n";
    }
  return Text + "  ret void\n}";
}

/// What cubins of nvcc 13 load for members of a float4.
TEST(VectorLoadsTest, OfAFloat4WhatPtxasKeeps) {
  const std::map<unsigned, Bytes> Expected = {
      {1, {4}},    {2, {4}},  {3, {8}},   {4, {4}},    {5, {4, 4}},
      {6, {4, 4}}, {7, {16}}, {8, {4}},   {9, {4, 4}}, {10, {4, 4}},
      {11, {16}},  {12, {8}}, {13, {16}}, {14, {16}},  {15, {16}}};
  for (const auto &[Mask, Loaded] : Expected)
    EXPECT_EQ(LoweredText(using_(Mask, "float", 4, 4)).loadedBytes(), Loaded)
        << Mask;
}

TEST(VectorLoadsTest, OfADouble2TheHalfThatIsUsed) {
  EXPECT_EQ(LoweredText(using_(2, "double", 8, 2)).loadedBytes(), Bytes{8});
  EXPECT_EQ(LoweredText(using_(3, "double", 8, 2)).loadedBytes(), Bytes{16});
}

TEST(VectorLoadsTest, OfSmallMembersOneOrAll) {
  EXPECT_EQ(LoweredText(using_(4, "i8", 1, 4)).loadedBytes(), Bytes{1});
  EXPECT_EQ(LoweredText(using_(5, "i8", 1, 4)).loadedBytes(), Bytes{4});
  EXPECT_EQ(LoweredText(using_(2, "i16", 2, 4)).loadedBytes(), Bytes{2});
}

/// p[i].x + p[i].y + p[i].w: the third member is loaded along.
TEST(VectorLoadsTest, MembersInBetweenAreLoadedAlong) {
  const auto loading = [](const std::string &Second, const std::string &Third,
                          const std::string &Between = "") {
    return LoweredText("define void @kernel(ptr %out, ptr %in) {\n"
                       "  %a2 = getelementptr float, ptr %in, i64 " +
                       Second + "\n  %a3 = getelementptr float, ptr %in, i64 " +
                       Third + "\n  %v1 = load float, ptr %in, align 16\n" +
                       Between +
                       "  %v2 = load float, ptr %a2, align 4\n"
                       "  %v3 = load float, ptr %a3, align 4\n"
                       "  %s = fadd float %v1, %v2\n"
                       "  %t = fadd float %s, %v3\n"
                       "  store float %t, ptr %out\n  ret void\n}")
        .loadedBytes();
  };
  EXPECT_EQ(loading("1", "2"), Bytes{16});
  EXPECT_EQ(loading("1", "3"), Bytes{16});
  EXPECT_EQ(loading("2", "4"), (Bytes{4, 4, 4}));
  // What is stored may be one of them.
  EXPECT_EQ(loading("1", "2", "  store float %v1, ptr %out\n"),
            (Bytes{4, 4, 4}));
}

TEST(VectorLoadsTest, NeighbouringLoadsBecomeOneVector) {
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

} // namespace
