//===- ScalarStream.cpp - Threads that handle one element -----------------===//
//
// A kernel that gives each element a thread of its own spends its time on
// launching blocks and on addresses. Four neighbouring elements in a thread, as
// one vector, are a quarter of both.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view Price = paths::device_launch_block_interval;

/// Elements of a vector of this size are what requests are made for; shorter
/// ones are the business of another rule (cuda-memory-narrow-access).
constexpr unsigned LeastBytes = 4;

/// Full warps, side by side in the order of the threads, which go on to other
/// elements in each round if there are rounds. What goes over a bus waits for
/// nothing else.
bool isStream(const Access &A, const Cost &C) {
  constexpr double Seldom = 0.5;
  return A.Repeats < Seldom && C.Worst && C.Worst->ActiveMask == ~uint32_t(0) &&
         C.Worst->Stride == int64_t(A.Bytes) && !C.Worst->IsMadeUp &&
         !C.IsElsewhere && C.Sectors.value_or(0) <= C.IdealSectors.value_or(0);
}

/// A loop that adds up what it loads, round by round. (Most such loops nvcc
/// writes out, and several rounds are under way together.)
bool isSum(const Access &A) {
  constexpr double EachRound = 0.5;
  return A.RoundsAddUp && A.Waits > EachRound;
}

/// The stream that a kernel is judged by: that of such a loop, or the first
/// one. Null if there is none.
const Access *firstOf(const access::Kernel &K) {
  const Access *First = nullptr;
  for (const Access &A : K.Accesses)
    if (A.Memory == Space::Global && (!First || (isSum(A) && !isSum(*First))))
      First = &A;
  return First;
}

/// What comes before and after a loop that adds up: the threads of a block
/// bring together what they have found, which is little beside it.
bool isBeside(const Access &A, const Access &First, unsigned Launch) {
  constexpr double Little = 0.1;
  const Cost *Here = costUnder(A, Launch), *Loop = costUnder(First, Launch);
  return isSum(First) && A.Loop != First.Loop && Here && Loop &&
         Here->Weight <= Little * Loop->Weight;
}

/// Whether the kernel does nothing but stream elements like those of \p First,
/// one at a time for each thread, under launch \p Launch, and what it reads
/// beside is the same for all.
bool onlyStreams(const access::Kernel &K, unsigned Launch,
                 const Access &First) {
  if (!isSum(First) && (K.HasBarriers || K.Works[Launch].SharedBytes > 0))
    return false;
  // Of an array that is kept in registers by selecting there would be four.
  if (!K.PrivateArrays.empty() || K.SelectedBytes > 0 || !K.NotModelled.empty())
    return false;
  return std::all_of(
      K.Accesses.begin(), K.Accesses.end(), [&](const Access &A) {
        if (isBeside(A, First, Launch))
          return true;
        if (A.Sort != Access::Kind::Plain || A.Group ||
            A.LoopDepth != First.LoopDepth || A.Op == Operation::Atomic)
          return false;
        const Cost *C = costUnder(A, Launch);
        if (!C)
          return false;
        if (A.Memory == Space::Constant) // a word for all
          return C->Words.value_or(2) <= std::max(1.0, A.Bytes / 4.0);
        return A.Memory == Space::Global && A.Bytes == First.Bytes &&
               isStream(A, *C);
      });
}

/// Whether the loop around \p A has one round whatever the arguments are that
/// nobody knows, not only with those that were made up.
bool hasOneRound(const access::Kernel &K, const Access &A, unsigned Launch) {
  const auto &From = K.Launches[Launch].GridFrom;
  const Cost *C = costUnder(A, Launch);
  return C && C->PerWarp <= 1 &&
         (K.Works[Launch].TripsKnown ||
          std::any_of(From.begin(), From.end(),
                      [](const auto &Axis) { return Axis.has_value(); }));
}

