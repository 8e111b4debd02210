//===- NarrowAccess.cpp - One byte per lane where four would do -----------===//
//
// A warp that streams through memory with one or two bytes per lane issues
// four or two requests for what one request of four-byte lanes moves. How much
// that costs differs from GPU to GPU, so the profile decides.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;
using profile::Profile;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;

/// Below this ratio of bandwidths a rewrite with its tail loop does not pay by
/// itself.
constexpr double MinGain = 1.25;

constexpr unsigned FullLaneBytes = 4;

/// The bandwidth of a stream of narrow lanes and of one of four-byte lanes, by
/// their paths in the profile.
struct Bandwidths {
  std::string_view Narrow, Wide;

  double gain(const Profile &Device) const {
    return *Device.value(Wide) / *Device.value(Narrow);
  }
};

/// What the profile has for lanes of \p Bytes: the four-byte vector of the
/// same element if it was measured, else any four-byte type.
std::optional<Bandwidths> findBandwidths(const Profile &Device,
                                         unsigned Bytes) {
  if (Bytes == 0 || Bytes >= FullLaneBytes)
    return std::nullopt;
  const std::string_view Narrow =
      Bytes == 1 ? paths::bandwidth_char : paths::bandwidth_short;
  if (Device.value(Narrow).value_or(0) <= 0)
    return std::nullopt;
  const std::array<std::string_view, 3> Wide = {
      Bytes == 1 ? paths::bandwidth_char4 : paths::bandwidth_half2,
      paths::bandwidth_int, paths::bandwidth_float};
  const auto *Known = std::find_if(Wide.begin(), Wide.end(), [&](auto Path) {
    return Device.value(Path).has_value();
  });
  if (Known == Wide.end())
    return std::nullopt;
  return Bandwidths{Narrow, *Known};
}

/// A full warp side by side counts as the requests that replace one of
/// four-byte lanes; anything else is not a stream and counts as one. Nor is
/// what has no likely number: the request shows one layout of several; nor what
/// is stored where data say so: of a vector all is. What goes over a bus is as
/// slow with wider lanes.
std::optional<Demand> requests(const Access &A, const Cost &C) {
  if (C.IsElsewhere || !C.Sectors || !C.Worst ||
      C.Worst->ActiveMask != ~uint32_t(0) ||
      C.Worst->Stride != int64_t(A.Bytes) ||
      (A.Op == access::Operation::Store && C.DataDecides))
    return Demand{1, 1, 1, 1};
  const double Needed = double(FullLaneBytes) / A.Bytes;
  return Demand{Needed, 1, Needed, Needed};
}

/// Neighbouring elements that the same thread uses too (a stencil, a pixel)
/// do not become one vector by changing a type. Rows of one array do.
bool usesNeighbours(const access::Kernel &K, const Access &A) {
  constexpr double OfItsOwn = 0.75;
  const auto Together = [&](const Cost &C) {
    return !C.SharedSectors ||
           *C.SharedSectors < OfItsOwn * C.Sectors.value_or(0);
  };
  return A.Slides || (A.Group && std::ranges::any_of(A.PerLaunch, Together) &&
                      std::count_if(K.Accesses.begin(), K.Accesses.end(),
                                    [&A](const Access &B) {
                                      return B.Group == A.Group;
                                    }) > 1);
}

/// Records follow each other at a distance that no word of four bytes keeps:
/// what is a vector in one of them is none in the next.
bool isOutOfStep(const Access &A) {
  return A.Of.Holds == access::Element::Kind::Record && A.Of.Bytes &&
         *A.Of.Bytes > FullLaneBytes && *A.Of.Bytes % FullLaneBytes != 0;
}

/// Streams of other narrow elements, of which a thread handles as many.
bool hasOtherWidths(const access::Kernel &K, const Access &A) {
  return std::ranges::any_of(K.Accesses, [&A](const Access &B) {
    return B.Memory == Space::Global && B.Sort == Access::Kind::Plain &&
           B.Bytes < FullLaneBytes && B.Bytes != A.Bytes;
  });
}

