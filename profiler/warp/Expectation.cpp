//===- Expectation.cpp - What a warp with random indices costs ------------===//
//
// Sectors and words: the expected number of distinct units is the sum over the
// units of the probability that some group touches them. Wavefronts: see
// FullestBank.h.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/Expectation.h"

#include "profiler/warp/FullestBank.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace warpwise::warp {
namespace {

//===----------------------------------------------------------------------===//
// Distinct units
//===----------------------------------------------------------------------===//

/// Objects up to this many elements are looked at element by element. Of longer
/// ones both ends are taken for part of the middle.
constexpr uint64_t ShortObject = 1024;

/// Distinct units of \p Unit bytes under a request.
class UnitCounter {
  const RandomRequest &R;
  const unsigned Unit;
  const std::optional<uint64_t> Elements = R.elements();
  /// Elements after which their places within the units repeat.
  const uint64_t Period = Unit / std::gcd<uint64_t>(R.Stride, Unit);
  /// By kind of group: the offsets of its lanes, each once, and the groups.
  std::map<std::vector<uint32_t>, unsigned> Kinds;

public:
  UnitCounter(const RandomRequest &R, unsigned Unit) : R(R), Unit(Unit) {
    for (uint32_t Group : R.Groups) {
      std::vector<uint32_t> Offsets;
      for (uint32_t Left = Group; Left != 0; Left &= Left - 1)
        Offsets.push_back(R.Offsets[std::countr_zero(Left)]);
      std::sort(Offsets.begin(), Offsets.end());
      Offsets.erase(std::unique(Offsets.begin(), Offsets.end()), Offsets.end());
      ++Kinds[std::move(Offsets)];
    }
  }

  Expectation count() const {
    Expectation Result;
    const uint64_t Places = std::min(Period, Elements.value_or(Period));
    for (const auto &[Offsets, Groups] : Kinds) {
      double Sum = 0, Least = INFINITY, Most = 0;
      for (uint64_t E = 0; E != Places; ++E) {
        const auto Size = double(unitsOf(Offsets, E).size());
        Sum += Size;
        Least = std::min(Least, Size);
        Most = std::max(Most, Size);
      }
      Result.Expected += Groups * Sum / double(Places);
      Result.Low = std::max(Result.Low, Least);
      Result.High += Groups * Most;
    }
    if (Elements && *Elements <= ShortObject) {
      const auto [Expected, Touched] = sumOver(*Elements, ~uint64_t(0), 1);
      Result.Expected = Expected;
      Result.High = std::min(Result.High, Touched);
    } else if (Elements) {
      const uint64_t Wrap = Period * R.Stride / Unit;
      Result.Expected =
          sumOver(Period, Wrap, double(*Elements) / double(Period)).first;
    }
    return Result;
  }

private:
  /// Units that lanes with \p Offsets touch with index \p Index, each once.
  std::vector<uint64_t> unitsOf(const std::vector<uint32_t> &Offsets,
                                uint64_t Index) const {
    std::vector<uint64_t> Units;
    for (uint32_t Offset : Offsets) {
      const uint64_t At = Index * R.Stride + Offset;
      for (uint64_t U = At / Unit; U <= (At + R.Bytes - 1) / Unit; ++U)
        if (Units.empty() || U > Units.back()) // offsets ascend
          Units.push_back(U);
    }
    return Units;
  }

