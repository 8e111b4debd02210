//===- TableMemoryTest.cpp ------------------------------------------------===//

#include "analyzer/reuse/TableMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace warpwise::reuse;

namespace {

bool isZero(const void *At, size_t Size) {
  const auto *Bytes = static_cast<const char *>(At);
  return std::all_of(Bytes, Bytes + Size, [](char B) { return B == 0; });
}

TEST(TableMemoryTest, GivesZeros) {
  TableMemory Memory;
  auto *One = static_cast<char *>(Memory.take(100));
  auto *Other = static_cast<char *>(Memory.take(5000));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(One) % 64, 0u);
  EXPECT_GE(Other, One + 128);
  EXPECT_TRUE(isZero(One, 100));
  EXPECT_TRUE(isZero(Other, 5000));
  Memory.give(One, 100);
  Memory.give(Other, 5000);
}

TEST(TableMemoryTest, BeginsAnewWithZerosWhenAllIsBack) {
  TableMemory Memory;
  void *const First = Memory.take(5000);
  void *const Second = Memory.take(9000);
  std::memset(First, 1, 5000);
  std::memset(Second, 2, 9000);
  Memory.give(First, 5000);
  // The second is still there.
  void *const Third = Memory.take(64);
  EXPECT_NE(Third, First);
  EXPECT_EQ(static_cast<char *>(Second)[8999], 2);
  Memory.give(Third, 64);
  Memory.give(Second, 9000);
  // Over the end of what was touched, too.
  void *const Again = Memory.take(20000);
  EXPECT_EQ(Again, First);
  EXPECT_TRUE(isZero(Again, 20000));
  Memory.give(Again, 20000);
}

TEST(TableMemoryTest, AsksTheSystemForWhatDoesNotFit) {
  TableMemory Memory(1 << 21);
  void *const Small = Memory.take(100);
  void *const Large = Memory.take(3 << 20);
  EXPECT_TRUE(isZero(Large, 3 << 20));
  std::memset(Large, 1, 3 << 20);
  Memory.give(Large, 3 << 20);
  Memory.give(Small, 100);
}

TEST(TableMemoryTest, ClearsOnlyWhatIsToBeZero) {
  TableMemory Memory(1 << 21);
  void *const First = Memory.take(1000);
  std::memset(First, 1, 1000);
  Memory.give(First, 1000);
  // Zeros after what is not cleared are none the less zeros.
  void *const Raw = Memory.take(100, Initially::Anything);
  EXPECT_EQ(Raw, First);
  void *const Zeros = Memory.take(1000);
  EXPECT_TRUE(isZero(Zeros, 1000));
  Memory.give(Zeros, 1000);
  Memory.give(Raw, 100);
}

TEST(TableMemoryTest, ArraysMove) {
  ZeroedArray<uint64_t> None;
  EXPECT_TRUE(None.empty());
  ZeroedArray<uint64_t> One(1000);
  One[999] = 7;
  ZeroedArray<uint64_t> Other(std::move(One));
  None = std::move(Other);
  EXPECT_EQ(None[999], 7u);
  EXPECT_EQ(None[0], 0u);
}

} // namespace
