//===- BlockSampling.cpp - Which blocks of a grid are run -----------------===//

#include "analyzer/evaluate/BlockSampling.h"

#include <algorithm>
#include <map>

namespace warpwise::access {
namespace {

/// About the middle of an axis. Not at the same part of each: in a symmetric
/// matrix of blocks those on the diagonal are another case, and few.
uint32_t middleOf(uint32_t Count, unsigned Axis) {
  constexpr std::array<double, 3> Part = {0.5, 0.382, 0.618};
  return std::min(Count - 1, uint32_t(Count * Part[Axis]));
}

/// Positions along \p Axis with the number of positions each stands for, from
/// \p Level 0 (the middle alone) upwards.
std::map<uint32_t, double> positions(uint32_t Count, unsigned Axis,
                                     unsigned Level) {
  std::map<uint32_t, double> Chosen;
  const unsigned Wanted = Level == 0 ? 1 : 2 * Level + 1;
  if (Count <= Wanted) {
    for (uint32_t N = 0; N != Count; ++N)
      Chosen[N] = 1;
    return Chosen;
  }
  if (Level == 0)
    return {{middleOf(Count, Axis), Count}};
  Chosen[0] = Chosen[Count - 1] = 1;
  // Between the ends: the middle, and others spread by the golden ratio, so
  // that no power of two in the code coincides with the step.
  const uint32_t Middle = middleOf(Count, Axis);
  if (!Chosen.count(Middle))
    Chosen[Middle] = 0;
  double Fraction = double(Middle) / Count;
  while (Chosen.size() < Wanted) {
    Fraction += 0.6180339887498949;
    Fraction -= int(Fraction);
    uint32_t At = 1 + uint32_t(Fraction * (Count - 2));
    while (Chosen.count(At))
      At = At % (Count - 2) + 1;
    Chosen[At] = 0;
  }
  const double Share = double(Count - 2) / double(Chosen.size() - 2);
  for (auto &[At, Weight] : Chosen)
    if (Weight == 0)
      Weight = Share;
  return Chosen;
}

} // namespace

launch::Dim3 middleBlock(const launch::Dim3 &Grid) {
  return {middleOf(Grid[0], 0), middleOf(Grid[1], 1), middleOf(Grid[2], 2)};
}

std::vector<SampledBlock> sampleBlocks(const launch::Dim3 &Grid,
                                       unsigned Most) {
  std::array<std::map<uint32_t, double>, 3> Best;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    Best[Axis] = positions(Grid[Axis], Axis, 0);
  for (unsigned Level = 1; Level <= 32; ++Level) {
    std::array<std::map<uint32_t, double>, 3> Next;
    size_t Total = 1;
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      Next[Axis] = positions(Grid[Axis], Axis, Level);
      Total *= Next[Axis].size();
    }
    if (Total > Most)
      break;
    Best = Next;
  }
  std::vector<SampledBlock> Blocks;
  for (const auto &[Z, WeightZ] : Best[2])
    for (const auto &[Y, WeightY] : Best[1])
      for (const auto &[X, WeightX] : Best[0])
        Blocks.push_back({{X, Y, Z}, WeightX * WeightY * WeightZ});
  return Blocks;
}

namespace {

/// A part of an axis: its end or what lies between.
struct AxisPart {
  uint32_t Count, Typical;
};

std::vector<AxisPart> partsOfAxis(uint32_t Count, unsigned Axis) {
  const uint32_t Middle = middleOf(Count, Axis);
  if (Count <= 2)
    return {{Count, Middle}};
  return {{Count - 2, Middle}, {1, 0}, {1, Count - 1}};
}

/// Blocks of the largest part: away from the diagonal, in a row, so that
/// remainders differ, next to the ends, so that a border is seen that is not at
/// the very end, and far apart.
std::vector<launch::Dim3> witnessesOf(const launch::Dim3 &Grid,
                                      const launch::Dim3 &Middle) {
  std::vector<launch::Dim3> Chosen = {Middle};
  const auto add = [&](const launch::Dim3 &Block) {
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      const bool HasEnds = Grid[Axis] > 2;
      if (Block[Axis] < HasEnds || Block[Axis] + HasEnds >= Grid[Axis])
        return;
    }
    if (std::find(Chosen.begin(), Chosen.end(), Block) == Chosen.end())
      Chosen.push_back(Block);
  };
  const auto partOf = [&](unsigned Axis, double Part) {
    return uint32_t(Grid[Axis] * Part);
  };
  const auto move = [&](unsigned Axis, auto To) {
    launch::Dim3 Block = Middle;
    Block[Axis] = To(Axis);
    add(Block);
  };
  add({partOf(0, 0.191), partOf(1, 0.809), partOf(2, 0.191)});
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    move(Axis, [&](unsigned A) { return Middle[A] + 1; });
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    move(Axis, [&](unsigned A) { return Grid[A] - 2; });
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    move(Axis, [&](unsigned) { return 1u; });
  add({partOf(0, 0.809), partOf(1, 0.191), partOf(2, 0.809)});
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    move(Axis, [&](unsigned A) { return Middle[A] + 2; });
  return Chosen;
}

} // namespace

std::vector<GridPart> partsOf(const launch::Dim3 &Grid) {
  std::vector<GridPart> Parts;
  for (const AxisPart &Z : partsOfAxis(Grid[2], 2))
    for (const AxisPart &Y : partsOfAxis(Grid[1], 1))
      for (const AxisPart &X : partsOfAxis(Grid[0], 0))
        Parts.push_back({double(X.Count) * Y.Count * Z.Count,
                         {{X.Typical, Y.Typical, Z.Typical}}});
  Parts[0].Witnesses = witnessesOf(Grid, Parts[0].Witnesses[0]);
  return Parts;
}

} // namespace warpwise::access
