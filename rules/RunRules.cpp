//===- RunRules.cpp - All enabled rules over a model ----------------------===//

#include "rules/RunRules.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/price/DeviceRates.h"
#include "rules/Wording.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace warpwise::rules {

using access::Place;
using advice::Finding;

/// Kernels by the places at which they were judged: those of their accesses
/// whose cost is known under some launch, and their own declaration.
using KernelsAt = std::map<Place, std::set<std::string>>;

static KernelsAt findJudgedKernels(const access::Model &Model) {
  KernelsAt Judged;
  for (const access::Kernel &K : Model.Kernels) {
    if (K.State == access::Status::Skipped)
      continue;
    Judged[K.Where].insert(K.Name);
    for (const access::Access &A : K.Accesses)
      if (isJudged(A))
        Judged[A.Where].insert(K.Name);
  }
  return Judged;
}

/// Where nothing was accessed (the declaration of an array), the other
/// instantiations of the kernel are what it can be compared with.
static const std::set<std::string> &
judgedLike(const Finding &F, const access::Kernel &K, const KernelsAt &Judged) {
  const auto Same = Judged.find(F.Where);
  return Same != Judged.end() ? Same->second : Judged.at(K.Where);
}

/// What findings of one cause gain they gain together: the advice cures all.
static void setPrices(const access::Kernel &K, const price::DeviceRates &Rates,
                      std::vector<Finding> &Found,
                      const std::vector<Cure> &Cures) {
  using Cause = std::pair<std::string_view, unsigned>; // and launch
  std::map<Cause, std::vector<price::Repair>> Together;
  for (size_t N = 0; N != Found.size(); ++N)
    if (!Found[N].Cause.empty()) {
      auto &Repairs = Together[{Found[N].Cause, Cures[N].Launch}];
      Repairs.insert(Repairs.end(), Cures[N].Repairs.begin(),
                     Cures[N].Repairs.end());
    }
  for (size_t N = 0; N != Found.size(); ++N) {
    const auto Same = Together.find({Found[N].Cause, Cures[N].Launch});
    Found[N].Faster =
        price::gainOf(K, Cures[N].Launch,
                      Same == Together.end() ? Cures[N].Repairs : Same->second,
                      Rates, Cures[N].Shape);
    if (Found[N].Faster) {
      Found[N].Faster->Under = launchText(K, Cures[N].Launch);
      Found[N].Faster->IsUnlaunched =
          std::ranges::none_of(K.Launches, &launch::Shape::wasSeen);
    } else if (price::goesElsewhere(K, Cures[N].Launch)) {
      addNote(Found[N], "what the kernel would gain is not known: it goes to "
                        "memory of the host or of another process, over a bus "
                        "that no profile has measured");
    }
  }
}

/// Whether \p F may not be worth the change.
static bool isUnsure(const Finding &F, const Cure &Its) {
  return F.OnlyByGain &&
         (!F.Faster || F.Faster->Sure < Its.SureGain || F.Faster->Low <= 1);
}

/// All repairs of a kernel, by launch.
using RepairsOf = std::map<const access::Kernel *,
                           std::map<unsigned, std::vector<price::Repair>>>;

/// A finding, and what following it would do to its kernel.
struct Advised {
  const access::Kernel *Kernel = nullptr;
  Finding Said;
  Cure Its;
};

/// \p Name of a kernel without the numbers of its template, and of the vectors
/// among its types: "k<float, #>(int)" for "k<float4, 4>(int)".
static std::string withoutNumbers(std::string_view Name) {
  const auto isDigit = [](char C) { return C >= '0' && C <= '9'; };
  const auto isWord = [&](char C) {
    return isDigit(C) || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z');
  };
  std::string Plain;
  for (size_t At = 0; At < Name.size();) {
    const bool Begins =
        At > 0 && isDigit(Name[At]) &&
        std::string_view("< )-").find(Name[At - 1]) != std::string_view::npos;
    size_t End = At;
    while (Begins && End < Name.size() && isWord(Name[End]))
      ++End;
    const bool IsArgument =
        Begins && End < Name.size() && (Name[End] == ',' || Name[End] == '>');
    const bool EndsType = At > Name.find('<') && Name[At] >= '2' &&
                          Name[At] <= '4' && isWord(Name[At - 1]) &&
                          At + 1 < Name.size() && !isWord(Name[At + 1]) &&
                          Name[At + 1] != '_';
    if (IsArgument)
      Plain += '#';
    else if (!EndsType)
      Plain += Name.substr(At, std::max<size_t>(1, End - At));
    At = std::max(At + 1, End);
  }
  return Plain;
}

