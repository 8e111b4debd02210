//===- AtomicContention.cpp - Atomics that wait for each other ------------===//
//
// L2 carries out one atomic on a word at a time. What a block adds to few words
// it can add up by itself first, and then hit each word once.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "rules/BlockReach.h"
#include "rules/Rule.h"
#include "rules/Wording.h"
#include "rules/cuda-memory-atomic-contention/SwapLoops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

/// That a turn takes is no clock of the warp: findings have no cost in cycles,
/// and this is their evidence.
constexpr std::string_view Price =
    paths::warp_atomics_global_same_address_throughput;

/// So many lanes that take turns at a word of shared memory are worth it.
constexpr double MinWaste = 4;

/// So many atomics of a block on each word are worth adding up first, where
/// the price says so: with fewer there would be more to merge than to add.
constexpr double MinHits = 1.5;

constexpr unsigned HalfBytes = 2;

/// Of one block, to the words that it adds to.
struct Hits {
  double Lanes = 0; ///< that add, those counted as one that nvcc joins
  double Words = 0;
  double Share = 1; ///< of the lanes: those of the access that was asked about
  /// Blocks that one has to take the place of before it is worth it.
  double Blocks = 1;

  /// What of the words its repair merges: together the repairs of all who add
  /// to them merge each once.
  double ownWords() const {
    return Words > 1 ? std::max(2.0, Words * Share) : 1;
  }
};

/// Nothing where it is not known what a block does. Data that nobody knows are
/// taken to lead all over what they are an index into.
std::optional<Hits> hitsAlone(const access::Kernel &K, const Access &A,
                              const Cost &C, const profile::RequestLaw &Law) {
  Hits Its;
  if (hasReach(K, C))
    // Words that another place has got to before are counted there.
    Its.Words =
        blockSectors(K, C) * C.Reach->UsedBytes * Law.SectorBytes / A.Bytes;
  else if (C.State == access::Proof::DataDependent && C.ObjectBytes &&
           isExecuted(K, C))
    Its.Words = double(*C.ObjectBytes) / A.Bytes;
  else
    return std::nullopt;
  Its.Lanes = blockRequests(K, C) * (A.IsJoined ? 1 : C.ActiveLanes);
  return Its;
}

/// Of \p A and all that add to the same: a triangle adds to its three corners,
/// each of which is the corner of others.
std::optional<Hits> hitsOf(const access::Kernel &K, const Access &A,
                           const Cost &C, const profile::RequestLaw &Law) {
  auto Its = hitsAlone(K, A, C, Law);
  if (!Its)
    return std::nullopt;
  const double Own = Its->Lanes;
  for (const Access &B : K.Accesses) {
    if (&B == &A || B.Op != Operation::Atomic || !B.Accumulates ||
        B.Memory != A.Memory || !A.Root || B.Root != A.Root)
      continue;
    const Cost *D = costUnder(B, C.Launch);
    const auto More = D ? hitsAlone(K, B, *D, Law) : std::nullopt;
    if (!More)
      continue;
    Its->Lanes += More->Lanes;
    // Data lead each of them all over the same.
    Its->Words = D->State == access::Proof::DataDependent && !hasReach(K, *D)
                     ? std::max(Its->Words, More->Words)
                     : Its->Words + More->Words;
  }
  Its->Share = Own / Its->Lanes;
  Its->Words = std::max(1.0, std::round(Its->Words));
  return Its;
}

/// Of blocks so small that each has to merge nearly as much as it adds, where
/// others beside them add to the same: as one block that does what several do.
/// The GPU still has several blocks for each of its \p Sms.
std::optional<Hits> hitsTogether(const access::Kernel &K, const Access &A,
                                 const Cost &C, const Hits &Alone, double Sms) {
  // Half of what a block touches is a judgement; with fewer blocks than eight
  // an SM what is saved is lost again (test/gpu/settled-atomics).
  constexpr double Shared = 0.5, BlocksOfSm = 8;
  const launch::Shape &Shape = K.Launches[C.Launch];
  if (Alone.Words <= 1 || !hasReach(K, C) || !C.Reach->ExtentBytes ||
      !Shape.Grid)
    return std::nullopt;
  double Most = 1;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (C.Reach->FreshBeside[Axis] <= Shared)
      Most = std::max(Most, double((*Shape.Grid)[Axis]));
  const double Blocks =
      std::floor(std::min(Most, K.Works[C.Launch].Blocks / (BlocksOfSm * Sms)));
  if (Blocks < 2)
    return std::nullopt;
  Hits Its = Alone;
  Its.Blocks = Blocks;
  Its.Lanes *= Blocks;
  Its.Words = std::max(Its.Words, std::round(*C.Reach->ExtentBytes / A.Bytes));
  return Its;
}

