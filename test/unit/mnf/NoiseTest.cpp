//===- NoiseTest.cpp ------------------------------------------------------===//

#include "mnf_case_study/serial/Noise.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace mnf;

namespace {

/// Written apart from the implementation: a sorted copy of every window.
template <typename Sample>
std::vector<NoiseOf<Sample>> expected(const std::vector<Sample> &Plane,
                                      int Lines, int Samples, bool Median) {
  std::vector<NoiseOf<Sample>> Noise;
  for (int Line = 0; Line < Lines; ++Line)
    for (int Column = 0; Column < Samples; ++Column) {
      std::vector<Sample> Window;
      for (int Y = Line - 1; Y <= Line + 1; ++Y)
        for (int X = Column - 1; X <= Column + 1; ++X)
          Window.push_back(Plane[std::clamp(Y, 0, Lines - 1) * Samples +
                                 std::clamp(X, 0, Samples - 1)]);
      std::sort(Window.begin(), Window.end());
      int Sum = 0;
      for (Sample S : Window)
        Sum += S;
      Noise.push_back(Plane[Line * Samples + Column] -
                      (Median ? Window[4] : Sum / 9));
    }
  return Noise;
}

template <typename Sample> void check(int Lines, int Samples) {
  std::mt19937 Random(Lines * 100 + Samples);
  std::vector<Sample> Plane(Lines * Samples);
  for (Sample &S : Plane)
    S = Sample(Random());
  for (bool Median : {false, true}) {
    const auto Kind = Median ? NoiseEstimate::Median : NoiseEstimate::Mean;
    std::vector<NoiseOf<Sample>> Noise(Plane.size());
    estimateNoise(Plane.data(), Lines, Samples, 0, Lines, Kind, Noise.data());
    EXPECT_EQ(Noise, expected(Plane, Lines, Samples, Median));
    // Line by line is the same: strips lose nothing.
    std::vector<NoiseOf<Sample>> Again(Plane.size());
    for (int Line = 0; Line < Lines; ++Line)
      estimateNoise(Plane.data(), Lines, Samples, Line, 1, Kind,
                    &Again[Line * Samples]);
    EXPECT_EQ(Again, Noise);
  }
}

} // namespace

TEST(Noise, IsTheDifferenceToTheWindow) {
  for (auto [Lines, Samples] : {std::pair(1, 2), {7, 1}, {9, 13}, {30, 41}}) {
    check<uint8_t>(Lines, Samples);
    check<int16_t>(Lines, Samples);
    check<uint16_t>(Lines, Samples);
  }
}

TEST(Noise, OfAShiftIsTheDifferenceToTheNeighbour) {
  const std::vector<uint8_t> Plane = {1, 5, 250, 7, 7, 0};
  std::vector<int16_t> Noise(6);
  estimateNoise(Plane.data(), 2, 3, 0, 2, NoiseEstimate::Shift, Noise.data());
  EXPECT_EQ(Noise, (std::vector<int16_t>{-4, -245, 245, 0, 7, -7}));
}
