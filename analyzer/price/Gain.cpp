//===- Gain.cpp - How much faster a kernel gets by a repair ---------------===//

#include "analyzer/price/Gain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace warpwise::price {

namespace {

/// By what factor a part of a kernel's time may be off, either way: half the
/// way from the 5th to the 95th hundredth of measured over predicted times, of
/// the kernels of the tuning pairs of both cards (test/gpu/pairs) that spend
/// most of their time there, but for constant memory and what docs/price.md
/// says beside its table.
struct PartError {
  double KernelTime::*Part;
  double Off;
};
constexpr PartError PartErrors[] = {
    {&KernelTime::Launch, 1.1},  {&KernelTime::Dram, 1.15},
    {&KernelTime::L2, 1.4},      {&KernelTime::LoadStore, 1.17},
    {&KernelTime::Issue, 1.8},   {&KernelTime::Constant, 1.2},
    {&KernelTime::Latency, 1.5}, {&KernelTime::Dispatch, 1.16},
    {&KernelTime::Atomics, 1.5}, {&KernelTime::UnderWay, 1.4},
};

/// And how far what a repair leaves of an access: small gains by a power, all
/// by a factor. Chosen so that most of the paying pairs that the model was
/// tuned by lie within.
constexpr double LeastPower = 0.55, MostPower = 1.5, MostOff = 1.8;

/// And what else gets better with it, which nobody foretells: by as much again
/// as is gained, and no more than this. Of the paying pairs that the model was
/// tuned by 80 % lie within without it, and 86 % with it (H100; 83 % on
/// an H200).
constexpr double AlsoBetter = 1.2;

/// A kernel as it is and as it would be. Where nobody knows how long its loops
/// are, with longer ones, too.
struct Comparison {
  std::vector<std::pair<KernelTime, KernelTime>> Times;

  /// Nothing can be said where a kernel takes no time, or where a number that
  /// it is computed from is none.
  bool isSound() const {
    const auto isTime = [](const KernelTime &T) {
      // The larger of two numbers hides that the other is none.
      const bool HasParts =
          std::ranges::all_of(PartErrors, [&](const PartError &Its) {
            return std::isfinite(T.*Its.Part);
          });
      return HasParts && std::isfinite(T.Total) && T.Total > 0;
    };
    return std::all_of(Times.begin(), Times.end(), [&](const auto &Both) {
      return isTime(Both.first) && isTime(Both.second);
    });
  }

  /// With each part of both times as many times as long as \p Off says.
  double factor(double KernelTime::*Part = nullptr, double Off = 1) const {
    double Least = std::numeric_limits<double>::infinity();
    for (auto [Before, After] : Times) {
      if (Part) {
        Before.*Part *= Off;
        After.*Part *= Off;
      }
      Least = std::min(Least, totalOf(Before) / totalOf(After));
    }
    return Least;
  }