/// Of the lanes of \p A, the share that still changes a word, where data lead
/// them all over an object. Of N random numbers one after the other, the n-th
/// is the largest so far with a chance of 1 / n.
std::optional<double> changesOf(const access::Kernel &K, const Access &A,
                                const Cost &C) {
  constexpr double LeastHits = 2, EulersConstant = 0.5772;
  if (A.SettlesAfter == 0 || C.State != access::Proof::DataDependent ||
      !C.ObjectBytes || !isExecuted(K, C))
    return std::nullopt;
  const double Words = double(*C.ObjectBytes) / A.Bytes;
  const double Hits = C.Weight * C.ActiveLanes / std::max(1.0, Words);
  if (Hits < LeastHits)
    return std::nullopt;
  const double Bits = A.SettlesAfter;
  const double Changes = Bits > 1 ? Bits * (1 - std::pow(1 - 1 / Bits, Hits))
                                  : std::log(Hits) + EulersConstant;
  return std::min(1.0, Changes / Hits);
}

/// All lanes of a warp want one word of shared memory, and get it by turns.
bool isOneSharedWord(const Access &A, const Cost &C) {
  if (A.RepeatsPerLane)
    return C.ActiveLanes > 1;
  return !A.IsJoined && C.Worst && C.Worst->Stride == 0 &&
         C.Wavefronts.value_or(0) >= C.ActiveLanes;
}

/// Passes of a request to \p Its words, which lie in shared memory now: those
/// that come from data meet by chance, the others as they did before.
double passesOf(const Cost &C, const Hits &Its) {
  if (C.Worst && C.Worst->Stride && *C.Worst->Stride != 0)
    return 1;
  // The fullest of 32 banks that 32 lanes choose by chance has 3.5 of them on
  // average (balls into bins); of fewer words each gets its share.
  return std::max(3.5, C.ActiveLanes / Its.Words);
}