/// Bytes that a lane moves at most by what \p K has at \p There.
static unsigned widthAt(const access::Kernel &K, const access::Place &There) {
  unsigned Widest = 0;
  for (const access::Access &A : K.Accesses)
    if (A.Where == There)
      Widest = std::max(Widest, A.Bytes);
  return Widest;
}

/// Whether an instantiation of the same template with other numbers is wider
/// where \p A finds its kernel wanting.
static bool hasWiderInstance(const access::Model &Model, const Advised &A) {
  const unsigned Own = widthAt(*A.Kernel, A.Said.Where);
  return Own > 0 && std::any_of(Model.Kernels.begin(), Model.Kernels.end(),
                                [&](const access::Kernel &K) {
                                  return widthAt(K, A.Said.Where) > Own &&
                                         withoutNumbers(K.Name) ==
                                             withoutNumbers(A.Kernel->Name);
                                });
}

/// Whether the launch is for rows that are no multiples of what a thread would
/// handle: they begin where no vector may, and others have one already.
static bool isForRest(const access::Kernel &K, const Cure &Its) {
  const unsigned No = K.Launches[Its.Launch].NoMultipleOf;
  return No > 1 && std::ranges::any_of(Its.Repairs, [&](const auto &R) {
           return R.ElementsPerThread > 1 &&
                  std::fmod(R.ElementsPerThread, No) == 0;
         });
}

static void runRule(const Entry &E, const access::Model &Model,
                    const profile::Profile &Device,
                    const price::KnownRates &Rates, const KernelsAt &Judged,
                    std::vector<Advised> &All) {
  const auto Rule = E.Create();
  if (!Rule->quietOn(Device).empty())
    return;
  for (const access::Kernel &K : Model.Kernels) {
    if (K.State == access::Status::Skipped ||
        std::ranges::all_of(K.Launches, &launch::Shape::IsDead))
      continue;
    std::vector<Finding> Found;
    std::vector<Cure> Cures;
    Rule->check(K, Device, [&](Finding F, Cure Its) {
      F.Rule = E.Name;
      F.Kernel = K.Name;
      F.KernelFile = K.Where.File;
      F.FoundIn = {K.Name};
      const auto &Compared = judgedLike(F, K, Judged);
      F.CleanIn.assign(Compared.begin(), Compared.end());
      Found.push_back(std::move(F));
      Its.Launch = price::pricedFor(K, Its.Launch, Its.Repairs);
      Cures.push_back(std::move(Its));
    });
    if (Rates.Rates)
      setPrices(K, *Rates.Rates, Found, Cures);
    for (size_t N = 0; N != Found.size(); ++N) {
      if (isUnsure(Found[N], Cures[N]) || isForRest(K, Cures[N]))
        continue;
      All.push_back({&K, std::move(Found[N]), std::move(Cures[N])});
      if (Rule->isCuredByInstances() && hasWiderInstance(Model, All.back()))
        All.pop_back();
    }
  }
}

/// Of several ways to one end the one that gains most is left.
static void choose(std::vector<Advised> &All) {
  using Key = std::pair<const access::Kernel *, std::string>;
  const auto gain = [](const Advised &A) {
    return A.Said.Faster ? A.Said.Faster->Factor : 0;
  };
  std::map<Key, std::pair<double, std::string>> Best; // and its cause
  for (const Advised &A : All)
    if (!A.Said.Choice.empty())
      if (auto &Its = Best[{A.Kernel, A.Said.Choice}]; gain(A) > Its.first)
        Its = {gain(A), A.Said.Cause};
  std::erase_if(All, [&](const Advised &A) {
    const auto Its = Best.find({A.Kernel, A.Said.Choice});
    return Its != Best.end() && Its->second.first > 0 &&
           Its->second.second != A.Said.Cause;
  });
}

