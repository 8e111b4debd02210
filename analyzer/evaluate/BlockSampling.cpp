//===- BlockSampling.cpp - Which blocks of a grid are run -----------------===//

#include "analyzer/evaluate/BlockSampling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>
#include <set>

namespace warpwise::access {
namespace {

/// About the middle of an axis. Not at the same part of each: in a symmetric
/// matrix of blocks those on the diagonal are another case, and few.
uint32_t middleOf(uint32_t Count, unsigned Axis) {
  constexpr std::array<double, 3> Part = {0.5, 0.382, 0.618};
  return std::min(Count - 1, uint32_t(Count * Part[Axis]));
}

/// Neighbouring positions on an axis.
struct Span {
  uint32_t First, Count;
};

/// The ends, since that is where guards bite, and what lies between.
std::vector<Span> spansOf(uint32_t Count) {
  std::vector<Span> Spans;
  if (Count > 3)
    return {{1, Count - 2}, {0, 1}, {Count - 1, 1}};
  for (uint32_t At = 0; At != Count; ++At)
    Spans.push_back({At, 1});
  return Spans;
}

/// A box of blocks.
using Region = std::array<Span, 3>;

double sizeOf(const Region &R) {
  return double(R[0].Count) * R[1].Count * R[2].Count;
}

std::vector<Region> regionsOf(const launch::Dim3 &Grid) {
  std::vector<Region> Regions;
  for (const Span &Z : spansOf(Grid[2]))
    for (const Span &Y : spansOf(Grid[1]))
      for (const Span &X : spansOf(Grid[0]))
        Regions.push_back({X, Y, Z});
  return Regions;
}

bool contains(const Region &R, const launch::Dim3 &Block) {
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (Block[Axis] < R[Axis].First ||
        Block[Axis] - R[Axis].First >= R[Axis].Count)
      return false;
  return true;
}

/// Steps that fill a line, a square or a cube evenly however many are taken,
/// and coincide with no power of two in the code: the golden ratio and what
/// corresponds to it in more dimensions (M. Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018).
constexpr double Steps[3][3] = {
    {0.6180339887498949, 0, 0},
    {0.7548776662466927, 0.5698402909980532, 0},
    {0.8191725133961644, 0.6710436067037893, 0.5497004779019703}};

/// Adds \p Count different blocks of \p R, spread, with the middle of the grid
/// where it is among them. Each region goes on where the one before has
/// stopped, so that those that are alike do not choose alike.
void addSpread(const Region &R, const launch::Dim3 &Middle, unsigned Count,
               std::vector<SampledBlock> &Blocks) {
  const unsigned Free = unsigned(
      std::ranges::count_if(R, [](const Span &S) { return S.Count > 1; }));
  const double Weight = sizeOf(R) / Count;
  std::set<launch::Dim3> Chosen;
  const auto add = [&](const launch::Dim3 &Block) {
    if (Chosen.insert(Block).second)
      Blocks.push_back({Block, Weight});
  };
  if (contains(R, Middle))
    add(Middle);
  for (size_t N = Blocks.size(); Chosen.size() < Count; ++N) {
    launch::Dim3 Block;
    for (unsigned Axis = 0, Dimension = 0; Axis != 3; ++Axis) {
      Block[Axis] = R[Axis].First;
      if (R[Axis].Count == 1)
        continue;
      const double At = 0.5 + double(N) * Steps[Free - 1][Dimension++];
      Block[Axis] += std::min(R[Axis].Count - 1,
                              uint32_t((At - std::floor(At)) * R[Axis].Count));
    }
    add(Block);
  }
}

} // namespace

launch::Dim3 middleBlock(const launch::Dim3 &Grid) {
  return {middleOf(Grid[0], 0), middleOf(Grid[1], 1), middleOf(Grid[2], 2)};
}

std::vector<SampledBlock> sampleBlocks(const launch::Dim3 &Grid,
                                       unsigned Most) {
  assert(Most != 0 && "no block stands for none");
  std::vector<SampledBlock> Blocks;
  const Region Whole = {{{0, Grid[0]}, {0, Grid[1]}, {0, Grid[2]}}};
  if (sizeOf(Whole) <= Most) {
    for (uint32_t Z = 0; Z != Grid[2]; ++Z)
      for (uint32_t Y = 0; Y != Grid[1]; ++Y)
        for (uint32_t X = 0; X != Grid[0]; ++X)
          Blocks.push_back({{X, Y, Z}, 1});
    return Blocks;
  }
  std::vector<Region> Regions = regionsOf(Grid);
  if (2 * Regions.size() > Most)
    Regions = {Whole};
  // Where little lies little can differ, but not as little as that.
  double Roots = 0;
  for (const Region &R : Regions)
    Roots += std::sqrt(sizeOf(R));
  const double Left = double(Most) - double(Regions.size());
  for (const Region &R : Regions)
    addSpread(
        R, middleBlock(Grid),
        unsigned(std::min(sizeOf(R),
                          1 + std::floor(Left * std::sqrt(sizeOf(R)) / Roots))),
        Blocks);
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
