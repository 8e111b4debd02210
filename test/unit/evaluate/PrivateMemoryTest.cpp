//===- PrivateMemoryTest.cpp - Contents of private arrays -----------------===//
//
// Against a model that keeps each lane's bytes by themselves.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/PrivateMemory.h"

#include "gtest/gtest.h"

#include <functional>
#include <optional>
#include <random>

namespace warpwise::access {
namespace {

constexpr uint64_t Base = 4096, Bytes = 32;
using LaneBytes = std::array<std::optional<uint8_t>, Bytes>;

class Picker {
  std::mt19937 Random;

public:
  explicit Picker(unsigned Seed) : Random(Seed) {}
  unsigned below(unsigned Count) { return Random() % Count; }
  uint32_t mask() {
    switch (below(3)) {
    case 0:
      return ~0u;
    case 1:
      return 1u << below(32);
    default:
      return uint32_t(Random());
    }
  }
  /// The same in all lanes, or not, known or not.
  LaneValue value(const std::function<uint64_t()> &One) {
    LaneValue V = LaneValue::uniform(One());
    switch (below(4)) {
    case 0:
      return V;
    case 1:
      V.spread();
      break;
    default:
      V.spread();
      for (uint64_t &Lane : V.Lanes)
        Lane = One();
    }
    if (below(3) == 0)
      V.Unknown = mask();
    return V;
  }
};

TEST(PrivateMemory, EachLaneFindsWhatItHasStored) {
  Picker Pick(1);
  PrivateMemory Memory;
  Memory.add(Base, Bytes);
  std::array<LaneBytes, 32> Lanes;
  unsigned Known = 0;
  for (unsigned Round = 0; Round != 4000; ++Round) {
    const unsigned Size = 1u << Pick.below(4);
    // Now and then beside the array, or half outside of it.
    LaneValue At =
        Pick.value([&] { return Base - 2 + Pick.below(unsigned(Bytes) + 2); });
    if (Pick.below(8))
      At.Unknown = 0;
    const uint32_t Active = Pick.mask();
    const auto Its = [&](unsigned L) -> std::optional<uint64_t> {
      const uint64_t Address = At.lane(L);
      if (Address < Base || Address + Size > Base + Bytes)
        return std::nullopt;
      return Address - Base;
    };
    if (Pick.below(2)) {
      const LaneValue Value =
          Pick.value([&] { return uint64_t(Pick.mask()) << 16; });
      Memory.store(At, &Value, Size, Active);
      for (unsigned L = 0; L != 32; ++L) {
        if (!(Active >> L & 1))
          continue;
        if (At.Unknown >> L & 1)
          Lanes[L].fill(std::nullopt);
        else if (const auto First = Its(L))
          for (unsigned B = 0; B != Size; ++B)
            Lanes[L][*First + B] =
                Value.Unknown >> L & 1
                    ? std::nullopt
                    : std::optional(uint8_t(Value.lane(L) >> (8 * B)));
      }
      continue;
    }
    const LaneValue Found = Memory.load(At, Size, Active);
    for (unsigned L = 0; L != 32; ++L) {
      std::optional<uint64_t> Expected;
      if (const auto First = Its(L); First && (Active & ~At.Unknown) >> L & 1) {
        Expected = 0;
        for (unsigned B = 0; B != Size && Expected; ++B)
          if (const auto Byte = Lanes[L][*First + B])
            *Expected |= uint64_t(*Byte) << (8 * B);
          else
            Expected.reset();
      }
      ASSERT_EQ(!(Found.Unknown >> L & 1), Expected.has_value()) << Round;
      if (Expected) {
        ASSERT_EQ(Found.lane(L), *Expected) << Round;
        ++Known;
      }
    }
  }
  EXPECT_GT(Known, 1000u); // or it compares nothing
}

} // namespace
} // namespace warpwise::access