/// Whether a thread handles others of its elements beside \p A, a width of
/// lanes apart, as far as that is written.
bool hasSeveralElements(const access::Kernel &K, const Access &A) {
  const int64_t Width = int64_t(access::WarpLanes) * A.Bytes;
  return A.LoopDepth > 0 &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(),
                     [&](const Access &B) {
                       const bool IsElsewhere =
                           B.Index != A.Index ||
                           std::abs(B.IndexOffset - A.IndexOffset) >= Width;
                       return B.Object == A.Object && B.Op == A.Op &&
                              B.Loop == A.Loop && IsElsewhere;
                     });
}

class ScalarStream : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return unpriced(Device, Price, "how fast an SM gets new blocks");
  }

  bool isCuredByInstances() const override { return true; }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    // float4, double2: what the language has.
    constexpr unsigned VectorBytes = 16;
    const Access *First = firstOf(Kernel);
    if (!First || First->Bytes < LeastBytes || First->Bytes >= VectorBytes ||
        !First->Of.isScalar() || First->LoopDepth > 1 ||
        hasSeveralElements(Kernel, *First))
      return;
    for (const Cost &C : First->PerLaunch) {
      if (C.Launch >= Kernel.Works.size() ||
          Kernel.Launches[C.Launch].Source == launch::ShapeSource::Assumed ||
          !onlyStreams(Kernel, C.Launch, *First))
        continue;
      const double Elements = double(VectorBytes) / First->Bytes;
      return Report(
          describe(Kernel, *First, Elements, Device, C.Launch),
          cureOf(Kernel, *First, C.Launch, {.ElementsPerThread = Elements}));
    }
  }

  static std::string vectorType(const Access &A, double Elements) {
    const std::string &Type = A.Of.Type;
    for (const std::string_view Known : {"float", "double", "int"})
      if (Type == Known)
        return fmt::format("{}{}", Type, number(Elements));
    return fmt::format("a vector of {}", number(Elements));
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  double Elements,
                                  const profile::Profile &Device,
                                  unsigned Launch) {
    advice::Finding F;
    F.Where = A.Where;
    F.Kernel = Kernel.Name;
    F.Object = A.Object;
    F.State = access::Proof::Estimated;
    F.OnlyByGain = isSum(A); // what the block adds up besides may be the bound
    F.Guidelines = standing(Device, {"G_2"});
    // A loop of one round, as some instances have, is none.
    const bool InLoop = A.LoopDepth > 0 && !hasOneRound(Kernel, A, Launch);
    // A grid whose size nobody knows may leave one round to each thread.
    const std::string_view What =
        !InLoop ? "blocks"
        : Kernel.Works[Launch].IsWholeGrid && Kernel.Works[Launch].TripsKnown
            ? "rounds"
            : "rounds or blocks";
    F.Message =
        fmt::format("each thread handles one element of {}{}: {} times the {}, "
                    "addresses and requests of {} for each",
                    counted(A.Bytes, "byte"), InLoop ? " at a time" : "",
                    number(Elements), What, vectorType(A, Elements));
    const auto isLoadOfLoop = [&](const Access &B) {
      return B.Op == access::Operation::Load && B.Loop == A.Loop &&
             makesRequests(B, Launch);
    };
    if (InLoop && std::any_of(Kernel.Accesses.begin(), Kernel.Accesses.end(),
                              isLoadOfLoop))
      addNote(F, "each round waits for what it loads, however little that is");
    else if (!InLoop)
      addNote(F,
              fmt::format("a thread makes {} at most, to which come the launch "
                          "of its block and the computing of addresses",
                          counted(double(Kernel.Accesses.size()), "request")));
    addLaunchedHere(F, Kernel.Launches[Launch]);
    addEvidenceNote(F, Device, Price);
    if (!InLoop) {
      F.Cause = "one element for each thread";
      F.Choice = "fewer blocks";
    }
    setRemedy(F, A,
              fmt::format("let each thread handle {} elements{}, in as many "
                          "times fewer {}: neighbouring ones as one vector "
                          "where that is aligned, else the width of a block "
                          "apart",
                          number(Elements), InLoop ? " at a time" : "", What));
    return F;
  }
};

REGISTER_RULE(ScalarStream);

} // namespace
