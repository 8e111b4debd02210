//===- BankConflict.cpp - Lanes that wait for one shared memory bank ------===//
//
// Shared memory serves one word of each bank per wavefront. Lanes that ask the
// same bank for different words wait for one another; lanes that ask for the
// same word do not.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_shared_cycles_per_wavefront;

/// Less than a quarter more wavefronts on average is not worth a rewrite.
constexpr double MinWaste = 1.25;

/// From this distance on lanes walk down the rows of a tile. Nearer ones are
/// interleaved elements, which a longer row does not move apart.
constexpr int64_t RowBytes = 64;

/// Passes that no layout saves are no conflict.
std::optional<Demand> wavefronts(const Cost &C) {
  return Demand::of(C, C.Wavefronts,
                    std::max(C.IdealWavefronts, C.ConflictFreeWavefronts));
}

/// "a 32-way bank conflict", "a bank conflict, at least 2.3-way on average"
std::string conflictText(const SiteVerdict &V) {
  const double Ways = V.Need.asserted() / V.Need.Ideal;
  const bool Whole = std::abs(Ways - std::round(Ways)) < 0.005;
  if (Whole && !V.AtLeast)
    return fmt::format("a {}-way bank conflict", number(Ways));
  return fmt::format("a bank conflict, {}{}-way{}",
                     V.AtLeast ? "at least " : "", number(Ways),
                     Whole ? "" : " on average");
}

/// Where the distance changes from round to round, it is that of no row.
bool changesByRound(const Cost &C) { return C.Worst && C.Worst->StepVaries; }

/// So does the conflict.
bool isTree(const Cost &C) { return changesByRound(C) && C.Least; }

/// By how many bytes a row becomes longer. Banks are words: what is smaller is
/// moved by a word. Whatever the source accesses the array by has to stay
/// aligned, fragments and vectors too; what only the compiler joins need not,
/// as far as that is seen (of one line it is not).
unsigned padding(const access::Kernel &K, const Access &A,
                 const profile::RequestLaw &Law) {
  constexpr unsigned Fragment = 16;
  if (A.Sort == Access::Kind::TensorCore)
    return Fragment;
  unsigned Most = std::max(A.Bytes, unsigned(Law.BankBytes));
  for (const Access &Other : K.Accesses)
    if (Other.Memory == Space::Shared && Other.Root && Other.Root == A.Root &&
        Other.MergedWith.empty())
      Most = std::max(Most, std::min(Other.Bytes, Fragment));
  return Most;
}

std::string paddingText(const access::Kernel &K, const Access &A,
                        const profile::RequestLaw &Law) {
  const unsigned More = padding(K, A, Law);
  const bool IsElement = A.Sort != Access::Kind::TensorCore && More == A.Bytes;
  return IsElement ? "one element" : counted(More, "byte");
}

/// Lanes \p Step bytes apart use neighbouring elements already, which are wider
/// than what one of them moves.
bool areWholeElements(const Access &A, int64_t Step) {
  return A.Of.Bytes > A.Bytes && uint64_t(std::abs(Step)) == A.Of.Bytes;
}

/// The wavefronts of one pass after the other if the lanes of \p P lay where
/// \p At says, in bytes. Where a bank delivers two rows at a time this is too
/// many, never too few.
unsigned wavefrontsIf(const access::LanePattern &P, unsigned Bytes,
                      const profile::RequestLaw &Law,
                      const std::function<int64_t(unsigned Lane)> &At) {
  unsigned Sum = 0;
  for (unsigned First = 0; First < access::WarpLanes;
       First += Law.lanesOfPass(Bytes)) {
    std::map<int64_t, std::set<int64_t>> WordsOfBank;
    unsigned Most = 0;
    for (unsigned Lane = First; Lane != First + Law.lanesOfPass(Bytes); ++Lane)
      for (int64_t Byte = At(Lane), End = Byte + Bytes;
           Byte < End && (P.ActiveMask >> Lane & 1); Byte += Law.BankBytes) {
        const int64_t Word = Byte / Law.BankBytes;
        auto &Words = WordsOfBank[Word % Law.Banks];
        Words.insert(Word);
        Most = std::max(Most, unsigned(Words.size()));
      }
    Sum += Most;
  }
  return Sum;
}