class AtomicContention : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    for (const Access &A : Kernel.Accesses) {
      if (A.Swaps != access::SwapLoop::None && A.Memory == Space::Global)
        checkSwapLoop(Kernel, A, Device, Report);
      if (A.Op != Operation::Atomic || !A.Accumulates)
        continue;
      if (A.Memory == Space::Global && A.Bytes == HalfBytes)
        checkHalves(Kernel, A, Device, Report);
      if (A.Memory == Space::Shared)
        checkShared(Kernel, A, Device, Report);
      else if (A.Memory == Space::Global)
        checkGlobal(Kernel, A, Device, Law, Report);
    }
  }

  static void checkShared(const access::Kernel &Kernel, const Access &A,
                          const profile::Profile &Device, const Sink &Report) {
    const auto V =
        judge(Kernel, A,
              [&A](const Cost &C) -> std::optional<Demand> {
                if (C.DataDecides || !isOneSharedWord(A, C))
                  return std::nullopt;
                return Demand{C.ActiveLanes, 1, C.ActiveLanes, C.ActiveLanes};
              },
              {MinWaste, 0});
    if (!V)
      return;
    auto F = startFinding(Kernel, A, *V, Device, Price);
    F.Message = fmt::format(
        "{} of a warp add to one word of shared memory, {}, by turns",
        counted(V->Shown->ActiveLanes, "lane"), quotedObject(A));
    dropCost(F);
    if (A.RepeatsPerLane)
      addNote(F, "shared memory has no such atomic: nvcc makes a loop of it "
                 "that compares and swaps, and one lane succeeds a round");
    addLaunchNote(F, Kernel, *V);
    setRemedy(F, A,
              fmt::format("let the lanes of a warp combine their values by "
                          "__shfl_down_sync, or __reduce_add_sync for "
                          "integers, and one of them go to {}",
                          quotedObject(A)));
    Report(F, cureOf(Kernel, A, V->Shown->Launch,
                     {.AddsUp = price::Accumulation{}}));
  }

  /// Of single halves, which L2 cannot add to.
  static void checkHalves(const access::Kernel &Kernel, const Access &A,
                          const profile::Profile &Device, const Sink &Report) {
    const auto V = judge(Kernel, A,
                         [](const Cost &) -> std::optional<Demand> {
                           // How much longer it takes the price knows.
                           return Demand{2, 1, 2, 2, true};
                         },
                         {MinHits, 0});
    if (!V)
      return;
    auto F = startFinding(Kernel, A, *V, Device, Price);
    dropCost(F);
    F.Cause = "halves";
    F.Message = fmt::format("each lane adds a single half to {}, which nvcc "
                            "makes a loop of that compares and swaps a word",
                            quotedObject(A));
    addNote(F, "it begins anew when another lane has changed the word "
               "meanwhile; L2 adds to both halves of a word at once");
    addLaunchNote(F, Kernel, *V);
    setRemedy(F, A,
              fmt::format("add to both halves of a word of {} at once, nothing "
                          "to the one that stays (atomicAdd of __half2 or "
                          "__nv_bfloat162), or add up in floats",
                          quotedObject(A)));
    Report(F, cureOf(Kernel, A, V->Shown->Launch, {.InPairs = true}));
  }

  static void checkGlobal(const access::Kernel &Kernel, const Access &A,
                          const profile::Profile &Device,
                          const profile::RequestLaw &Law, const Sink &Report) {
    const double Sms = Device.value(paths::device_sm_count).value_or(1);
    const auto hits = [&](const Cost &C) -> std::optional<Hits> {
      // How rare it is what is counted nobody knows here.
      if (C.DataDecides)
        return std::nullopt;
      auto Its = hitsOf(Kernel, A, C, Law);
      if (Its && Its->Lanes < MinHits * Its->Words)
        Its = hitsTogether(Kernel, A, C, *Its, Sms);
      if (!Its || Its->Words * A.Bytes > profile::StaticSharedBytes)
        return std::nullopt;
      return Its;
    };
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           const auto Its = hits(C);
                           if (!Its)
                             return std::nullopt;
                           const double Each = Its->Lanes / Its->Words;
                           return Demand{Each, 1, Each, Each,
                                         C.State != access::Proof::Exact};
                         },
                         {MinHits, 0});
    if (!V)
      return checkSettling(Kernel, A, Device, Report);
    const Hits Its = *hits(*V->Shown);
    Report(describe(Kernel, A, *V, Its, Device),
           cureOf(Kernel, A, V->Shown->Launch,
                  {.AddsUp = price::Accumulation{
                       std::max(1.0, Its.ownWords() / Its.Blocks),
                       Its.Words > 1 ? passesOf(*V->Shown, Its) : 1}}));
  }

  /// Of atomics that hardly ever change anything in the end.
  static void checkSettling(const access::Kernel &Kernel, const Access &A,
                            const profile::Profile &Device,
                            const Sink &Report) {
    const auto V = judge(Kernel, A,
                         [&](const Cost &C) -> std::optional<Demand> {
                           const auto Changes = changesOf(Kernel, A, C);
                           if (!Changes || C.DataDecides)
                             return std::nullopt;
                           return Demand{1, *Changes, 1, 1, true};
                         },
                         {MinHits, 0});
    if (!V)
      return;
    const double Changes = *changesOf(Kernel, A, *V->Shown);
    auto F = startFinding(Kernel, A, *V, Device, Price);
    dropCost(F);
    F.OnlyByGain = true;
    F.Message = fmt::format("of the atomics on {} all but {} % or so change "
                            "nothing",
                            quotedObject(A), number(std::ceil(100 * Changes)));
    addNote(F, "if the indices and what is put there are random: a bit that is "
               "set stays set, an extreme is passed ever less often");
    addLaunchNote(F, Kernel, *V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A,
              fmt::format("load the word first, and leave the atomic out where "
                          "it would change nothing of {}",
                          quotedObject(A)));
    Report(F, cureOf(Kernel, A, V->Shown->Launch, {.Changes = Changes}));
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V, const Hits &Its,
                                  const profile::Profile &Device) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    dropCost(F);
    if (A.Root)
      F.Cause = fmt::format("{} {}", A.Object, *A.Root);
    F.Message =
        fmt::format("each block makes {} on {} of {}, which take turns",
                    asserted(V, "atomic"),
                    Its.Words > 1 ? "each word" : "one word", quotedObject(A));
    if (Its.Blocks > 1)
      addNote(F, fmt::format("if it does what {} blocks do now: blocks beside "
                             "each other add to the same {}",
                             number(Its.Blocks), counted(Its.Words, "word")));
    else if (Its.Words > 1)
      addNote(F, fmt::format("a block adds to about {}{}",
                             counted(Its.Words, "word"),
                             V.Shown->State == access::Proof::DataDependent
                                 ? ", if the indices are random; --buffer "
                                   "tells what they are"
                                 : ""));
    else if (V.Shown->ActiveLanes <= 1)
      addNote(F, "each warp of the block makes its own");
    else if (A.IsJoined)
      addNote(F, "nvcc makes one atomic of those of a warp; the warps of a "
                 "block are left");
    else
      addNote(F, "nvcc adds up what the lanes of a warp add to one word only "
                 "for integers, and where it sees that it is one");
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    setRemedy(F, A, remedy(A, Its));
    return F;
  }

  static std::string remedy(const Access &A, const Hits &Its) {
    if (A.IsAnswerUsed)
      return fmt::format("count in the block first (__syncthreads_count, or a "
                         "scan), and let one thread reserve room in {} for all",
                         quotedObject(A));
    if (Its.Words <= 1)
      return fmt::format("add up in each thread, then in the block "
                         "(__shfl_down_sync and shared memory), and let one "
                         "thread add the sum to {}",
                         quotedObject(A));
    return fmt::format("{}add up in an array in shared memory first, and add "
                       "its {} to {} once a block",
                       Its.Blocks > 1
                           ? fmt::format("let a block do what {} blocks do, ",
                                         number(Its.Blocks))
                           : "",
                       counted(Its.Words, "word"), quotedObject(A));
  }
};

REGISTER_RULE(AtomicContention);

} // namespace
