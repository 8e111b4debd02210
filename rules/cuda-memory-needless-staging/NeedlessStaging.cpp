//===- NeedlessStaging.cpp - Copies into shared memory for nothing --------===//
//
// A tile in shared memory saves what L1 would have to be asked for again, and
// costs the copy, a barrier that the block waits at, and room. Where a tile is
// read once or a few times side by side, L1 serves it as well.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Kernel;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::levels_l1_latency;

/// Where each element is read once, nothing is asked of L1 that was not asked
/// for the copy: not much can go wrong with what is promised, and less of a
/// gain will do (Cure::SureGain).
constexpr double SureOnce = 1.02;

/// Whether the lanes would find their elements side by side in global memory, a
/// row or two of them. A tile that brings together what lies apart has its use.
bool isDense(const Access &A, const Cost &C, const profile::RequestLaw &Law) {
  constexpr double Most = 2;
  const double Needed =
      std::max(1.0, C.ActiveLanes * A.Bytes / Law.SectorBytes);
  return C.Direct && C.Direct->Sectors <= Most * Needed;
}

/// One array, or several, with everything that is done to it under one launch.
struct Stage {
  std::vector<size_t> Brought, Stored, Read; ///< indices into Kernel::Accesses
  double ElementsStored = 0, ElementsRead = 0;

  void add(const Stage &Other) {
    Brought.insert(Brought.end(), Other.Brought.begin(), Other.Brought.end());
    Stored.insert(Stored.end(), Other.Stored.begin(), Other.Stored.end());
    Read.insert(Read.end(), Other.Read.begin(), Other.Read.end());
    ElementsStored += Other.ElementsStored;
    ElementsRead += Other.ElementsRead;
  }
  double timesRead() const { return ElementsRead / ElementsStored; }
  bool isReadOnce() const { return timesRead() < 1.05; }
};

/// What is done to \p Array, or nothing where some of its loads cannot go to
/// global memory instead.
std::optional<Stage> stageOf(const Kernel &K, const std::string &Array,
                             unsigned Launch, const profile::RequestLaw &Law) {
  Stage Found;
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    const Cost *C = costUnder(A, Launch);
    if (A.StagedIn == Array && C)
      Found.Brought.push_back(N);
    if (A.Memory != Space::Shared)
      continue;
    if (A.Object != Array || !C)
      continue;
    const double Elements = C->Weight * C->ActiveLanes * A.Bytes;
    if (A.Op == Operation::Store) {
      Found.Stored.push_back(N);
      Found.ElementsStored += Elements;
      continue;
    }
    if (!isDense(A, *C, Law))
      return std::nullopt;
    Found.Read.push_back(N);
    Found.ElementsRead += Elements;
  }
  if (Found.Brought.empty() || Found.Stored.empty() || Found.Read.empty())
    return std::nullopt;
  return Found;
}

/// Every array in shared memory of \p K, as far as somebody accesses it.
std::vector<std::string> arraysOf(const Kernel &K, unsigned Launch) {
  std::vector<std::string> Found;
  for (const Access &A : K.Accesses)
    if (A.Memory == Space::Shared && costUnder(A, Launch) &&
        std::find(Found.begin(), Found.end(), A.Object) == Found.end())
      Found.push_back(A.Object);
  return Found;
}

/// Whether loads in place of those of the tile would wait for stores in the
/// rounds of their loop, as these may be to what is loaded.
bool waitsForStores(const Kernel &K, const Stage &S) {
  const auto isOpen = [&](size_t N) { return !K.Accesses[N].IsRestricted; };
  return std::ranges::any_of(S.Brought, isOpen) &&
         std::ranges::any_of(S.Read, [&](size_t N) {
           const Access &Read = K.Accesses[N];
           return Read.Loop &&
                  std::ranges::any_of(K.Accesses, [&](const Access &A) {
                    return A.Memory == Space::Global &&
                           A.Op == Operation::Store && A.Loop == Read.Loop;
                  });
         });
}