/// The wavefronts of \p P, in an array that starts at a bank's first word, if
/// \p More bytes are left free after every \p Row bytes.
unsigned wavefrontsPadded(const access::LanePattern &P, unsigned Bytes,
                          int64_t Row, int64_t More,
                          const profile::RequestLaw &Law) {
  return wavefrontsIf(P, Bytes, Law, [&](unsigned Lane) {
    return P.Offsets[Lane] + P.Offsets[Lane] / Row * More;
  });
}

/// Whether \p P takes half of its wavefronts or less if \p More bytes are left
/// free after each row of all banks.
bool helpsToLeaveFree(const access::LanePattern &P, unsigned Bytes,
                      int64_t More, const profile::RequestLaw &Law) {
  const auto Row = int64_t(Law.passBytes());
  return 2 * wavefrontsPadded(P, Bytes, Row, More, Law) <=
         wavefrontsPadded(P, Bytes, Row, 0, Law);
}

/// The wavefronts of \p P in a tile of rows of 128 bytes that a tensor copy
/// swizzles: the eight 16 bytes of each row are exchanged by the row's number
/// (CUDA C++ Programming Guide, "The Swizzle Modes":
/// CU_TENSOR_MAP_SWIZZLE_128B).
unsigned wavefrontsSwizzled(const access::LanePattern &P, unsigned Bytes,
                            const profile::RequestLaw &Law) {
  constexpr int64_t Row = 128, Part = 16;
  return wavefrontsIf(P, Bytes, Law, [&](unsigned Lane) {
    const int64_t At = P.Offsets[Lane];
    return At ^ At / Row % (Row / Part) * Part;
  });
}

/// The wavefronts of \p A once the remedy is followed, \p Ideal or more: where
/// rows can only be moved by what the widest access needs, or swizzled.
double curedWavefronts(const access::Kernel &K, const Access &A,
                       const Cost &Shown, double Ideal,
                       const profile::RequestLaw &Law) {
  if (!Shown.Worst)
    return Ideal;
  const access::LanePattern &P = *Shown.Worst;
  if (A.IsTensorTile)
    return std::max<double>(Ideal, wavefrontsSwizzled(P, A.Bytes, Law));
  const int64_t More = padding(K, A, Law), Row = std::abs(P.Stride.value_or(0));
  if (A.Sort == Access::Kind::TensorCore || Row < RowBytes ||
      More <= int64_t(std::max(A.Bytes, unsigned(Law.BankBytes))))
    return Ideal;
  return std::max<double>(Ideal, wavefrontsPadded(P, A.Bytes, Row, More, Law));
}

/// What the rounds of a tree need. The groups of lanes of a butterfly lie on
/// each other also where one element is left free.
std::string remedyOfTree(const access::Kernel &K, const Access &A,
                         const access::LanePattern &Costliest,
                         const profile::RequestLaw &Law) {
  const unsigned More = padding(K, A, Law);
  std::string Layout = "permute its elements, so that the lanes of each round "
                       "fall on different banks";
  if (A.Sort == Access::Kind::TensorCore ||
      helpsToLeaveFree(Costliest, A.Bytes, More, Law))
    Layout =
        fmt::format("leave {} free after every {} of the array",
                    paddingText(K, A, Law), counted(Law.passBytes(), "byte"));
  return "the lanes move apart from round to round: let them use neighbouring "
         "elements in each, or " +
         Layout;
}