  /// How far the logarithm of the factor may be off since parts are. They are
  /// off by themselves, both kernels by as much: what takes most of either
  /// time, what is nearly as busy, and what takes over when the first is mended
  /// are different parts.
  double partsOff(double Doubt) const {
    double Squares = 0;
    for (const auto &[Part, Off] : PartErrors) {
      const double By = std::pow(Off, Doubt);
      const double Width = std::log(factor(Part, By) / factor(Part, 1 / By));
      Squares += Width * Width / 4;
    }
    return std::sqrt(Squares);
  }
};

/// The ends of the interval: \p Factor less or more, where parts are off by
/// \p Parts. \p Doubt as in DeviceRates.
double least(double Factor, double Parts, double Doubt) {
  const double Power = Factor > 1 ? 1 - LeastPower : MostPower - 1;
  const double Repaired =
      std::min(Power * std::abs(std::log(Factor)), std::log(MostOff)) * Doubt;
  return Factor * std::exp(-std::hypot(Parts, Repaired));
}

double most(double Factor, double Parts, double Doubt) {
  return std::clamp(Factor, 1.0, AlsoBetter) / least(1 / Factor, Parts, Doubt);
}

/// Rounds of blocks of a grid whose size is not known: enough that its ends do
/// not count.
constexpr double UsualWaves = 8;

/// How many times as much work there may be as is looked at where its size is
/// not known: so much that L2 is no help.
constexpr double MostGrowth = 32;

/// Loops as longer ones: what lies outside of them, or less deep in them,
/// counts less. \p timesOf says how many times as often a site is come to.
template <class Function> void lengthen(Demands &D, Function timesOf) {
  double Most = 1;
  for (SiteTraffic &T : D.Sites) {
    const double Times = timesOf(T);
    T.Requests *= Times;
    T.PerWarp *= Times;
    Most = std::max(Most, Times);
  }
  for (double &Issued : D.Besides.Issued)
    Issued *= Most;
  D.Besides.ChainSteps *= Most;
}

/// Loops of unknown length, each as a longer one.
void lengthenLoops(Demands &D) {
  constexpr double Longer = 8;
  lengthen(
      D, [](const SiteTraffic &T) { return std::pow(Longer, T.UnknownLoops); });
}

/// Loops over the grid whose length is not known as ones for as many data as
/// make it worth a question how long they take.
void lengthenGridLoops(Demands &D) {
  lengthen(D, [](const SiteTraffic &T) {
    return T.HasOpenGridLoop ? MostGrowth : 1;
  });
}

/// With \p Times as many blocks, each of which does the same.
void enlargeGrid(Demands &D, double Times) {
  D.Besides.Blocks *= Times;
  for (double &Issued : D.Besides.Issued)
    Issued *= Times;
  for (SiteTraffic &T : D.Sites)
    T.Requests *= Times;
}

/// Where nobody knows how long the loops are, what holds for longer ones, too,
/// and the same of a grid that may be \p Growth times as large.
Comparison compare(Demands Before, Demands After, const DeviceRates &Device,
                   Caches State, double Growth) {
  Comparison Result;
  const auto add = [&](const Demands &Is, const Demands &Becomes) {
    Result.Times.emplace_back(timeOf(Is, Device, State),
                              timeOf(Becomes, Device, State));
    if (Growth <= 1)
      return;
    Demands More = Is, Then = Becomes;
    enlargeGrid(More, Growth);
    enlargeGrid(Then, Growth);
    Result.Times.emplace_back(timeOf(More, Device, State),
                              timeOf(Then, Device, State));
  };
  add(Before, After);
  if (!Before.Besides.TripsKnown) {
    lengthenLoops(Before);
    lengthenLoops(After);
    add(Before, After);
  }
  return Result;
}

/// The most blocks that launch \p Of can have, if that is known.
std::optional<double> mostBlocks(const launch::Shape &Of) {
  double Blocks = 1;
  for (const uint32_t Extent : Of.GridMost)
    Blocks *= Extent;
  return Blocks > 0 ? std::optional(Blocks) : std::nullopt;
}

/// A grid of an unknown size as one that fills the GPU, or has as many blocks
/// as it can.
void fill(Demands &D, std::optional<double> Most, const DeviceRates &Device) {
  const double Resident = timeOf(D, Device, Caches::Warm).Resident;
  const double Blocks =
      std::min(Most.value_or(HUGE_VAL), Device.Sms * Resident * UsualWaves);
  D.Besides.Blocks = Blocks;
  for (auto *Counts : {&D.Besides.Issued, &D.Besides.Gathered})
    for (double &Its : *Counts)
      Its *= Blocks;
  for (SiteTraffic &T : D.Sites)
    T.Requests *= Blocks;
}

/// How many times as large as in \p D the grid of \p Launch may be: so that L2
/// is no help where nobody knows its size.
double growthOf(const access::Kernel &K, unsigned Launch, const Demands &D) {
  if (K.Works[Launch].IsWholeGrid)
    return 1;
  const auto Blocks = mostBlocks(K.Launches.at(Launch));
  return std::clamp(Blocks.value_or(HUGE_VAL) / D.Besides.Blocks, 1.0,
                    MostGrowth);
}

/// What the launch \p Of asks of a device. Where it is not known how long it
/// runs, that is long enough that its launch does not count.
bool prepare(Demands &D, const launch::Shape &Of, DeviceRates &Device) {
  if (!D.Besides.IsWholeGrid)
    fill(D, mostBlocks(Of), Device);
  const bool IsKnown = D.Besides.IsWholeGrid && D.Besides.TripsKnown;
  if (!IsKnown)
    Device.LaunchNs = 0;
  return IsKnown;
}

} // namespace

bool goesElsewhere(const access::Kernel &K, unsigned Launch) {
  return std::ranges::any_of(K.Accesses, [&](const access::Access &A) {
    return std::ranges::any_of(A.PerLaunch, [&](const access::Cost &C) {
      return C.Launch == Launch && C.IsElsewhere;
    });
  });
}

unsigned pricedFor(const access::Kernel &K, unsigned Launch,
                   std::span<const Repair> Repairs) {
  const auto isWhole = [&](unsigned L) {
    return L < K.Works.size() && K.Works[L].IsWholeGrid;
  };
  const launch::Shape &Its = K.Launches.at(Launch);
  if (Its.Source != launch::ShapeSource::Launch)
    return Launch;
  const auto isLike = [&](const launch::Shape &Other) {
    return Other.Source == Its.Source && Other.At == Its.At &&
           Other.Block == Its.Block && Other.IsSpecial <= Its.IsSpecial;
  };
  const auto happensIn = [&](unsigned L) {
    return std::ranges::all_of(Repairs, [&](const Repair &R) {
      return makesRequests(K.Accesses.at(R.Access), L);
    });
  };
  const auto size = [&](unsigned L) {
    return std::pair(K.Works[L].TripsKnown, K.Works[L].Blocks);
  };
  unsigned Best = Launch;
  for (unsigned L = 0; L != K.Launches.size(); ++L)
    if (isWhole(L) && isLike(K.Launches[L]) && happensIn(L) &&
        (!isWhole(Best) || size(L) > size(Best)))
      Best = L;
  return Best;
}