/// CUDA's vector of the elements of \p A, if theirs is a type that says for
/// good what it is; behind a name of the project's own may be any.
std::string vectorType(const Access &A) {
  using Kind = access::Element::Kind;
  const auto IsOneOf = [&A](std::initializer_list<std::string_view> Names) {
    return std::find(Names.begin(), Names.end(), A.Of.Type) != Names.end();
  };
  // Read through a pointer to another type than that of the array.
  if (A.Of.Bytes && A.Of.Bytes != A.Bytes)
    return fmt::format("a vector of {}", 4 / A.Bytes);
  // These two are classes or numbers of the compiler, by version.
  if (IsOneOf({"nv_bfloat16", "__nv_bfloat16", "__bf16"}))
    return "__nv_bfloat162";
  if (IsOneOf({"half", "__half", "nv_half", "__nv_half"}))
    return "half2";
  if (!A.Of.Type.empty() &&
      !IsOneOf({"char",      "signed char", "unsigned char", "uchar",
                "u_char",    "int8_t",      "uint8_t",       "u_int8_t",
                "__int8_t",  "__uint8_t",   "short",         "unsigned short",
                "ushort",    "u_short",     "int16_t",       "uint16_t",
                "u_int16_t", "__int16_t",   "__uint16_t",    "bool",
                "byte"}))
    return fmt::format("a vector of {}", 4 / A.Bytes);
  if (A.Of.Type.empty() && A.Bytes == 2)
    return "short2 or half2";
  const bool Unsigned =
      A.Of.Holds == Kind::Unsigned || A.Of.Holds == Kind::Boolean;
  const char *Base = A.Bytes == 1 ? "char4" : "short2";
  return (Unsigned ? "u" : "") + std::string(Base);
}

/// Whether warps begin where a vector may, in an allocation that does: rows of
/// a length that nobody knows, or of an odd one, need not.
bool beginsAligned(const Cost &C) {
  const bool IsLikely = C.State == access::Proof::Estimated;
  return C.sectorWaste() <= 1 && !(IsLikely && C.Low < C.High);
}

/// As many loads as \p A takes one by one of what each lane has for itself side
/// by side: its own and those of its siblings leave no byte out, and a vector
/// would hold them.
std::optional<unsigned> partsOfLane(const Access &A, const Cost &C) {
  constexpr int64_t MostBytes = 16;
  constexpr double Exactly = 0.01;
  if (!C.Worst || C.Worst->ActiveMask != ~uint32_t(0) || !C.Worst->Stride ||
      !C.IdealSectors || !C.WithSiblings)
    return std::nullopt;
  const int64_t Bytes = *C.Worst->Stride;
  if (Bytes < 2 * int64_t(A.Bytes) || Bytes > MostBytes ||
      !std::has_single_bit(uint64_t(Bytes)))
    return std::nullopt;
  const auto Parts = unsigned(Bytes / A.Bytes);
  const auto areAll = [&](double Sectors) {
    return std::abs(Sectors - Parts * *C.IdealSectors) <= Exactly;
  };
  return C.WithSiblings->Requests >= Parts - Exactly &&
                 areAll(C.WithSiblings->Sectors) &&
                 areAll(C.WithSiblings->IdealSectors)
             ? std::optional(Parts)
             : std::nullopt;
}

/// Whether \p A is a load that could bring a part of a vector, and \p B beside
/// it another.
bool isPart(const Access &A) {
  return A.Memory == Space::Global && A.Op == access::Operation::Load &&
         A.Sort == Access::Kind::Plain && A.Bytes < FullLaneBytes && A.Group &&
         !A.Slides;
}
bool isBeside(const Access &A, const Access &B) {
  return isPart(B) && B.Group == A.Group && B.Bytes == A.Bytes &&
         B.Loop == A.Loop;
}

class NarrowAccess : public Rule {
  std::string quietOn(const Profile &Device) const override {
    if (std::string Why = refutedBy(Device, "G_2"); !Why.empty())
      return Why;
    if (findBandwidths(Device, 1) || findBandwidths(Device, 2))
      return "";
    return fmt::format("the profile of {} has no bandwidth of narrow streams",
                       Device.Gpu);
  }

  bool isCuredByInstances() const override { return true; }