/// How many rows of the array lie between two rows of lanes \p Jump bytes
/// apart, as far as its declaration tells; else 1.
int64_t rowsOfArrayIn(int64_t Jump, const access::Kernel &K, const Access &A) {
  if (!A.Array || K.Arrays[*A.Array].Extents.size() < 2)
    return 1;
  const DeclaredArray &Array = K.Arrays[*A.Array];
  const auto Row = int64_t(Array.Extents.back() * Array.ElementBytes);
  return Row > 0 && Jump > 0 && Jump % Row == 0 ? Jump / Row : 1;
}

/// How far apart the rows of \p P have to lie for a request free of conflicts:
/// the nearest such distance, the larger one of two, or nothing. A row that was
/// made longer by one is the cause as often as the cure (of doubles, say).
/// \p Between of the array's rows, which are alike, lie between two of them.
std::optional<int64_t> jumpWithoutConflict(const access::LanePattern &P,
                                           const RowPattern &Rows,
                                           unsigned Bytes, int64_t Between,
                                           const profile::RequestLaw &Law) {
  const int64_t Least = int64_t(Rows.Lanes) * Rows.Step;
  const auto wavefrontsAt = [&](int64_t Jump) {
    return wavefrontsIf(P, Bytes, Law, [&](unsigned Lane) {
      return int64_t(Lane / Rows.Lanes) * Jump +
             int64_t(Lane % Rows.Lanes) * Rows.Step;
    });
  };
  const unsigned Passes = access::WarpLanes / Law.lanesOfPass(Bytes);
  for (int64_t More = Bytes; More < int64_t(Law.passBytes()); More += Bytes)
    for (const int64_t Jump :
         {Rows.Jump + Between * More, Rows.Jump - Between * More})
      if (Jump >= Least && wavefrontsAt(Jump) <= Passes)
        return Jump;
  return std::nullopt;
}

/// "pad the rows of 'tile' so that the 2 rows of a warp use different banks",
/// or empty if no distance of rows does that.
std::string rowsMovedApart(const access::Kernel &K, const Access &A,
                           const access::LanePattern &P, const RowPattern &Rows,
                           const profile::RequestLaw &Law) {
  const std::string Aim =
      fmt::format("so that the {} rows of a warp use different banks",
                  access::WarpLanes / Rows.Lanes);
  if (P.IsMadeUp || Rows.Jump <= 0 || A.Bytes < Law.BankBytes)
    return fmt::format("pad the rows of {} {}", quotedObject(A), Aim);
  const int64_t Between = rowsOfArrayIn(Rows.Jump, K, A);
  const auto Jump = jumpWithoutConflict(P, Rows, A.Bytes, Between, Law);
  if (!Jump)
    return "";
  if (*Jump > Rows.Jump)
    return fmt::format("pad the rows of {}, to {} bytes from one to the next, "
                       "{}",
                       quotedObject(A), *Jump / Between, Aim);
  return fmt::format("leave out what pads the rows of {}: {} bytes from one to "
                     "the next, not {}, {}",
                     quotedObject(A), *Jump / Between, Rows.Jump / Between,
                     Aim);
}

/// Bytes from one to the next of those that the lanes of \p P use, where that
/// is the same for all of them, whether each lane has its own or half the warp
/// uses what the other half does.
std::optional<int64_t> stepOf(const access::LanePattern &P) {
  if (P.Stride)
    return P.Stride;
  if (const auto Rows = findRows(P); Rows && Rows->Jump == 0 && Rows->Step != 0)
    return Rows->Step;
  return std::nullopt;
}

/// Which lanes meet, in one word or in one bank, data decide.
bool isByData(const Access &A, const Cost &Shown) {
  return A.Op == access::Operation::Atomic && !Shown.Worst;
}

