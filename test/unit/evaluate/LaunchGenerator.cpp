//===- LaunchGenerator.cpp - Draws random launches ------------------------===//

#include "test/unit/evaluate/LaunchGenerator.h"

#include <iterator>

namespace warpwise::test {
namespace {

using Dim3 = std::array<uint32_t, 3>;

constexpr Dim3 Lines[] = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {96, 1, 1},
                          {48, 1, 1}, {40, 1, 1}, {33, 1, 1},  {31, 1, 1},
                          {2, 1, 1},  {1, 1, 1},  {256, 1, 1}, {300, 1, 1}};
constexpr Dim3 Planes[] = {{16, 16, 1}, {32, 4, 1}, {32, 8, 1}, {8, 8, 1},
                           {16, 4, 1},  {8, 16, 1}, {40, 3, 1}, {4, 32, 1}};
// Along z a block has at most 64 threads, and compilers know that.
constexpr Dim3 Boxes[] = {
    {4, 4, 4}, {8, 8, 2}, {8, 4, 2}, {2, 2, 32}, {1, 1, 64}};
constexpr Dim3 Large[] = {{1024, 1, 1}, {32, 32, 1}, {16, 8, 8}, {512, 1, 1}};
constexpr Dim3 Grids[] = {{2, 1, 1}, {3, 1, 1}, {1, 2, 1},
                          {2, 2, 1}, {1, 1, 2}, {4, 1, 1}};

template <size_t Count> Dim3 oneOf(Dice &Random, const Dim3 (&Choices)[Count]) {
  return Choices[Random.below(Count)];
}

Dim3 drawBlock(Dice &Random) {
  auto upTo = [&](int64_t Most) { return uint32_t(Random.between(1, Most)); };
  const unsigned At = unsigned(Random.below(100));
  if (At < 30)
    return oneOf(Random, Lines);
  if (At < 40)
    return {upTo(130), 1, 1};
  if (At < 58)
    return oneOf(Random, Planes);
  if (At < 70)
    return {upTo(40), upTo(6), 1};
  if (At < 78)
    return oneOf(Random, Boxes);
  if (At < 88)
    return {upTo(9), upTo(6), upTo(4)};
  if (At < 99)
    return {20 + upTo(50), upTo(2), 1};
  return oneOf(Random, Large);
}

int64_t drawArgument(Dice &Random, unsigned Bits) {
  switch (Random.below(6)) {
  case 0: // a pitch
    return int64_t(1) << Random.below(13);
  case 1:
    return -Random.between(1, 50);
  case 2:
    return Random.between(0, 100000);
  case 3: // anything
    return Bits == 64 ? int64_t(Random.below(2)) << 34
                      : int64_t(int32_t(Random.below(uint64_t(1) << 32)));
  default:
    return Random.between(0, 70);
  }
}

} // namespace

KernelLaunch drawLaunch(Dice &Random, const std::vector<unsigned> &ArgumentBits,
                        unsigned LeastThreadsX) {
  KernelLaunch Launch;
  do
    Launch.Block = drawBlock(Random);
  while (Launch.Block[0] < LeastThreadsX);
  const unsigned Threads = Launch.Block[0] * Launch.Block[1] * Launch.Block[2];
  if (Threads <= 128 && Random.percent(30))
    Launch.Grid = oneOf(Random, Grids);
  for (unsigned Bits : ArgumentBits)
    Launch.Arguments.push_back(drawArgument(Random, Bits));
  return Launch;
}

} // namespace warpwise::test
