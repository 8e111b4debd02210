//===- SetMapping.cpp - Which lines share a set ---------------------------===//

#include "profiler/inference/SetMapping.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <random>
#include <unordered_map>
#include <unordered_set>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// More differences than unknowns, so that a fit is no chance: 2^-8.
constexpr size_t SpareDifferences = 8;
/// Unseen lines for each group: as many inside as outside of its set.
constexpr unsigned UnseenLines = 12;
constexpr size_t UnseenGroups = 8;
/// Share of members that may be there by mistake.
constexpr double StrayMembers = 0.05;

/// All lines of a group that surely share the set.
std::vector<uint64_t> members(const ConflictGroup &G) {
  std::vector<uint64_t> Lines = G.Lines;
  Lines.insert(Lines.end(), G.Others.begin(), G.Others.end());
  return Lines;
}

bool odd(uint64_t Bits) { return std::popcount(Bits) % 2; }

/// Whether each group is in a set of its own, but for \p Strays of the lines.
bool agrees(const ConflictGroups &Groups, const SetMapping &Mapping,
            double Strays = 0) {
  std::unordered_set<uint64_t> Sets;
  size_t Lines = 0, Wrong = 0;
  for (const ConflictGroup &G : Groups.Groups) {
    std::unordered_map<uint64_t, size_t> In;
    for (uint64_t Line : members(G))
      ++In[Mapping.setOf(Line)];
    const auto Own = std::max_element(
        In.begin(), In.end(),
        [](const auto &A, const auto &B) { return A.second < B.second; });
    Lines += members(G).size();
    Wrong += members(G).size() - Own->second;
    if (!Sets.insert(Own->first).second)
      return false;
  }
  return double(Wrong) <= Strays * double(Lines);
}

bool inSpan(uint64_t Vector, std::span<const uint64_t> Basis) {
  for (uint64_t Row : Basis)
    if (Vector & std::bit_floor(Row))
      Vector ^= Row;
  return Vector == 0;
}

/// The basis of the differences that agree with one another, where a few do
/// not: a line that was taken for a member of a set by mistake gives a
/// difference at random. Small random samples are likely to have none. A sample
/// with one explains that one more than the truth does, at the price of a
/// dimension: of those that explain nearly most, the smallest wins.
std::vector<uint64_t> likelyBasis(std::span<const uint64_t> Differences,
                                  unsigned Bits) {
  constexpr unsigned Samples = 300;
  std::mt19937_64 Random(1);
  std::vector<std::pair<size_t, std::vector<uint64_t>>> Found;
  size_t Most = 0;
  for (unsigned I = 0; I != Samples; ++I) {
    std::vector<uint64_t> Sample;
    std::sample(Differences.begin(), Differences.end(),
                std::back_inserter(Sample), Bits + SpareDifferences, Random);
    std::vector<uint64_t> Basis = inference::reducedBasis(Sample);
    if (Basis.size() >= Bits)
      continue;
    const auto Explained =
        size_t(std::count_if(Differences.begin(), Differences.end(),
                             [&](uint64_t D) { return inSpan(D, Basis); }));
    Most = std::max(Most, Explained);
    Found.emplace_back(Explained, std::move(Basis));
  }
  std::vector<uint64_t> Best;
  for (auto &[Explained, Basis] : Found)
    if (double(Explained) >= (1 - StrayMembers) * double(Most) &&
        (Best.empty() || Basis.size() < Best.size()))
      Best = std::move(Basis);
  return Best;
}

} // namespace

uint64_t SetMapping::setOf(uint64_t Line) const {
  if (XorMasks.empty())
    return Line % Sets;
  uint64_t Set = 0;
  for (size_t Bit = 0; Bit != XorMasks.size(); ++Bit)
    Set |= uint64_t(odd(Line & XorMasks[Bit])) << Bit;
  return Set;
}

std::vector<uint64_t>
inference::reducedBasis(std::span<const uint64_t> Vectors) {
  std::vector<uint64_t> Rows;
  for (uint64_t Vector : Vectors) {
    for (uint64_t Row : Rows)
      if (Vector & std::bit_floor(Row))
        Vector ^= Row;
    if (!Vector)
      continue;
    for (uint64_t &Row : Rows)
      if (Row & std::bit_floor(Vector))
        Row ^= Vector;
    Rows.push_back(Vector);
  }
  std::sort(Rows.begin(), Rows.end(), std::greater<>());
  return Rows;
}