  /// Over the units that indices below \p Count reach, their numbers taken
  /// modulo \p Wrap and each standing for \p Times: the expected number of
  /// those that are touched, and of those that can be.
  std::pair<double, double> sumOver(uint64_t Count, uint64_t Wrap,
                                    double Times) const {
    const double All = double(Count) * Times;
    std::map<uint64_t, double> Missed; // by unit: the probability
    for (const auto &[Offsets, Groups] : Kinds) {
      std::map<uint64_t, unsigned> Indices; // by unit: how many lead to it
      for (uint64_t E = 0; E != Count; ++E)
        for (uint64_t U : unitsOf(Offsets, E))
          ++Indices[U % Wrap];
      for (const auto &[U, N] : Indices)
        Missed.emplace(U, 1).first->second *=
            std::pow(std::max(0.0, 1 - N / All), Groups);
    }
    double Expected = 0;
    for (const auto &[U, Probability] : Missed)
      Expected += 1 - Probability;
    return {Times * Expected, Times * double(Missed.size())};
  }
};

//===----------------------------------------------------------------------===//
// Requests to shared memory
//===----------------------------------------------------------------------===//

uint32_t lanesFrom(unsigned First, unsigned Count) {
  return Count >= RequestLaw::Lanes ? ~0u : ((1u << Count) - 1) << First;
}

unsigned groupsIn(const std::vector<uint32_t> &Groups, uint32_t Lanes) {
  return unsigned(
      std::count_if(Groups.begin(), Groups.end(),
                    [&](uint32_t Group) { return (Group & Lanes) != 0; }));
}

/// True when neighbours by \p Flip are of one group, or one is inactive.
bool neighboursShare(const RandomRequest &R, uint32_t Lanes, unsigned Flip) {
  for (uint32_t Group : R.Groups)
    for (uint32_t Left = Group & Lanes; Left != 0; Left &= Left - 1) {
      const uint32_t Partner = 1u << (unsigned(std::countr_zero(Left)) ^ Flip);
      if ((R.active() & Partner) && !(Group & Partner))
        return false;
    }
  return true;
}

/// Groups of lanes that go through the banks together.
std::vector<uint32_t> phasesOf(const RequestLaw &Law, const RandomRequest &R,
                               SharedOperation Op) {
  const unsigned Size = Law.lanesOfPass(R.Bytes);
  std::vector<uint32_t> Phases;
  for (unsigned First = 0; First < RequestLaw::Lanes; First += 2 * Size) {
    const uint32_t Pair = lanesFrom(First, 2 * Size) & R.active();
    if (Op == SharedOperation::Load &&
        (neighboursShare(R, Pair, 1) || neighboursShare(R, Pair, 2))) {
      Phases.push_back(Pair);
      continue;
    }
    Phases.push_back(Pair & lanesFrom(First, Size));
    if (Size != RequestLaw::Lanes)
      Phases.push_back(Pair & ~lanesFrom(First, Size));
  }
  std::erase(Phases, 0u);
  return Phases;
}

Expectation expectLoads(const RequestLaw &Law, const RandomRequest &R,
                        const BankMap &Map, SharedOperation Op) {
  Expectation Result;
  const std::optional<uint64_t> Elements = R.elements();
  for (uint32_t Phase : phasesOf(Law, R, Op)) {
    const unsigned Groups = groupsIn(R.Groups, Phase);
    Result.Expected += expectedPasses(Map, Elements, Groups);
    Result.High += Elements ? double(std::min<uint64_t>(
                                  Groups, Map.passesOfFullestBin(*Elements)))
                            : Groups;
  }
  // All lanes at one address: phases of a load join two by two.
  RandomRequest Same = R;
  Same.Groups = {R.active()};
  Result.Low = double(phasesOf(Law, Same, Op).size());
  return Result;
}

Expectation expectAtomics(const RandomRequest &R, const BankMap &Map) {
  const std::optional<uint64_t> Elements = R.elements();
  Expectation Result;
  Result.Expected = expectedTurns(Map, Elements, R.Groups);
  const auto Lanes = unsigned(std::popcount(R.active()));
  const uint64_t Bins =
      Elements ? std::min(Map.Bins, (*Elements + Map.PerWord - 1) / Map.PerWord)
               : Map.Bins;
  const auto Least = (Lanes + Bins - 1) / Bins;
  Result.Low = double(Least);
  for (uint32_t Group : R.Groups)
    Result.Low = std::max(Result.Low, double(std::popcount(Group)));
  Result.High = Lanes;
  return Result;
}

using Counter = unsigned (*)(const RequestLaw &, const LaneAddresses &,
                             uint32_t, unsigned);

Counter counterOf(SharedOperation Op) {
  return Op == SharedOperation::Load    ? wavefronts
         : Op == SharedOperation::Store ? storeWavefronts
                                        : atomicWavefronts;
}

/// Requests whose lanes have offsets of their own. What one group costs repeats
/// after a few elements and is counted; of several groups a set of draws that
/// is always the same is taken.
class DrawnRequests {
  const RequestLaw &Law;
  const RandomRequest &R;
  const SharedOperation Op;
  const std::optional<uint64_t> Elements = R.elements();
  const uint64_t Period =
      Law.period() / std::gcd<uint64_t>(R.Stride, Law.period());
  LaneAddresses Addresses{};

public:
  DrawnRequests(const RequestLaw &Law, const RandomRequest &R,
                SharedOperation Op)
      : Law(Law), R(R), Op(Op) {}

  Expectation count() {
    Expectation Result;
    for (uint32_t Group : R.Groups) {
      // Phases that join are the exception that High must not rely on.
      const Expectation Alone = alone(Group, counterOf(Op));
      const Expectation Apart =
          Op == SharedOperation::Load ? alone(Group, storeWavefronts) : Alone;
      Result.Expected = Alone.Expected; // kept for a single group
      Result.Low = std::max(Result.Low, Alone.Low);
      Result.High += Apart.High;
    }
    if (R.Groups.size() != 1)
      Result.Expected = meanOfDraws(2048, counterOf(Op));
    return Result;
  }

