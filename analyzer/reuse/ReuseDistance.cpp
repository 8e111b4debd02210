//===- ReuseDistance.cpp - Hit ratios of many caches in one pass ----------===//

#include "analyzer/reuse/ReuseDistance.h"

#include "analyzer/reuse/Bits.h"
#include "analyzer/reuse/Trace.h"

#include <algorithm>
#include <bit>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

//===----------------------------------------------------------------------===//
// Histogram: exact below 2^16, then 1024 bins for each power of two.
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned ExactBits = 16, StepBits = 10;

size_t binOf(uint32_t Distance) {
  if (Distance >> ExactBits == 0)
    return Distance;
  const unsigned Log = unsigned(std::bit_width(Distance)) - 1;
  return (size_t(1) << ExactBits) + (size_t(Log - ExactBits) << StepBits) +
         (Distance >> (Log - StepBits) & ((1u << StepBits) - 1));
}

uint32_t lowestIn(size_t Bin) {
  if (Bin >> ExactBits == 0)
    return uint32_t(Bin);
  Bin -= size_t(1) << ExactBits;
  const unsigned Log = ExactBits + unsigned(Bin >> StepBits);
  const uint32_t Step = uint32_t(Bin & ((1u << StepBits) - 1));
  return (1u << Log) + (Step << (Log - StepBits));
}

} // namespace

void ReuseHistogram::add(uint32_t Distance, double Count) {
  Total += Count;
  if (Distance == Cold) {
    First += Count;
    return;
  }
  const size_t Bin = binOf(Distance);
  if (Bin >= Sectors.size())
    Sectors.resize(Bin + 1);
  Sectors[Bin] += Count;
}

void ReuseHistogram::merge(const ReuseHistogram &O) {
  Total += O.Total;
  First += O.First;
  Sectors.resize(std::max(Sectors.size(), O.Sectors.size()));
  for (size_t I = 0; I != O.Sectors.size(); ++I)
    Sectors[I] += O.Sectors[I];
}

double ReuseHistogram::hitRatio(uint64_t Lines) const {
  double Hits = 0;
  for (size_t I = 0; I != Sectors.size() && lowestIn(I) < Lines; ++I)
    Hits += Sectors[I];
  return Total > 0 ? Hits / Total : 0;
}

std::vector<std::pair<uint32_t, double>> ReuseHistogram::points() const {
  std::vector<std::pair<uint32_t, double>> Points;
  for (size_t I = 0; I != Sectors.size(); ++I)
    if (Sectors[I] != 0)
      Points.push_back({lowestIn(I), Sectors[I]});
  if (First != 0)
    Points.push_back({Cold, First});
  return Points;
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {

/// The line was used at \p Distance: raises all of \p Worst, then reports and
/// renews the granules in \p Mask.
template <typename Callable>
void renew(uint32_t *Worst, unsigned Granules, uint32_t Mask, uint32_t Distance,
           Callable Each) {
  for (unsigned G = 0; G != Granules; ++G) {
    Worst[G] = std::max(Worst[G], Distance);
    if (Mask >> G & 1) {
      Each(G, Worst[G]);
      Worst[G] = 0;
    }
  }
}

} // namespace

SetStack::SetStack(unsigned MostWays, unsigned Granules, Replacement Policy)
    : MostWays(MostWays), Granules(Granules), Policy(Policy) {}

template <typename Callable>
void SetStack::access(uint64_t Line, uint32_t Mask, uint32_t Uses,
                      Callable Each) {
  size_t Depth = 0;
  while (Depth != Entries.size() && Entries[Depth].Line != Line)
    ++Depth;
  Entry Used;
  uint32_t Distance = ReuseHistogram::Cold;
  if (Depth != Entries.size()) {
    Distance = uint32_t(Depth);
    Used = std::move(Entries[Depth]);
  } else {
    Used.Line = Line;
    Used.Worst.assign(Granules, ReuseHistogram::Cold);
    if (Entries.size() < MostWays)
      Entries.emplace_back();
    else
      --Depth; // what is carried down to there falls off
  }
  renew(Used.Worst.data(), Granules, Mask, Distance, Each);
  Used.Uses = Uses;
  Used.LastUse = ++Clock;
  // The used line goes to the top. What it displaces moves down until it finds
  // one that should leave before it.
  Entry Carried = std::move(Used);
  for (size_t I = 0; I != Depth; ++I)
    if (I == 0 || Policy == Replacement::Lru || staysAbove(Carried, Entries[I]))
      std::swap(Carried, Entries[I]);
  // A full stack of another depth: the bottom competes as well.
  Entry &Bottom = Entries[Depth];
  if (Distance != ReuseHistogram::Cold || Bottom.Worst.empty() || Depth == 0 ||
      Policy == Replacement::Lru || staysAbove(Carried, Bottom))
    Bottom = std::move(Carried);
}

uint32_t FullStack::before(uint32_t Time) const {
  int32_t Sum = 0;
  for (uint32_t I = Time; I != 0; I &= I - 1)
    Sum += Marks[I - 1];
  return uint32_t(Sum);
}

void FullStack::mark(uint32_t Time, int32_t By) {
  for (uint32_t I = Time + 1; I <= Marks.size(); I += I & -I)
    Marks[I - 1] += By;
}

/// Times are used up: numbers the last uses anew, in their order.
void FullStack::compact() {
  std::vector<uint32_t> Order(Nodes.size());
  for (uint32_t I = 0; I != Order.size(); ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Nodes[A].Time < Nodes[B].Time;
  });
  Marks.assign(std::max(Marks.size(), 4 * Nodes.size()), 0);
  Clock = 0;
  for (uint32_t N : Order) {
    Nodes[N].Time = Clock++;
    mark(Nodes[N].Time, 1);
  }
}

