//===- CommandLineTest.cpp ------------------------------------------------===//
//
// The value of --block.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CommandLine.h"

#include "gtest/gtest.h"

using namespace warpwise::tool;
using warpwise::launch::Dim3;

static std::string errorOf(llvm::StringRef Text) {
  llvm::Expected<BlockOverride> Block = parseBlock(Text);
  return Block ? "" : llvm::toString(Block.takeError());
}

static BlockOverride parsed(llvm::StringRef Text) {
  llvm::Expected<BlockOverride> Block = parseBlock(Text);
  if (!Block) {
    ADD_FAILURE() << llvm::toString(Block.takeError());
    return {};
  }
  return *Block;
}

TEST(ParseBlock, ShapesOfOneToThreeDimensions) {
  EXPECT_EQ(parsed("k=256"), BlockOverride("k", Dim3{256, 1, 1}));
  EXPECT_EQ(parsed("k=32x8"), BlockOverride("k", Dim3{32, 8, 1}));
  EXPECT_EQ(parsed("k=8x8x4"), BlockOverride("k", Dim3{8, 8, 4}));
}

TEST(ParseBlock, WithoutAKernelItIsForAll) {
  EXPECT_EQ(parsed("32x8"), BlockOverride("*", Dim3{32, 8, 1}));
  EXPECT_EQ(parsed("=32"), BlockOverride("*", Dim3{32, 1, 1}));
}

TEST(ParseBlock, TheNameEndsAtTheLastEqualsSign) {
  EXPECT_EQ(parsed("k<A == 1>=32"), BlockOverride("k<A == 1>", Dim3{32, 1, 1}));
}

TEST(ParseBlock, OtherTextsAreRefused) {
  for (const char *Text : {"", "k", "k=", "k=0", "k=-1", "k=32x", "k=x32",
                           "k=1x1x1x1", "k=1025", "k=32y8"})
    EXPECT_EQ(errorOf(Text),
              std::string("'--block=") + Text + "': expected KERNEL=32x8");
}

TEST(ParseBlock, ABlockHasAtMost1024Threads) {
  EXPECT_EQ(errorOf("k=32x32"), "");
  EXPECT_EQ(errorOf("k=33x32"),
            "'--block=k=33x32': a block has at most 1024 threads, not 1056");
}