static RepairsOf repairsOf(const std::vector<Advised> &All) {
  RepairsOf Found;
  for (const Advised &A : All)
    // What the source does not settle is not wasted time, nor is what an advice
    // would not win.
    if (A.Said.Level == advice::Severity::Warning && A.Said.Faster &&
        A.Said.Faster->Factor > 1) {
      auto &Repairs = Found[A.Kernel][A.Its.Launch];
      Repairs.insert(Repairs.end(), A.Its.Repairs.begin(), A.Its.Repairs.end());
    }
  return Found;
}

std::vector<std::string_view> ruleNames() {
  std::vector<std::string_view> Names;
  for (const Entry &E : registry())
    Names.push_back(E.Name);
  return Names;
}

/// The price of every launch; the kernel's is that of the launch in which most
/// time is lost, or of the longest.
static void
setPrices(advice::KernelSummary &Summary, const access::Kernel &K,
          const std::map<unsigned, std::vector<price::Repair>> &Cures,
          const price::DeviceRates &Rates) {
  std::pair<double, double> Most{-1, -1}; // lost, in all
  for (unsigned L = 0; L != K.Launches.size(); ++L) {
    if (L >= K.Works.size() ||
        (!K.Works[L].IsWholeGrid && price::pricedFor(K, L) != L))
      continue;
    const auto Now = price::standingOf(K, L, Rates);
    if (!Now)
      continue;
    double Wasted = 0;
    if (const auto Cure = Cures.find(L); Cure != Cures.end())
      if (const auto Gain = price::gainOf(K, L, Cure->second, Rates))
        Wasted = std::max(0.0, 1 - 1 / Gain->Factor);
    advice::LaunchSummary &Launch = Summary.Shapes[L];
    Launch.BoundBy = Now->BoundBy;
    Launch.Nanoseconds = Now->Nanoseconds;
    Launch.IsWhole = Now->IsWhole;
    Launch.Wasted = Wasted;
    const std::pair Here{Wasted * Now->Nanoseconds, Now->Nanoseconds};
    if (Here <= Most)
      continue;
    Most = Here;
    Summary.BoundBy = Now->BoundBy;
    Summary.Nanoseconds = Now->Nanoseconds;
    Summary.IsWhole = Now->IsWhole;
    Summary.Wasted = Wasted;
  }
}

static advice::KernelSummary
summarize(const access::Kernel &K,
          const std::map<unsigned, std::vector<price::Repair>> &Cures,
          const price::KnownRates &Rates) {
  advice::KernelSummary Summary;
  Summary.Name = K.Name;
  Summary.Mangled = K.Mangled;
  Summary.Where = K.Where;
  Summary.Launches = unsigned(std::count_if(
      K.Launches.begin(), K.Launches.end(), [](const launch::Shape &S) {
        return S.Source != launch::ShapeSource::Assumed;
      }));
  for (const launch::Shape &S : K.Launches)
    Summary.Shapes.emplace_back().Shape = S;
  if (Rates.Rates)
    setPrices(Summary, K, Cures, *Rates.Rates);
  return Summary;
}

Judgement judgeModel(const access::Model &Model, const profile::Profile &Device,
                     const advice::CheckGlobs &Enabled) {
  const KernelsAt Judged = findJudgedKernels(Model);
  const price::KnownRates Rates = price::ratesOf(Device);
  std::vector<Advised> All;
  for (const Entry &E : registry())
    if (Enabled.contains(E.Name))
      runRule(E, Model, Device, Rates, Judged, All);
  choose(All);
  RepairsOf Repairs = repairsOf(All);
  Judgement Result;
  for (const access::Kernel &K : Model.Kernels)
    if (K.State != access::Status::Skipped)
      Result.Kernels.push_back(summarize(K, Repairs[&K], Rates));
  std::vector<Finding> Findings;
  for (Advised &A : All)
    Findings.push_back(std::move(A.Said));
  Result.Findings = advice::mergeFindings(std::move(Findings));
  return Result;
}

std::vector<std::pair<std::string_view, std::string>>
quietRules(const profile::Profile &Device, const advice::CheckGlobs &Enabled) {
  std::vector<std::pair<std::string_view, std::string>> Quiet;
  for (const Entry &E : registry())
    if (Enabled.contains(E.Name))
      if (std::string Why = E.Create()->quietOn(Device); !Why.empty())
        Quiet.emplace_back(E.Name, std::move(Why));
  return Quiet;
}

} // namespace warpwise::rules