  double rounds() {
    return meanOfDraws(256, [](const auto &...Request) {
      return swapLoop(Request...).Rounds;
    });
  }

private:
  void place(uint32_t Group, uint64_t Index) {
    for (uint32_t Left = Group; Left != 0; Left &= Left - 1) {
      const auto Lane = unsigned(std::countr_zero(Left));
      Addresses[Lane] = Index * R.Stride + R.Offsets[Lane];
    }
  }

  Expectation alone(uint32_t Group, Counter Count) {
    const uint64_t Places = Elements && *Elements <= ShortObject
                                ? *Elements
                                : std::min(Period, Elements.value_or(Period));
    Expectation Result;
    Result.Low = INFINITY;
    for (uint64_t E = 0; E != Places; ++E) {
      place(Group, E);
      const double Passes = Count(Law, Addresses, Group, R.Bytes);
      Result.Expected += Passes / double(Places);
      Result.Low = std::min(Result.Low, Passes);
      Result.High = std::max(Result.High, Passes);
    }
    return Result;
  }

  /// Of \p Draws requests.
  double meanOfDraws(unsigned Draws, auto &&Count) {
    uint64_t State = 0;
    // splitmix64 (Steele et al., OOPSLA 2014)
    const auto next = [&] {
      uint64_t Z = State += 0x9E3779B97F4A7C15;
      Z = (Z ^ Z >> 30) * 0xBF58476D1CE4E5B9;
      Z = (Z ^ Z >> 27) * 0x94D049BB133111EB;
      return Z ^ Z >> 31;
    };
    double Sum = 0;
    for (unsigned N = 0; N != Draws; ++N) {
      for (uint32_t Group : R.Groups)
        place(Group, next() % Elements.value_or(uint64_t(1) << 32));
      Sum += Count(Law, Addresses, R.active(), R.Bytes);
    }
    return Sum / Draws;
  }
};

} // namespace

std::optional<Expectation> expectSectorsOfRows(const RequestLaw &Law,
                                               const LaneAddresses &Rows,
                                               uint32_t Active,
                                               unsigned Bytes) {
  std::vector<uint64_t> Starts;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    Starts.push_back(Rows[std::countr_zero(Left)]);
  std::sort(Starts.begin(), Starts.end());
  uint64_t Pitch = ~uint64_t(0);
  for (size_t N = 1; N < Starts.size(); ++N)
    Pitch = std::min(Pitch, Starts[N] - Starts[N - 1]);
  if (Starts.size() < 2 || Pitch < std::max<uint64_t>(Law.SectorBytes, Bytes))
    return std::nullopt;
  const auto sector = [&](uint64_t Address) {
    return Address / Law.SectorBytes;
  };
  // Rows are no shorter than a sector, so that no more than two meet in one.
  const auto Lanes = double(Starts.size());
  Expectation Result{.Expected = Lanes, .Low = Lanes, .High = Lanes};
  const uint64_t Elements = Pitch / Bytes;
  bool IsTaken = false; // the one before meets the one before that
  for (size_t N = 1; N < Starts.size(); ++N) {
    const uint64_t First = sector(Starts[N]);
    const uint64_t End = Starts[N - 1] + Elements * Bytes;
    if (sector(End - 1) < First) {
      IsTaken = false;
      continue;
    }
    // Of both rows, the elements in the sector that they share.
    const uint64_t Begin = First * Law.SectorBytes;
    const uint64_t Before = (End - Begin) / Bytes;
    const uint64_t After =
        std::min(Elements, (Begin + Law.SectorBytes - Starts[N]) / Bytes);
    Result.Expected -=
        double(Before * After) / (double(Elements) * double(Elements));
    IsTaken = !IsTaken;
    Result.Low -= IsTaken;
  }
  return Result;
}

Expectation expectSectors(const RequestLaw &Law, const RandomRequest &R) {
  return UnitCounter(R, Law.SectorBytes).count();
}

Expectation expectWords(const RequestLaw &Law, const RandomRequest &R) {
  return UnitCounter(R, Law.constantBytes(R.Bytes)).count();
}

Expectation expectWavefronts(const RequestLaw &Law, const RandomRequest &R,
                             SharedOperation Op) {
  if (R.Groups.empty())
    return {};
  if (R.elements() == 1 && R.Groups.size() != 1) {
    RandomRequest Same = R;
    Same.Groups = {R.active()};
    return expectWavefronts(Law, Same, Op);
  }
  const std::optional<BankMap> Map = BankMap::of(Law, R);
  if (!Map || (Op == SharedOperation::Atomic && hasManySizes(R.Groups)))
    return DrawnRequests(Law, R, Op).count();
  return Op == SharedOperation::Atomic ? expectAtomics(R, *Map)
                                       : expectLoads(Law, R, *Map, Op);
}

double expectSwapRounds(const RequestLaw &Law, const RandomRequest &R) {
  return R.Groups.empty()
             ? 0
             : DrawnRequests(Law, R, SharedOperation::Atomic).rounds();
}

} // namespace warpwise::warp