template <typename Callable>
void FullStack::access(uint64_t Line, uint32_t Mask, Callable Each) {
  if (Clock == Marks.size())
    compact();
  const auto [At, New] = NodeOf.try_emplace(Line, uint32_t(Nodes.size()));
  const uint32_t N = At->second;
  uint32_t Distance = ReuseHistogram::Cold;
  assert(Clock < Marks.size() && "compact() makes room");
  if (New) {
    Nodes.push_back({Line, 0});
    Worst.resize(Worst.size() + Granules, ReuseHistogram::Cold);
  } else {
    Distance = uint32_t(Nodes.size()) - before(Nodes[N].Time + 1);
    mark(Nodes[N].Time, -1);
  }
  Nodes[N].Time = Clock++;
  mark(Nodes[N].Time, 1);
  renew(&Worst[size_t(N) * Granules], Granules, Mask, Distance, Each);
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

ReuseDistance::ReuseDistance(const CacheLevel &Level, uint64_t Sets,
                             unsigned MostWays, unsigned SampleShift)
    : Index(Level, Sets), PerFill(Level.FillBytes / SectorBytes),
      Granules(Level.LineBytes / Level.FillBytes), SampleShift(SampleShift),
      Policy(Level.Policy == Replacement::Lfu ? Replacement::Lfu
                                              : Replacement::Lru),
      Stacks(Sets, SetStack(MostWays, Granules, Policy)), All(Granules) {}

void ReuseDistance::access(uint64_t Line, uint32_t Sectors, bool Counts) {
  // A granule is filled as a whole, so it hits as a whole.
  uint32_t Mask = 0;
  const uint32_t One = uint32_t((uint64_t(1) << PerFill) - 1);
  for (unsigned G = 0; G != Granules; ++G)
    if (Sectors & One << G * PerFill)
      Mask |= 1u << G;
  const auto CountIn = [&](ReuseHistogram &H, double Weight, unsigned Shift) {
    return [&H, Weight, Shift, Counts, Sectors, One, this](unsigned G,
                                                           uint32_t Distance) {
      if (!Counts)
        return;
      if (Distance != ReuseHistogram::Cold)
        Distance = uint32_t(std::min<uint64_t>(uint64_t(Distance) << Shift,
                                               ReuseHistogram::Cold - 1));
      H.add(Distance, Weight * std::popcount(Sectors & One << G * PerFill));
    };
  };
  const uint32_t Used = Policy == Replacement::Lfu ? ++Uses[Line] : 0;
  Stacks[Index(Line)].access(Line, Mask, Used, CountIn(BySet, 1, 0));
  const uint64_t Hash = mixed(Line);
  if (SampleShift == 0 || Hash >> (64 - SampleShift) == 0)
    All.access(Line, Mask,
               CountIn(Full, double(uint64_t(1) << SampleShift), SampleShift));
}
