//===- BlockPlacement.cpp - How blocks find their SM ----------------------===//

#include "profiler/inference/BlockPlacement.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace warpwise::inference {

std::vector<unsigned> firstWave(std::span<const BlockVisit> Visits) {
  uint64_t FirstEnd = ~0ull;
  for (const BlockVisit &V : Visits)
    FirstEnd = std::min(FirstEnd, V.End);
  std::vector<unsigned> Sms;
  for (const BlockVisit &V : Visits) {
    if (V.Begin >= FirstEnd)
      break;
    Sms.push_back(V.Sm);
  }
  return Sms;
}

double agreement(std::span<const unsigned> A, std::span<const unsigned> B) {
  const size_t Count = std::min(A.size(), B.size());
  size_t Same = 0;
  for (size_t I = 0; I != Count; ++I)
    Same += A[I] == B[I];
  return Count == 0 ? 0 : double(Same) / double(Count);
}

double sameSteps(std::span<const unsigned> A, std::span<const unsigned> B) {
  std::multiset<std::pair<unsigned, unsigned>> Steps;
  for (size_t I = 0; I + 1 < A.size(); ++I)
    Steps.emplace(A[I], A[I + 1]);
  size_t Same = 0;
  for (size_t I = 0; I + 1 < B.size(); ++I)
    if (auto At = Steps.find({B[I], B[I + 1]}); At != Steps.end()) {
      Steps.erase(At);
      ++Same;
    }
  return B.size() < 2 ? 0 : double(Same) / double(B.size() - 1);
}

std::string_view repeatability(double Agreement, double SameSteps) {
  if (Agreement == 1)
    return "yes";
  return SameSteps > 0.9 ? "but for the start" : "no";
}

std::string placementRule(std::span<const unsigned> Sms, unsigned SmCount) {
  const size_t Rounds = Sms.size() / SmCount;
  bool Ascending = Rounds != 0, Spread = Rounds != 0, Same = Rounds != 0;
  for (size_t R = 0; R != Rounds; ++R) {
    std::vector<bool> Seen(SmCount, false);
    for (unsigned I = 0; I != SmCount; ++I) {
      const unsigned Sm = Sms[R * SmCount + I];
      assert(Sm < SmCount && "the numbers of the SMs have gaps");
      Spread &= !Seen[Sm];
      Seen[Sm] = true;
      Ascending &= Sm == I;
      Same &= Sm == Sms[I];
    }
  }
  if (Ascending)
    return "ascending";
  if (!Spread)
    return "uneven";
  return Same ? "rounds of one fixed order" : "rounds of changing order";
}

double blocksPerTurn(std::span<const unsigned> Sms) {
  size_t Turns = 1;
  for (size_t I = 1; I < Sms.size(); ++I)
    Turns += Sms[I] != Sms[I - 1];
  return double(Sms.size()) / double(Turns);
}

double neighbourDistance(std::span<const unsigned> Sms, unsigned SmCount) {
  std::vector<int> At(SmCount, -1);
  for (size_t I = 0; I != Sms.size(); ++I)
    if (At[Sms[I]] < 0)
      At[Sms[I]] = int(I);
  std::vector<double> Distances;
  for (unsigned Sm = 0; Sm + 1 < SmCount; Sm += 2)
    if (At[Sm] >= 0 && At[Sm + 1] >= 0)
      Distances.push_back(std::abs(At[Sm] - At[Sm + 1]));
  return Distances.empty() ? 0 : median(Distances);
}

double gpcChanges(std::span<const unsigned> Sms,
                  std::span<const unsigned> Gpc) {
  size_t Changes = 0;
  for (size_t I = 1; I < Sms.size(); ++I) {
    assert(Sms[I] < Gpc.size() && "an SM without a GPC");
    Changes += Gpc[Sms[I]] != Gpc[Sms[I - 1]];
  }
  return Sms.size() < 2 ? 0 : double(Changes) / double(Sms.size() - 1);
}

void LaterWaves::add(const LaterWaves &Other) {
  Blocks += Other.Blocks;
  ToFirstFree += Other.ToFirstFree;
  Periodic += Other.Periodic;
  Refill.insert(Refill.end(), Other.Refill.begin(), Other.Refill.end());
}

LaterWaves laterWaves(std::span<const BlockVisit> Visits, size_t Wave,
                      double Tick) {
  LaterWaves L;
  std::vector<uint64_t> Ends;
  std::map<unsigned, const BlockVisit *> LastOn; // by SM
  for (const BlockVisit &V : Visits)
    Ends.push_back(V.End);
  std::sort(Ends.begin(), Ends.end());
  for (size_t I = 0; I != Visits.size(); ++I) {
    const BlockVisit &V = Visits[I];
    if (I >= Wave) {
      const BlockVisit *Before = LastOn[V.Sm];
      if (!Before)
        continue;
      ++L.Blocks;
      L.ToFirstFree +=
          std::abs(double(Before->End) - double(Ends[I - Wave])) <= Tick;
      L.Periodic += Visits[I - Wave].Sm == V.Sm;
      L.Refill.push_back(double(V.BeginClock) - double(Before->EndClock));
    }
    LastOn[V.Sm] = &V;
  }
  return L;
}

void addRounds(std::span<const BlockVisit> Visits, unsigned PerSm,
               PlacementRounds &Into) {
  assert(PerSm != 0 && "no room for a block");
  std::map<unsigned, std::vector<size_t>> BlocksOf; // by SM
  for (size_t I = 0; I != Visits.size(); ++I)
    BlocksOf[Visits[I].Sm].push_back(I);
  for (auto &[Sm, Blocks] : BlocksOf) {
    std::sort(Blocks.begin(), Blocks.end(), [&](size_t A, size_t B) {
      return Visits[A].BeginClock < Visits[B].BeginClock;
    });
    for (size_t I = 1; I < Blocks.size(); ++I) {
      if (I % PerSm == 0)
        continue; // of another group
      const auto Gap = double(Visits[Blocks[I]].BeginClock -
                              Visits[Blocks[I - 1]].BeginClock);
      (I < PerSm ? Into.First : Into.Later).push_back(Gap);
      if (I > PerSm)
        Into.Successors += std::max(Blocks[I], Blocks[I - 1]) -
                               std::min(Blocks[I], Blocks[I - 1]) ==
                           1;
    }
  }
}

} // namespace warpwise::inference