std::string remedy(const access::Kernel &K, const Access &A, const Cost &Shown,
                   const profile::RequestLaw &Law) {
  const launch::Shape &Block = K.Launches[Shown.Launch];
  const auto Stride = Shown.Worst ? stepOf(*Shown.Worst) : std::nullopt;
  const auto Rows = Shown.Worst ? findRows(*Shown.Worst) : std::nullopt;
  if (isByData(A, Shown))
    return fmt::format("add up in the warp what goes to one word of {0}, or "
                       "give parts of the warp a copy of {0} each",
                       quotedObject(A));
  if (A.Op != access::Operation::Load && Stride == 0)
    return fmt::format("let one lane of the warp write {}, after a vote or a "
                       "reduction where all have a say",
                       quotedObject(A));
  if (isTree(Shown))
    return remedyOfTree(K, A, *Shown.Worst, Law);
  if (A.IsTensorTile)
    return fmt::format("{0} lies as the map of the tensor says: let that "
                       "swizzle rows of 128 bytes (CU_TENSOR_MAP_SWIZZLE_128B) "
                       "and find the elements of {0} accordingly",
                       quotedObject(A));
  const std::string MovedApart =
      Rows && Rows->Step == A.Bytes
          ? rowsMovedApart(K, A, *Shown.Worst, *Rows, Law)
          : "";
  if (!MovedApart.empty())
    return isNarrowBlock(Block, *Rows)
               ? fmt::format("make the block {} threads wide, or {}",
                             access::WarpLanes, MovedApart)
               : MovedApart;
  if (Stride && areWholeElements(A, *Stride))
    return fmt::format("split the elements of {} of {} bytes: keep each part "
                       "in an array of its own (structure of arrays)",
                       quotedObject(A), *A.Of.Bytes);
  if (Stride && A.Bytes >= Law.VectorBytes && std::abs(*Stride) < RowBytes)
    return fmt::format("let neighbouring lanes use neighbouring {} bytes of {} "
                       "in each access: elements that are wider have to be "
                       "split (structure of arrays)",
                       A.Bytes, quotedObject(A));
  // Who knows whether a row that is longer by so much is better or worse?
  if (Stride && Shown.Worst->IsStepMadeUp)
    return fmt::format(
        "make each row of {} an odd multiple of {} bytes long, so "
        "that lanes a row apart fall on different banks",
        quotedObject(A), std::max(Law.BankBytes, A.Bytes));
  if (Stride && std::abs(*Stride) >= RowBytes)
    return fmt::format(
        "pad each row of {} by {}, so that lanes {} bytes apart fall "
        "on different banks",
        quotedObject(A), paddingText(K, A, Law), std::abs(*Stride));
  if (Stride)
    return fmt::format("let neighbouring lanes use neighbouring elements of {}",
                       quotedObject(A));
  return fmt::format("permute the index into {} (for instance, xor the column "
                     "with the row), or pad its rows",
                     quotedObject(A));
}

/// The extent \p Text and \p More.
std::string enlarged(const std::string &Text, uint64_t More) {
  const bool IsNumber =
      !Text.empty() && Text.size() < 10 &&
      std::all_of(
          Text.begin(), Text.end(), [](char C) { return isdigit(C); }) &&
      (Text[0] != '0' || Text == "0");
  if (IsNumber)
    return std::to_string(std::stoull(Text) + More);
  const bool IsPrimary = std::all_of(
      Text.begin(), Text.end(), [](char C) { return isalnum(C) || C == '_'; });
  return fmt::format(fmt::runtime(IsPrimary ? "{} + {}" : "({}) + {}"), Text,
                     More);
}

/// What the variables of \p Kernel take.
uint64_t staticShared(const access::Kernel &Kernel) {
  uint64_t Most = 0;
  for (size_t L = 0; L != Kernel.Works.size(); ++L)
    Most = std::max(Most, Kernel.Works[L].SharedBytes -
                              Kernel.Launches[L].DynamicSharedBytes);
  return Most;
}

/// What \p More elements in each row of \p Array take.
uint64_t paddingBytes(const DeclaredArray &Array, uint64_t More) {
  uint64_t Bytes = More * Array.ElementBytes;
  for (size_t Axis = 0; Axis + 1 < Array.Extents.size(); ++Axis)
    Bytes *= Array.Extents[Axis];
  return Bytes;
}

