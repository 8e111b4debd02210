//===- LoopCountingTest.cpp - Rounds against counting them one by one -----===//

#include "analyzer/evaluate/LoopCounting.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::access;

namespace {

constexpr uint64_t LongEnough = 300;

/// Whether a lane stays in the loop when its counter is \p At.
bool stays(const Countdown &C, uint64_t At, uint64_t Bound) {
  const uint64_t A = C.CounterIsA ? At : Bound, B = C.CounterIsA ? Bound : At;
  const int64_t SA = signExtend(A, C.Bits), SB = signExtend(B, C.Bits);
  switch (C.Compare) {
  case Code::LessS:
    return SA < SB;
  case Code::LessEqualS:
    return SA <= SB;
  case Code::LessU:
    return A < B;
  case Code::LessEqualU:
    return A <= B;
  default:
    return A != B;
  }
}

/// Rounds of one lane; LongEnough when it has that many and more, or when its
/// counter leaves the range of its type on the way.
uint64_t countRounds(const Countdown &C, uint64_t Counter, uint64_t Bound,
                     int64_t Step) {
  const bool Signed = C.Compare == Code::LessS || C.Compare == Code::LessEqualS;
  const __int128 End = (__int128(1) << (C.Bits - Signed));
  __int128 At = Signed ? __int128(signExtend(Counter, C.Bits)) : Counter;
  auto inRange = [&] { return At < End && At >= (Signed ? -End : 0); };
  if (C.Ahead)
    At += Step;
  for (uint64_t Rounds = 0; Rounds != LongEnough && inRange(); ++Rounds) {
    if (!stays(C, truncateTo(uint64_t(At), C.Bits), Bound))
      return Rounds;
    At += Step;
  }
  return LongEnough;
}

/// Compares remainingRounds with counting for counters and bounds near those
/// ends of the range that \p IsTried accepts. Returns how often it could tell.
template <typename Fn> unsigned compareRounds(Fn IsTried) {
  std::mt19937_64 Random(5);
  auto below = [&](uint64_t Count) { return Random() % Count; };
  unsigned Told = 0;
  for (unsigned N = 0; N != 50000; ++N) {
    Countdown C;
    C.Bits = N % 3 == 0 ? 64 : 32;
    C.Compare = std::array{Code::LessS, Code::LessEqualS, Code::LessU,
                           Code::LessEqualU, Code::NotEqual}[below(5)];
    C.CounterIsA = below(2);
    C.Ahead = below(3) == 0;
    C.Counter = 0;
    C.Bound = 1;
    Countdown::Advance Step;
    Step.Slot = 0;
    Step.Bits = C.Bits;
    const int64_t Amount = int64_t(below(9)) - 4;
    Step.Constant = Amount;
    Step.Subtract = below(4) == 0;
    C.Advances.push_back(Step);
    const uint64_t Around = below(4)   ? 1000
                            : below(2) ? uint64_t(1) << (C.Bits - 1)
                                       : 0;
    std::vector<LaneValue> Registers(2);
    const bool Uniform = below(2);
    for (LaneValue &V : Registers) {
      V.Uniform = Uniform;
      for (uint64_t &Lane : V.Lanes)
        Lane = truncateTo(Around + below(200) - 100, C.Bits);
    }
    const uint32_t Active = uint32_t(Random()) | 1;
    if (!IsTried(C, Around))
      continue;
    uint64_t Expected = 0;
    bool Endless = false;
    for (unsigned L = 0; L != 32; ++L)
      if (Active >> L & 1)
        if (const uint64_t Rounds =
                countRounds(C, Registers[0].lane(L), Registers[1].lane(L),
                            Step.Subtract ? -Amount : Amount)) {
          Expected = Expected ? std::min(Expected, Rounds) : Rounds;
          Endless |= Rounds == LongEnough;
        }
    // It may always decline; counters that wrap around are left to it.
    const std::optional<uint64_t> Found = remainingRounds(C, Registers, Active);
    if (!Found || Endless)
      continue;
    ++Told;
    EXPECT_EQ(*Found, Expected)
        << "compare " << int(C.Compare) << ", counter on the "
        << (C.CounterIsA ? "left" : "right") << (C.Ahead ? " ahead" : "")
        << ", step " << (Step.Subtract ? -Amount : Amount) << ", "
        << int(C.Bits) << " bits, lane 0: counter " << Registers[0].Lanes[0]
        << " bound " << Registers[1].Lanes[0];
    if (*Found != Expected)
      break;
  }
  return Told;
}

TEST(LoopCountingTest, RemainingRoundsAreThoseOfTheFirstLaneToLeave) {
  EXPECT_GT(compareRounds([](const Countdown &C, uint64_t Around) {
              return C.Bits == 32 || Around == 1000;
            }),
            10000u);
}

/// Such as a size_t that is taken one below zero.
TEST(LoopCountingTest, NumbersAtTheEndsOf64Bits) {
  EXPECT_GT(compareRounds([](const Countdown &C, uint64_t Around) {
              return C.Bits == 64 && Around != 1000;
            }),
            1000u);
}

} // namespace
