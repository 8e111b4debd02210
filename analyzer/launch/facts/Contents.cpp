//===- Contents.cpp - What memory holds at a launch -----------------------===//

#include "analyzer/launch/facts/Contents.h"

#include <algorithm>

namespace warpwise::launch {
namespace {

/// No memory is that large.
constexpr uint64_t MostBytes = uint64_t(1) << 40;

/// A number that has nothing to do with its neighbours' (splitmix64).
uint64_t scatter(uint64_t Number) {
  uint64_t Z = (Number + 1) * 0x9e3779b97f4a7c15;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
  return Z ^ (Z >> 31);
}

} // namespace

uint64_t sortedNumber(uint64_t Number, uint64_t Elements, uint64_t Below,
                      uint64_t Chance) {
  if (Elements == 0 || Below == 0)
    return Number;
  const auto Even = uint64_t((unsigned __int128)(Number)*Below / Elements);
  return Even + Chance % std::max<uint64_t>(1, Below / Elements);
}

std::optional<uint64_t> Contents::read(uint64_t Offset, unsigned Bytes) const {
  if (Bytes == 0 || Bytes > 8 || Offset >= MostBytes)
    return std::nullopt;
  const unsigned Width = ElementBytes ? ElementBytes : Bytes;
  auto element = [&](uint64_t Number) -> uint64_t {
    switch (What) {
    case Kind::Iota:
      return Number;
    case Kind::Random:
      return scatter(Seed + Number) %
             std::max<uint64_t>(1, Below ? Below : Elements);
    case Kind::Sorted:
      return sortedNumber(Number, Elements, Below, scatter(Seed + Number));
    case Kind::Zeros:
    case Kind::Bytes:
      break;
    }
    return 0;
  };
  uint64_t Result = 0;
  for (unsigned N = 0; N != Bytes; ++N) {
    const uint64_t At = Offset + N;
    uint64_t Byte = 0;
    if (Elements != 0 && At / Width >= Elements)
      return std::nullopt;
    if (What == Kind::Bytes) {
      Byte = At < Data.size() ? uint8_t(Data[At]) : 0;
    } else {
      Byte = element(At / Width) >> (At % Width * 8) & 0xff;
    }
    Result |= Byte << (N * 8);
  }
  return Result;
}

} // namespace warpwise::launch
