//===- BulkCopiesTest.cpp - Copies that the hardware makes ----------------===//

#include "analyzer/lowering/BulkCopies.h"

#include "test/unit/lowering/LoweredText.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// A kernel that hands \p Assembly the address of a tile of 4 KiB, of its
/// second half, or of memory whose size the launch decides.
std::vector<BulkCopy> copies(test::LoweredText &Text) {
  return bulkCopies(*Text.M->getFunction("kernel"));
}

std::string withCopy(const std::string &Instruction, const std::string &Size,
                     const std::string &To = "@tile") {
  return R"(
    @tile = internal addrspace(3) global [1024 x float] undef
    @rest = external addrspace(3) global [0 x i8]
    define void @kernel(ptr %from) {
      %number = ptrtoint ptr addrspace(3) )" +
         To + R"( to i32
      %to = add i32 %number, 2048
      call void asm sideeffect ")" +
         Instruction + R"( [$0], [$1], $2, [$3];", "r,l,r,r"(i32 %to, ptr %from,
        i32 )" +
         Size + R"(, i32 %number)
      ret void
    })";
}

constexpr const char *Plain =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";

TEST(BulkCopiesTest, OfAsManyBytesAsTheCodeSays) {
  test::LoweredText Text(withCopy(Plain, "512"));
  const auto Its = copies(Text);
  ASSERT_EQ(Its.size(), 1u);
  EXPECT_EQ(Its[0].Bytes, 512u);
  EXPECT_FALSE(Its[0].IsTensor);
  ASSERT_NE(Its[0].Into, nullptr);
  EXPECT_EQ(Its[0].Into->getName(), "tile");
}

TEST(BulkCopiesTest, OfATensorAllOfTheTile) {
  test::LoweredText Text(
      withCopy("cp.async.bulk.tensor.1d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes",
               "7"));
  const auto Its = copies(Text);
  ASSERT_EQ(Its.size(), 1u);
  EXPECT_EQ(Its[0].Bytes, 4096u);
  EXPECT_TRUE(Its[0].IsTensor);
}

TEST(BulkCopiesTest, OfUnknownSize) {
  test::LoweredText Text(
      withCopy("cp.async.bulk.tensor.1d.shared::cta.global.tile."
               "mbarrier::complete_tx::bytes",
               "7", "@rest"));
  const auto Its = copies(Text);
  ASSERT_EQ(Its.size(), 1u);
  EXPECT_EQ(Its[0].Bytes, 0u);
}

/// Operands are told by their numbers, behind those of what comes back.
TEST(BulkCopiesTest, WhereverItsOperandsStand) {
  test::LoweredText Text(R"(
    @tile = internal addrspace(3) global [1024 x float] undef
    define void @kernel(ptr %from) {
      %number = ptrtoint ptr addrspace(3) @tile to i32
      %done = call i32 asm sideeffect "cp.async.bulk.shared::cluster.global [$3], [$1], 256, [$2]; mov.u32 $0, 1;",
        "=r,l,r,r"(ptr %from, i32 7, i32 %number)
      ret void
    })");
  const auto Its = copies(Text);
  ASSERT_EQ(Its.size(), 1u);
  EXPECT_EQ(Its[0].Bytes, 256u);
  ASSERT_NE(Its[0].Into, nullptr);
  EXPECT_EQ(Its[0].Into->getName(), "tile");
}

TEST(BulkCopiesTest, WhatGoesElsewhereIsNone) {
  test::LoweredText Text(
      withCopy("cp.async.bulk.global.shared::cta.bulk_group", "512"));
  EXPECT_TRUE(copies(Text).empty());
}

} // namespace
} // namespace warpwise::lowering
