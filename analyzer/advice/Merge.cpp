//===- Merge.cpp - One finding for each place in the source ---------------===//

#include "analyzer/advice/Merge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <tuple>

namespace warpwise::advice {

template <typename T> static double cyclesAt(const T &Place) {
  return Place.ExtraCycles * Place.Weight;
}

double totalExtraCycles(const Finding &F) {
  double Sum = cyclesAt(F);
  for (const AffectedAccess &S : F.Also)
    Sum += cyclesAt(S);
  return Sum;
}

static auto site(const Finding &F) { return std::tie(F.Where, F.Rule); }

/// The costliest first; what follows only makes the order total.
static bool speaksBefore(const Finding &A, const Finding &B) {
  const double CostA = totalExtraCycles(A), CostB = totalExtraCycles(B);
  if (CostA != CostB)
    return CostA > CostB;
  return std::tie(B.ExtraCycles, B.ExtraBytes, A.Kernel, A.Message, A.Notes) <
         std::tie(A.ExtraCycles, A.ExtraBytes, B.Kernel, B.Message, B.Notes);
}

template <typename T>
static std::vector<T> united(const std::vector<T> &A, const std::vector<T> &B) {
  assert(std::is_sorted(A.begin(), A.end()) &&
         std::is_sorted(B.begin(), B.end()));
  std::vector<T> All;
  std::set_union(A.begin(), A.end(), B.begin(), B.end(),
                 std::back_inserter(All));
  return All;
}

/// Takes what \p Other knows about the same place over into \p F. The load
/// and the store of "a[i] += x" share a place; the cheaper one is kept as a
/// note.
static void absorb(Finding &F, const Finding &Other) {
  F.FoundIn = united(F.FoundIn, Other.FoundIn);
  F.CleanIn = united(F.CleanIn, Other.CleanIn);
  F.CalledFrom = united(F.CalledFrom, Other.CalledFrom);
  // What is not safe in one kernel is not safe.
  if (Other.Fix && (!F.Fix || !Other.Fix->isOffered()))
    F.Fix = Other.Fix;
  if (Other.Kernel != F.Kernel || Other.Message == F.Message)
    return;
  const Note Also{F.Where, fmt::format("also: {}", Other.Message)};
  if (std::find(F.Notes.begin(), F.Notes.end(), Also) == F.Notes.end())
    F.Notes.push_back(Also);
}

/// A place that is bad in one kernel of a name and clean in another counts as
/// bad there.
static void countInstances(Finding &F) {
  std::erase_if(F.CleanIn, [&F](const std::string &Name) {
    return std::binary_search(F.FoundIn.begin(), F.FoundIn.end(), Name);
  });
  F.Instances = F.FoundIn.size();
  F.Judged = F.FoundIn.size() + F.CleanIn.size();
}

std::vector<Finding> mergeFindings(std::vector<Finding> Findings) {
  for (Finding &F : Findings) {
    if (F.FoundIn.empty())
      F.FoundIn = {F.Kernel};
    if (F.CalledFrom.empty())
      F.CalledFrom.emplace_back();
  }
  std::sort(Findings.begin(), Findings.end(),
            [](const Finding &A, const Finding &B) {
              if (site(A) != site(B))
                return site(A) < site(B);
              return speaksBefore(A, B);
            });
  std::vector<Finding> Merged;
  for (Finding &F : Findings) {
    if (Merged.empty() || site(Merged.back()) != site(F))
      Merged.push_back(std::move(F));
    else
      absorb(Merged.back(), F);
  }
  for (Finding &F : Merged)
    countInstances(F);
  return Merged;
}

/// A template's instances share what is wrong with it.
static std::string_view templateOf(const Finding &F) {
  return std::string_view(F.Kernel).substr(0, F.Kernel.find('<'));
}

static void joinSite(Finding &F, Finding &Other) {
  if (Other.Where != F.Where)
    F.Also.push_back(
        {Other.Where, Other.ExtraCycles, Other.ExtraBytes, Other.Weight});
  F.FoundIn = united(F.FoundIn, Other.FoundIn);
  F.CleanIn = united(F.CleanIn, Other.CleanIn);
  F.CalledFrom = united(F.CalledFrom, Other.CalledFrom);
  if (!F.Fix)
    F.Fix = Other.Fix;
  // They were priced together; under another launch, the better one counts.
  const auto worth = [](const Finding &Its) {
    // What nothing launches stands for what is launched only if it is alone.
    return Its.Faster ? std::pair(!Its.Faster->IsUnlaunched, Its.Faster->Factor)
                      : std::pair(false, 0.0);
  };
  if (worth(F) < worth(Other))
    F.Faster = Other.Faster;
}

std::vector<Finding> joinCauses(std::vector<Finding> Findings) {
  const auto Cause = [](const Finding &F) {
    return std::tuple(std::string_view(F.Rule), templateOf(F),
                      std::string_view(F.KernelFile),
                      std::string_view(F.Cause));
  };
  std::sort(Findings.begin(), Findings.end(),
            [&](const Finding &A, const Finding &B) {
              if (Cause(A) != Cause(B))
                return Cause(A) < Cause(B);
              if (cyclesAt(A) != cyclesAt(B))
                return cyclesAt(A) > cyclesAt(B);
              return A.Where < B.Where;
            });
  std::vector<Finding> Joined;
  for (Finding &F : Findings) {
    if (F.Cause.empty() || Joined.empty() || Cause(Joined.back()) != Cause(F))
      Joined.push_back(std::move(F));
    else
      joinSite(Joined.back(), F);
  }
  for (Finding &F : Joined)
    countInstances(F);
  std::sort(Joined.begin(), Joined.end(),
            [](const Finding &A, const Finding &B) {
              return std::tie(A.Where, A.Rule, A.Message) <
                     std::tie(B.Where, B.Rule, B.Message);
            });
  return Joined;
}

/// The time of a launch that is saved, in microseconds, or 0 where that is not
/// known.
static double savedTime(const Finding &F) {
  if (!F.Faster || !F.Faster->Microseconds)
    return 0;
  const double Saved = *F.Faster->Microseconds * (1 - 1 / F.Faster->Factor);
  return std::isfinite(Saved) ? std::max(0.0, Saved) : 0;
}

void rankFindings(std::vector<Finding> &Findings) {
  std::sort(Findings.begin(), Findings.end(),
            [](const Finding &A, const Finding &B) {
              if (A.Level != B.Level)
                return A.Level < B.Level;
              // What nothing seems to launch, last.
              const bool IdleA = A.Faster && A.Faster->IsUnlaunched;
              const bool IdleB = B.Faster && B.Faster->IsUnlaunched;
              if (IdleA != IdleB)
                return IdleB;
              const double SavedA = savedTime(A), SavedB = savedTime(B);
              if (SavedA != SavedB)
                return SavedA > SavedB;
              const double GainA = A.Faster ? A.Faster->Factor : 1;
              const double GainB = B.Faster ? B.Faster->Factor : 1;
              if (GainA != GainB)
                return GainA > GainB;
              const double CostA = totalExtraCycles(A);
              const double CostB = totalExtraCycles(B);
              if (CostA != CostB)
                return CostA > CostB;
              return std::tie(A.Where, A.Rule, A.Message) <
                     std::tie(B.Where, B.Rule, B.Message);
            });
}

} // namespace warpwise::advice