  void check(const access::Kernel &Kernel, const Profile &Device,
             const Sink &Report) const override {
    for (const Access &A : Kernel.Accesses) {
      if (isPart(A) && isFirst(Kernel, A))
        checkParts(Kernel, A, Device, Report);
      const auto B = findBandwidths(Device, A.Bytes);
      if (A.Memory != Space::Global || A.Op == access::Operation::Atomic ||
          A.Sort != Access::Kind::Plain || !B || usesNeighbours(Kernel, A) ||
          isOutOfStep(A))
        continue;
      const auto V =
          judge(Kernel, A, [&A](const Cost &C) { return requests(A, C); },
                {MinGain, 0});
      if (V)
        Report(describe(Kernel, A, *V, Device, *B),
               cureOf(Kernel, A, V->Shown->Launch,
                      {.ElementsPerThread = V->Need.Actual}));
    }
  }

  static bool isFirst(const access::Kernel &Kernel, const Access &A) {
    return &A == &*std::ranges::find_if(Kernel.Accesses, [&A](const Access &B) {
      return isBeside(A, B);
    });
  }

  /// Of the bytes that each lane has side by side one request brings all.
  static void checkParts(const access::Kernel &Kernel, const Access &A,
                         const Profile &Device, const Sink &Report) {
    const auto V = judge(Kernel, A,
                         [&A](const Cost &C) {
                           const double Parts = partsOfLane(A, C).value_or(1);
                           return std::optional(Demand{Parts, 1, Parts, Parts});
                         },
                         {MinGain, 0});
    if (!V)
      return;
    Cure Cured{V->Shown->Launch, {}, {}};
    const auto indexOf = [&](const Access &B) {
      return size_t(&B - Kernel.Accesses.data());
    };
    size_t Places = 0;
    for (const Access &B : Kernel.Accesses)
      if (isBeside(A, B) && Places++ % size_t(V->Need.Actual) != 0)
        Cured.Repairs.push_back(
            {.Access = indexOf(B), .Share = 0, .With = indexOf(A)});
    if (Cured.Repairs.empty())
      return; // they are rounds of one access
    auto F = startFinding(Kernel, A, *V, Device, Price);
    dropCost(F);
    F.OnlyByGain = true;
    F.Guidelines = {"G_2"};
    const unsigned Bytes = unsigned(V->Need.Actual) * A.Bytes;
    F.Message = fmt::format(
        "{} loads bring what each lane has side by side in {}, where one of "
        "{} would do",
        number(V->Need.Actual), quotedObject(A), counted(Bytes, "byte"));
    addNote(F, "each takes a place of its own among the loads under way until "
               "the line is there that all of them want");
    addLaunchNote(F, Kernel, *V);
    setRemedy(F, A,
              fmt::format("load these {} of {} as one vector where they are "
                          "aligned to them",
                          counted(Bytes, "byte"), quotedObject(A)));
    Report(F, Cured);
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V, const Profile &Device,
                                  const Bandwidths &B) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.Guidelines = {"G_2"};
    // The same sectors at the rate of the narrow stream instead of the wide.
    const double Scale = V.Shown->Sectors.value_or(0) * (B.gain(Device) - 1) /
                         std::max(1e-9, V.extra());
    F.ExtraCycles *= Scale;
    F.ExtraCyclesLow *= Scale;
    F.ExtraCyclesHigh *= Scale;
    F.Message = fmt::format(
        "global {} moves {} per lane: {} requests where one of {} would do",
        access::nameOf(A.Op), counted(A.Bytes, "byte"), number(V.Need.Actual),
        vectorType(A));
    if (const double Ratio = B.gain(Device); Ratio >= MinGain)
      F.Message += fmt::format(", {} times less bandwidth", number(Ratio));
    else
      F.OnlyByGain = true; // of the requests and blocks, not of the stream
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, B.Narrow);
    addEvidenceNote(F, Device, B.Wide);
    const std::string Vector = vectorType(A);
    setRemedy(F, A,
              fmt::format("let each thread handle {} neighbouring elements of "
                          "{} as {}{}{}{}, and the rest one by one",
                          number(V.Need.Actual), quotedObject(A),
                          Vector.starts_with("a ") ? "" : "one ", Vector,
                          hasOtherWidths(Kernel, A)
                              ? " (and as many of other widths)"
                              : "",
                          beginsAligned(*V.Shown)
                              ? ""
                              : " where rows begin at multiples of its size"));
    // Threads that handle more elements do so of all streams.
    F.Cause = "elements of a thread";
    return F;
  }
};

REGISTER_RULE(NarrowAccess);

} // namespace