std::vector<uint64_t>
inference::orthogonalBasis(std::span<const uint64_t> Basis, unsigned Bits) {
  uint64_t Pivots = 0;
  for (uint64_t Row : Basis)
    Pivots |= std::bit_floor(Row);
  std::vector<uint64_t> Masks;
  for (unsigned Bit = 0; Bit != Bits; ++Bit) {
    const uint64_t Free = uint64_t(1) << Bit;
    if (Pivots & Free)
      continue;
    uint64_t Mask = Free;
    for (uint64_t Row : Basis)
      if (Row & Free)
        Mask |= std::bit_floor(Row);
    Masks.push_back(Mask);
  }
  return reducedBasis(Masks);
}

std::optional<SetMapping> inference::explainSets(const ConflictGroups &Groups,
                                                 unsigned Bits) {
  if (Groups.Groups.size() == 1 && Groups.Complete)
    return SetMapping{};
  uint64_t Divisor = 0;
  std::vector<uint64_t> Differences;
  for (const ConflictGroup &G : Groups.Groups)
    for (uint64_t Line : members(G)) {
      const uint64_t First = G.Lines.front();
      if (Line == First)
        continue;
      Divisor = std::gcd(Divisor, Line > First ? Line - First : First - Line);
      Differences.push_back(Line ^ First);
    }
  SetMapping Mapping;
  Mapping.Sets = Divisor;
  if (Divisor > 1 && Differences.size() > SpareDifferences &&
      agrees(Groups, Mapping))
    return Mapping;
  const std::vector<uint64_t> Basis = likelyBasis(Differences, Bits);
  if (Basis.empty() || Differences.size() < Basis.size() + SpareDifferences)
    return std::nullopt;
  Mapping.XorMasks = orthogonalBasis(Basis, Bits);
  // By ascending bits: low address bits tell low set bits.
  std::reverse(Mapping.XorMasks.begin(), Mapping.XorMasks.end());
  Mapping.Sets = uint64_t(1) << Mapping.XorMasks.size();
  if (agrees(Groups, Mapping, StrayMembers))
    return Mapping;
  return std::nullopt;
}

/// Random lines in the same set as \p Line, or lines that are in others.
static std::vector<uint64_t> linesLike(uint64_t Line, bool Same,
                                       const SetMapping &Mapping,
                                       const std::unordered_set<uint64_t> &Seen,
                                       uint64_t AllLines,
                                       std::mt19937_64 &Random) {
  std::vector<uint64_t> Lines;
  // In a small array there may be few that are not in the sample.
  for (uint64_t Try = 0; Try != 64 * UnseenLines * Mapping.Sets; ++Try) {
    const uint64_t Other = Random() % AllLines;
    if ((Mapping.setOf(Other) == Mapping.setOf(Line)) == Same &&
        !Seen.contains(Other) &&
        std::find(Lines.begin(), Lines.end(), Other) == Lines.end())
      Lines.push_back(Other);
    if (Lines.size() == UnseenLines)
      break;
  }
  return Lines;
}

double inference::agreementOnUnseen(ConflictSearch &Search,
                                    const ConflictGroups &Groups,
                                    const SetMapping &Mapping, uint64_t Seed) {
  using Belongs = ConflictSearch::Belongs;
  std::mt19937_64 Random(Seed);
  std::unordered_set<uint64_t> Seen(Groups.Strangers.begin(),
                                    Groups.Strangers.end());
  for (const ConflictGroup &G : Groups.Groups)
    for (uint64_t Line : members(G))
      Seen.insert(Line);
  size_t Asked = 0, Right = 0, Decided = 0;
  for (size_t I = 0; I != std::min(UnseenGroups, Groups.Groups.size()); ++I) {
    const ConflictGroup &G = Groups.Groups[I];
    const uint64_t First = G.Lines.front();
    std::vector<uint64_t> Lines;
    for (bool Same : {true, false}) {
      const std::vector<uint64_t> Like =
          linesLike(First, Same, Mapping, Seen, Search.lines(), Random);
      Lines.insert(Lines.end(), Like.begin(), Like.end());
    }
    Asked += Lines.size();
    // A random set takes some time to be whole again after a line of its own.
    std::shuffle(Lines.begin(), Lines.end(), Random);
    // What is unlike the prediction is asked again: it may be an outlier.
    for (unsigned Tries = 3; Tries-- && !Lines.empty();) {
      const std::vector<Belongs> In = Search.classify(G, Lines);
      std::vector<uint64_t> Wrong;
      for (size_t J = 0; J != Lines.size(); ++J) {
        const bool Same = Mapping.setOf(Lines[J]) == Mapping.setOf(First);
        if (In[J] == (Same ? Belongs::Yes : Belongs::No))
          ++Right, ++Decided;
        else if (Tries)
          Wrong.push_back(Lines[J]);
        else
          Decided += In[J] != Belongs::Unclear;
      }
      Lines = std::move(Wrong);
    }
  }
  if (Asked == 0)
    return 1;
  return Decided ? double(Right) / double(Decided) : 0;
}