/// \p S, which is all that is in shared memory where \p IsAll says so: nobody
/// waits for it any more, nor does it take room.
Cure cureOf(const Kernel &K, const Stage &S, bool IsAll, unsigned Launch) {
  Cure Its{Launch, {}, {}};
  for (const size_t N : S.Read)
    Its.Repairs.push_back(
        {.Access = N, .Direct = costUnder(K.Accesses[N], Launch)->Direct});
  for (const auto &Gone : {S.Brought, S.Stored})
    for (const size_t N : Gone)
      Its.Repairs.push_back({.Access = N, .Share = 0});
  if (S.isReadOnce())
    Its.SureGain = SureOnce;
  if (IsAll)
    Its.Shape = price::Reshape{.SharedBytes = 0};
  return Its;
}

class NeedlessStaging : public Rule {
  void check(const Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    std::set<std::string> Done;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Shared || A.Op != Operation::Store ||
          A.Object.empty() || !Done.insert(A.Object).second)
        continue;
      const auto V = judge(Kernel, A,
                           [&](const Cost &C) -> std::optional<Demand> {
                             if (!stageOf(Kernel, A.Object, C.Launch, Law))
                               return std::nullopt;
                             return Demand{2, 1, 2, 2, false};
                           },
                           {2, 1});
      if (!V)
        continue;
      const unsigned Launch = V->Shown->Launch;
      Stage S = *stageOf(Kernel, A.Object, Launch, Law);
      // Those that all wait for one barrier go together with it, or not.
      std::vector<std::string> Others = arraysOf(Kernel, Launch);
      std::erase(Others, A.Object);
      std::vector<Stage> TheirStages;
      for (const std::string &Other : Others)
        if (const auto Its = stageOf(Kernel, Other, Launch, Law))
          TheirStages.push_back(*Its);
      const bool IsAll = TheirStages.size() == Others.size();
      if (IsAll) {
        for (const Stage &Its : TheirStages)
          S.add(Its);
        Done.insert(Others.begin(), Others.end());
      } else if (!S.isReadOnce()) {
        continue; // the barrier stays, and what comes again is in order there
      } else {
        Others.clear();
      }
      Report(describe(Kernel, A, S, IsAll, Others, *V, Device),
             cureOf(Kernel, S, IsAll, Launch));
    }
  }

  static advice::Finding describe(const access::Kernel &K, const Access &A,
                                  const Stage &S, bool IsAll,
                                  const std::vector<std::string> &Others,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device) {
    auto F = startFinding(K, A, V, Device, Price);
    F.OnlyByGain = true;
    dropCost(F);
    F.Guidelines = standing(Device, {"S_6"});
    const std::string From = quotedObject(K.Accesses[S.Brought.front()]);
    F.Message =
        S.isReadOnce()
            ? fmt::format("what is copied from {} to {} is read there once",
                          From, quotedObject(A))
            : fmt::format("what is copied from {} to {} is read there about "
                          "{}, which L1 serves as well",
                          From, quotedObject(A),
                          counted(S.timesRead(), "time"));
    if (!Others.empty())
      addNote(F, fmt::format("so is what is copied to '{}'",
                             fmt::join(Others, "', '")));
    addNote(F, IsAll ? "the copy, the barrier after it and the room in shared "
                       "memory cost more than they save"
                     : "the copy and the room in shared memory cost more than "
                       "they save");
    addLaunchNote(F, K, V);
    addEvidenceNote(F, Device, Price);
    F.Remedy = fmt::format(
        "load from {} where {} is read, and leave out the {}{}", From,
        quotedObject(A),
        !IsAll           ? "copy"
        : Others.empty() ? "copy and its barrier"
                         : "copies and their barrier",
        waitsForStores(K, S) ? "; declare the kernel's pointers __restrict__, "
                               "else each load waits for the store before it"
                             : "");
    F.Cause = "stage " + A.Object;
    return F;
  }
};

REGISTER_RULE(NeedlessStaging);

} // namespace