/// Longer rows for the array behind \p A, where lanes walk down its rows.
std::optional<advice::Rewrite> padRows(const access::Kernel &Kernel,
                                       const Access &A, const Cost &Shown,
                                       const profile::RequestLaw &Law) {
  if (!A.Array || isTree(Shown) || !Shown.Worst || !Shown.Worst->Stride)
    return std::nullopt;
  const DeclaredArray &Array = Kernel.Arrays[*A.Array];
  if (Array.Extents.size() < 2 || Array.ElementBytes == 0)
    return std::nullopt;
  const uint64_t Row = Array.Extents.back() * Array.ElementBytes;
  if (uint64_t(std::abs(*Shown.Worst->Stride)) % Row != 0 ||
      *Shown.Worst->Stride == 0)
    return std::nullopt;
  // Not padding(): an array that vectors or fragments lead into is not
  // rewritten, and joined loads come apart.
  const uint64_t More =
      std::max<uint64_t>(1, Law.BankBytes / Array.ElementBytes);
  advice::Rewrite Fix;
  Fix.Title = fmt::format("declare the rows of '{}' with {} elements instead "
                          "of {}",
                          Array.Name, Array.Extents.back() + More,
                          Array.Extents.back());
  Fix.Withheld = Array.WhyRowsStay;
  if (Fix.Withheld.empty() && staticShared(Kernel) + paddingBytes(Array, More) >
                                  profile::StaticSharedBytes)
    Fix.Withheld = fmt::format("the kernel would declare more than {} bytes of "
                               "shared memory",
                               profile::StaticSharedBytes);
  if (Fix.Withheld.empty())
    Fix.Changes = {{Array.RowExtent, Array.RowExtentText,
                    enlarged(Array.RowExtentText, More)}};
  return Fix;
}

class BankConflict : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "S_1");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    const Threshold Worth{MinWaste, unitsWorthACycle(Device, Price)};
    for (const Access &A : Kernel.Accesses) {
      // Where a library's collective puts what it keeps is not the user's to
      // say.
      if (A.Memory != Space::Shared || (A.InLibrary && A.Of.IsLibrarys))
        continue;
      const auto V = judge(Kernel, A, wavefronts, Worth);
      // Which rounds data picks nobody knows.
      if (!V || (changesByRound(*V->Shown) && V->Shown->DataDecides))
        continue;
      const double Cured =
          curedWavefronts(Kernel, A, *V->Shown, V->Need.Ideal, Law);
      if (A.IsTensorTile &&
          (!V->Shown->Worst || 2 * Cured > V->Need.asserted()))
        continue;
      auto F = startFinding(Kernel, A, *V, Device, Price);
      F.Guidelines = {"S_1"};
      F.PerRequest = needOf(*V, "wavefronts");
      F.Message = fmt::format(
          "shared {} {}: {} (ideal {})", access::nameOf(A.Op),
          isByData(A, *V->Shown) ? "makes lanes wait that share words or banks"
                                 : "is " + conflictText(*V),
          perRequest(*V, "wavefront", "is a large power of two",
                     "are large powers of two"),
          number(V->Need.Ideal));
      if (V->Shown->Worst)
        addNote(F, fmt::format("in the costliest request of {}, {}",
                               quotedObject(A),
                               describeLanes(*V->Shown->Worst, A.Bytes)));
      addLaunchNote(F, Kernel, *V);
      addEvidenceNote(F, Device, Price);
      setRemedy(F, A, remedy(Kernel, A, *V->Shown, Law));
      F.Fix = padRows(Kernel, A, *V->Shown, Law);
      if (isTree(*V->Shown))
        F.Cause = "tree"; // of several arrays, as likely as not
      Report(std::move(F),
             cureOf(Kernel, A, V->Shown->Launch, {.Wavefronts = Cured}));
    }
  }
};

REGISTER_RULE(BankConflict);

} // namespace