std::optional<Standing> standingOf(const access::Kernel &K, unsigned Launch,
                                   const DeviceRates &Gpu) {
  if (Launch >= K.Works.size() || goesElsewhere(K, Launch))
    return std::nullopt;
  Demands D = demandsOf(K, Launch);
  DeviceRates Device = Gpu;
  const bool IsKnown = prepare(D, K.Launches.at(Launch), Device);
  const KernelTime Time = timeOf(D, Device, Caches::Warm);
  return Standing{Time.Total, IsKnown, Time.bounds()};
}

std::optional<Gain> gainOf(const access::Kernel &K, unsigned Launch,
                           std::span<const Repair> Repairs,
                           const DeviceRates &Gpu,
                           const std::optional<Reshape> &Shape) {
  if (Launch >= K.Works.size() || (Repairs.empty() && !Shape) ||
      goesElsewhere(K, Launch))
    return std::nullopt;
  Demands Before = demandsOf(K, Launch);
  DeviceRates Device = Gpu;
  const bool IsKnown = prepare(Before, K.Launches.at(Launch), Device);
  const auto after = [&](Success How) {
    return repaired(K, Launch, Before, Repairs, Device, Shape, How);
  };
  const std::optional<Demands> Usual = after(Success::Usual);
  if (!Usual)
    return std::nullopt;

  const KernelTime Now = timeOf(Before, Device, Caches::Warm);
  Gain Result;
  Result.BoundBy = Now.bounds();
  if (!K.Works[Launch].IsWholeGrid) {
    const double Blocks = Before.Besides.Blocks;
    Result.FillsGpu = Blocks >= Device.Sms * Now.Resident;
    if (!Result.FillsGpu)
      Result.MostBlocks = static_cast<unsigned>(Blocks);
  }
  if (IsKnown)
    Result.Microseconds = Now.Total / 1e3;
  const double Growth = growthOf(K, Launch, Before);
  Result.HasOpenLoops =
      !Before.Besides.TripsKnown &&
      std::ranges::any_of(Before.Sites, [](const SiteTraffic &T) {
        return T.Requests > 0 && (T.UnknownLoops > 0 || T.HasOpenGridLoop);
      });
  const auto compared = [&](Demands After, const DeviceRates &On,
                            Caches State) {
    Demands Is = Before;
    if (Is.Besides.IsWholeGrid) {
      lengthenGridLoops(Is);
      lengthenGridLoops(After);
    }
    return compare(std::move(Is), std::move(After), On, State, Growth);
  };
  const Comparison Known = compared(*Usual, Device, Caches::Warm);
  Result.Factor = Known.factor();
  Result.Sure = least(Result.Factor, 0, 1);
  // Whether the data are in L2 nobody knows here. Nor how often data let a lane
  // get to its atomics, which may hide what is gained elsewhere.
  DeviceRates WithoutAtomics = Device;
  if (std::none_of(Repairs.begin(), Repairs.end(), [](const Repair &R) {
        return R.AddsUp || R.Changes || R.IntoOneAtomic;
      }))
    WithoutAtomics.Integers = WithoutAtomics.Floats = {};
  // Nor whether its warps keep step, so that one brings what all want.
  DeviceRates InStep = Device, Apart = Device;
  InStep.PerConstantLine = Device.PerConstantLineInStep;
  Apart.PerConstantLine = Device.PerConstantLineApart;
  std::vector<Comparison> Cases = {
      Known, compared(*Usual, Device, Caches::Cold),
      compared(*Usual, WithoutAtomics, Caches::Warm),
      compared(*Usual, InStep, Caches::Warm),
      compared(*Usual, Apart, Caches::Warm)};
  // Or all of it fits into L2.
  if (Growth > 1 || Result.HasOpenLoops)
    Cases.push_back(compare(Before, *Usual, Device, Caches::Warm, 1));
  for (const Success How : {Success::Least, Success::Most}) {
    if (std::none_of(Repairs.begin(), Repairs.end(),
                     [&](const Repair &R) { return dependsOn(R, How); }))
      continue;
    const std::optional<Demands> After = after(How);
    if (!After)
      return std::nullopt;
    Cases.push_back(compared(*After, Device, Caches::Warm));
  }
  Result.Low = std::numeric_limits<double>::infinity();
  Result.High = 0;
  for (const Comparison &Possible : Cases) {
    if (!Possible.isSound())
      return std::nullopt;
    const double Factor = Possible.factor();
    const double Parts = Possible.partsOff(Device.Doubt);
    Result.Low = std::min(Result.Low, least(Factor, Parts, Device.Doubt));
    Result.High = std::max(Result.High, most(Factor, Parts, Device.Doubt));
  }
  return Result;
}

} // namespace warpwise::price
