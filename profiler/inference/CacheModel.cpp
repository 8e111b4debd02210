//===- CacheModel.cpp - A cache as a table of tags ------------------------===//

#include "profiler/inference/CacheModel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace warpwise::inference {

std::string_view replacementName(Replacement R) {
  switch (R) {
  case Replacement::Lru:
    return "LRU";
  case Replacement::Fifo:
    return "FIFO";
  case Replacement::Random:
    return "random";
  case Replacement::TreePlru:
    return "tree-PLRU";
  case Replacement::NotMru:
    return "not-MRU";
  case Replacement::WeightedWay:
    return "weighted ways";
  }
  return "";
}

uint64_t CacheShape::capacity() const {
  return LineBytes * std::accumulate(Ways.begin(), Ways.end(), uint64_t(0));
}

unsigned CacheShape::setOf(uint64_t LineNumber) const {
  if (XorMasks.empty())
    return unsigned(LineNumber % Ways.size());
  unsigned Set = 0;
  for (size_t Bit = 0; Bit != XorMasks.size(); ++Bit)
    Set |= unsigned(std::popcount(LineNumber & XorMasks[Bit]) & 1) << Bit;
  return Set;
}

CacheShape CacheShape::uniform(uint64_t LineBytes, unsigned Sets, unsigned Ways,
                               Replacement Policy) {
  CacheShape S;
  S.LineBytes = LineBytes;
  S.SectorBytes = std::min<uint64_t>(S.SectorBytes, LineBytes);
  S.Ways.assign(Sets, Ways);
  S.Policy = Policy;
  return S;
}

Cache::Cache(CacheShape S, uint64_t Seed) : Shape(std::move(S)), Random(Seed) {
  assert(Shape.XorMasks.empty() ||
         Shape.Ways.size() == size_t(1) << Shape.XorMasks.size());
  assert(!Shape.Ways.empty() && "a cache without sets");
  assert(Shape.SectorBytes != 0 && Shape.SectorBytes <= Shape.LineBytes &&
         Shape.LineBytes / Shape.SectorBytes <= 64 && "more sectors than bits");
  assert((Shape.Policy != Replacement::TreePlru ||
          std::all_of(Shape.Ways.begin(), Shape.Ways.end(),
                      [](unsigned W) { return std::has_single_bit(W); })) &&
         "no tree over such ways");
  assert(
      (Shape.Policy != Replacement::WeightedWay ||
       std::all_of(Shape.Ways.begin(), Shape.Ways.end(),
                   [&](unsigned W) { return W == Shape.WayWeights.size(); })) &&
      "a way without a weight");
  for (unsigned Ways : Shape.Ways)
    Sets.emplace_back(Ways);
  clear();
}

void Cache::clear() {
  for (std::vector<Line> &Set : Sets)
    std::fill(Set.begin(), Set.end(), Line{});
  PlruBits.assign(Sets.size(), 0);
  MostRecent.assign(Sets.size(), 0);
}

/// Walks the tree of a PLRU set: each node's bit points to the half that was
/// not used last. Node 1 is the root, node N has the children 2N and 2N + 1.
static unsigned plruVictim(uint64_t Bits, unsigned Ways) {
  unsigned Node = 1;
  while (Node < Ways)
    Node = 2 * Node + unsigned(Bits >> Node & 1);
  return Node - Ways;
}

static void plruTouch(uint64_t &Bits, unsigned Ways, unsigned Way) {
  for (unsigned Node = Way + Ways; Node > 1; Node /= 2) {
    const uint64_t Parent = uint64_t(1) << (Node / 2);
    // Away from the child that was used.
    Bits = Node & 1 ? Bits & ~Parent : Bits | Parent;
  }
}

unsigned Cache::victim(unsigned SetNumber) {
  const std::vector<Line> &Set = Sets[SetNumber];
  const auto Ways = unsigned(Set.size());
  for (unsigned Way = 0; Way != Ways; ++Way)
    if (!Set[Way].Valid)
      return Way;
  switch (Shape.Policy) {
  case Replacement::Lru:
  case Replacement::Fifo:
    return unsigned(std::min_element(Set.begin(), Set.end(),
                                     [](const Line &A, const Line &B) {
                                       return A.Stamp < B.Stamp;
                                     }) -
                    Set.begin());
  case Replacement::Random:
    return unsigned(Random() % Ways);
  case Replacement::TreePlru:
    return plruVictim(PlruBits[SetNumber], Ways);
  case Replacement::NotMru: {
    if (Ways == 1)
      return 0;
    const auto Other = unsigned(Random() % (Ways - 1));
    return Other + (Other >= MostRecent[SetNumber]);
  }
  case Replacement::WeightedWay:
    return std::discrete_distribution<unsigned>(
        Shape.WayWeights.begin(), Shape.WayWeights.begin() + Ways)(Random);
  }
  return 0;
}

Cache::Outcome Cache::load(uint64_t Address) {
  const uint64_t Tag = Address / Shape.LineBytes;
  const uint64_t Sector = uint64_t(1)
                          << Address % Shape.LineBytes / Shape.SectorBytes;
  const unsigned SetNumber = Shape.setOf(Tag);
  std::vector<Line> &Set = Sets[SetNumber];
  ++Clock;
  auto At = std::find_if(Set.begin(), Set.end(), [&](const Line &L) {
    return L.Valid && L.Tag == Tag;
  });
  Outcome Result = Outcome::Hit;
  if (At == Set.end()) {
    Result = Outcome::LineMiss;
    At = Set.begin() + victim(SetNumber);
    *At = {Tag, Sector, Clock, true};
  } else if (!(At->Sectors & Sector)) {
    Result = Outcome::SectorMiss;
    At->Sectors |= Sector;
  }
  if (Shape.Policy != Replacement::Fifo)
    At->Stamp = Clock;
  const auto Way = unsigned(At - Set.begin());
  MostRecent[SetNumber] = Way;
  if (Shape.Policy == Replacement::TreePlru)
    plruTouch(PlruBits[SetNumber], unsigned(Set.size()), Way);
  return Result;
}

} // namespace warpwise::inference
