//===- RegisterSpillTest.cpp - Values that registers have no room for -----===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;

namespace {

constexpr std::string_view RegisterSpill = "cuda-memory-register-spill";

access::Kernel spilling(unsigned Registers, uint64_t Bytes) {
  auto K = kernelWith({}, {launched({256, 1, 1})});
  K.Works = {{.Blocks = 1000, .IsWholeGrid = true, .BlockThreads = 256}};
  K.Registers = Registers;
  K.SpillBytes = K.SpillStores = K.SpillLoads = Bytes;
  return K;
}

TEST(RegisterSpill, AsksForAsManyAsAreSpilled) {
  const auto Found = run(RegisterSpill, spilling(32, 128));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "32 registers do not hold what a thread needs: 128 bytes are "
            "spilled to local memory");
  EXPECT_EQ(Found[0].Remedy,
            "leave it about 64 registers: __launch_bounds__(256, 4), and no "
            "-maxrregcount below that");
}

TEST(RegisterSpill, AThreadHasNoMoreThanThereAre) {
  const auto Found = run(RegisterSpill, spilling(255, 300));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Remedy.find("keep fewer values at a time"), 0u);
}

/// 160 registers of 1024 threads are more than an SM has.
TEST(RegisterSpill, BlocksMayBeTooLargeForIt) {
  auto K = spilling(64, 4 * 96);
  K.Works[0].BlockThreads = 1024;
  const auto Found = run(RegisterSpill, K);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Remedy.find("with smaller blocks"), std::string::npos);
}

TEST(RegisterSpill, SilentWithoutSpillsAndWithoutNvcc) {
  EXPECT_TRUE(run(RegisterSpill, spilling(32, 0)).empty());
  auto Unknown = spilling(32, 128);
  Unknown.Registers.reset();
  EXPECT_TRUE(run(RegisterSpill, Unknown).empty());
}

} // namespace
