//===- UncoalescedAccess.cpp - Sectors that are moved for nobody ----------===//
//
// Global memory moves whole sectors of 32 bytes. When the lanes of a warp lie
// far apart, most of each sector is moved for nobody, unless the next
// statements use the rest: sibling accesses are judged together.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Neighbour;
using access::Proof;
using access::Space;

namespace {

constexpr std::string_view Price = paths::warp_global_cycles_per_sector;
/// What a sector costs that another warp has just brought in.
constexpr std::string_view PriceInL1 = paths::warp_global_cycles_per_sector_l1;

/// Less than a quarter more sectors is not worth a rewrite.
constexpr double MinWaste = 1.25;
/// Nor less than twice as many where siblings use them.
constexpr double MinSharedWaste = 2;

/// Whether siblings use some of what a request leaves. A group excuses and
/// never accuses: places that are far from each other are no waste of one.
bool isSharing(const Cost &C) {
  return C.WithSiblings && C.Sectors.value_or(0) > 0 &&
         C.groupSectorWaste() <= C.sectorWaste() * 1.001;
}

/// The sectors of the sibling group that shares them, or of the access alone.
/// Bounds are only known for the access: the group's scale with it.
std::optional<Demand> sectors(const Cost &C) {
  const auto Alone = Demand::of(C, C.Sectors, C.IdealSectors);
  if (!Alone || !isSharing(C))
    return Alone;
  const access::GroupCost &All = *C.WithSiblings;
  const double Scale = All.Sectors / *C.Sectors;
  return Demand{All.Sectors,         All.IdealSectors, Alone->Low * Scale,
                Alone->High * Scale, Alone->IsLikely,  true};
}

/// The sectors of a load alone, where its siblings use what it leaves, and it
/// is known how far the lanes lie apart.
std::optional<Demand> sharedSectors(const Cost &C) {
  return isSharing(C) && C.Worst && !C.Worst->IsMadeUp
             ? Demand::of(C, C.Sectors, C.IdealSectors)
             : std::nullopt;
}

/// Consecutive lanes whose first address is not on a sector boundary: the one
/// sector more, of the access and of each sibling, belongs to the neighbouring
/// warp as well.
bool isMisaligned(const access::Kernel &K, const Access &A,
                  const SiteVerdict &V) {
  const auto &Worst = V.Shown->Worst;
  const auto Members = std::count_if(
      K.Accesses.begin(), K.Accesses.end(), [&A](const Access &B) {
        return A.Op == access::Operation::Load && A.Group && B.Group == A.Group;
      });
  return Worst && Worst->Stride && std::abs(*Worst->Stride) == A.Bytes &&
         V.Need.High - V.Need.Ideal <= std::max(1.0, double(Members));
}

/// What a misaligned start costs is a sector that is in L1 already, and it is
/// certain only when the base is. Where G_3 was tested and holds, consecutive
/// lanes need no alignment: that is its other half.
bool isWorthwhile(const access::Kernel &K, const Access &A,
                  const SiteVerdict &V, const profile::Profile &Device) {
  if (!isMisaligned(K, A, V))
    return true;
  const auto G = Device.Guidelines.find("G_3");
  if (G != Device.Guidelines.end() &&
      G->second.Says == profile::Guideline::Verdict::Holds)
    return false;
  const auto Known = Device.value(PriceInL1);
  const double Each = Known ? *Known : Device.value(Price).value_or(0);
  return V.Shown->State == Proof::Exact && !V.Assumed && V.extra() * Each >= 1;
}

/// The active lanes lie where all lanes would lie side by side: gaps are those
/// of lanes that do not take part.
bool hasGaps(const access::LanePattern &P, unsigned Bytes) {
  std::optional<int64_t> Start;
  unsigned Lanes = 0;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane) {
    if (!(P.ActiveMask >> Lane & 1))
      continue;
    const int64_t Here = P.Offsets[Lane] - int64_t(Lane) * Bytes;
    if (Start.value_or(Here) != Here)
      return false;
    Start = Here;
    ++Lanes;
  }
  return Lanes > 1;
}

/// Distance from lane to lane of a record, or nothing: lanes farther apart walk
/// along the wrong dimension.
std::optional<unsigned> recordBytes(const access::LanePattern &P,
                                    unsigned Bytes,
                                    const profile::RequestLaw &Law) {
  const auto Rows = findRows(P);
  const int64_t Step = std::abs(P.Stride.value_or(Rows ? Rows->Step : 0));
  if (P.IsStepMadeUp || Step <= Bytes || Step > int64_t(Law.LineBytes))
    return std::nullopt;
  return unsigned(Step);
}

/// Of the records of \p Bytes that a request of \p A and its siblings lead to,
/// the part that they use, as far as the siblings tell. A load of which they
/// are not known may use all; a store in a branch of its own writes no more
/// than it does.
double usedPart(const Access &A, const SiteVerdict &V, unsigned Bytes,
                const profile::RequestLaw &Law) {
  const Cost &C = *V.Shown;
  if (A.Op == access::Operation::Store)
    return C.SharedSectors && C.IdealSectors && *C.SharedSectors > 0
               ? std::min(1.0, *C.IdealSectors / *C.SharedSectors)
               : double(A.Bytes) / Bytes;
  if (!isSharing(C))
    return 1;
  // Siblings that lead to other records, of the next row, say, fill none.
  const access::GroupCost &All = *C.WithSiblings;
  const double Moved = double(Bytes) * access::WarpLanes / Law.SectorBytes;
  return std::min({1.0, V.Need.Ideal * All.Requests / Moved,
                   All.IdealSectors / All.Sectors});
}

/// What to do about lanes that lie \p Bytes apart, each at a record of its own
/// that is used up by and by. Another layout is not always the programmer's to
/// choose: pixels are packed as others want them. Of a record with a member
/// that is used alone the same sectors are moved as a whole.
std::string recordRemedy(const Access &A, const SiteVerdict &V, unsigned Bytes,
                         const profile::RequestLaw &Law) {
  // Three members of four, or two of three; what is moved and not used costs.
  constexpr double MostOfIt = 0.6, NearlyAll = 0.8;
  const bool IsAtomic = A.Op == access::Operation::Atomic;
  const double Used = usedPart(A, V, Bytes, Law);
  const bool IsVector =
      Bytes <= Law.VectorBytes && std::has_single_bit(Bytes) && !IsAtomic;
  std::string AsVector =
      fmt::format("{} the {} bytes of each lane as one vector",
                  access::nameOf(A.Op), Bytes);
  // A load that nobody shares its records with may be the only one of them.
  const bool IsAlone = A.Op == access::Operation::Load &&
                       !isSharing(*V.Shown) &&
                       V.Shown->Beside != Neighbour::OtherAccesses;
  if (IsVector && Used >= MostOfIt && !IsAlone)
    return AsVector;
  if (A.Of.isScalar())
    return fmt::format("store {} so that the elements of neighbouring lanes "
                       "lie side by side, or pass them through shared memory",
                       quotedObject(A));
  const bool CanBeStaged = !IsAtomic && Used >= NearlyAll;
  if (A.Of.IsLibrarys && !CanBeStaged)
    return "";
  // L1 merges what loads want of a sector, but not what is stored one by one.
  const bool IsTogether =
      A.Op == access::Operation::Store && Used >= 1.5 * A.Bytes / Bytes;
  // A window of records has edges, which nobody uses as a whole.
  const bool AreSeveral = A.Op == access::Operation::Load &&
                          isSharing(*V.Shown) &&
                          V.Shown->WithSiblings->Requests > 1.5;
  // Who wants a vector as a whole would load its parts one by one then.
  if (!CanBeStaged && IsVector && A.Op == access::Operation::Store)
    return fmt::format("{} where the rest of it is at hand, or keep what is "
                       "stored of {} in an array of its own",
                       AsVector, quotedObject(A));
  if (!CanBeStaged)
    return fmt::format("{}store the fields of {} separately (structure of "
                       "arrays){}",
                       IsVector && AreSeveral ? AsVector + ", or " : "",
                       quotedObject(A),
                       IsTogether ? ", or pass what is stored of each record "
                                    "through shared memory where others want "
                                    "records"
                                  : "");
  return fmt::format(
      "pass the records of {} through shared memory, so that the warp moves "
      "them side by side{}",
      quotedObject(A),
      A.Of.IsLibrarys ? ""
                      : ", or store their fields separately (structure of "
                        "arrays)");
}

/// Lanes that do not take part leave gaps that only accesses which serve them
/// can fill.
std::string gapsRemedy(const Access &A, const Cost &C) {
  if (C.Worst->ActiveMask != ~uint32_t(0) &&
      C.Beside != Neighbour::OtherAccesses)
    return "";
  return fmt::format("other accesses serve the lanes between: choose the "
                     "{} in the branch, and {} once after it",
                     A.Op == access::Operation::Load ? "element" : "value",
                     access::nameOf(A.Op));
}

/// What to do where nothing nearby uses the rest of the sectors, which is not
/// to say that nothing does. Nobody has neighbours to write together with.
std::string nobodysRemedy(const Access &A, const Cost &C,
                          std::optional<unsigned> Record) {
  const bool IsLoad = A.Op == access::Operation::Load;
  const std::string Object = quotedObject(A);
  if (Record && A.Of.IsLibrarys)
    return "";
  if (Record)
    return fmt::format("little else of these {} bytes is {} nearby: let a "
                       "thread {} all of them, or store what is {} of {} apart "
                       "from the rest",
                       *Record, IsLoad ? "loaded" : "written",
                       IsLoad ? "load and use" : "write",
                       IsLoad ? "used" : "written", Object);
  if (C.Worst->IsStepMadeUp) // what lies beside it nobody knows
    return fmt::format("let neighbouring lanes {} neighbouring elements of {}, "
                       "or keep what they {} side by side",
                       IsLoad ? "use" : "write", Object,
                       IsLoad ? "use of it" : "write");
  return IsLoad
             ? fmt::format("neither the block nor those beside it use the "
                           "rest of these sectors: let neighbouring lanes use "
                           "neighbouring elements of {}, or keep what is used "
                           "of it side by side",
                           Object)
             : fmt::format("neither the block nor those beside it write the "
                           "rest of these sectors: keep what they write of {} "
                           "side by side",
                           Object);
}

/// The real parts, or the imaginary ones, of complex numbers, which libraries
/// take and hand out as pairs.
bool isPartOfComplex(const Access &A) {
  return A.Of.Bytes == 2 * A.Bytes &&
         A.Of.Type.find("omplex") != std::string::npos;
}

/// What the programmer cannot lay out otherwise: a library's code that walks
/// over the library's own records, and the elements of a fragment, which the
/// tensor cores hand to the lanes as they do. What a request leaves of the
/// sectors of a fragment its other requests take from L1.
bool isGiven(const Access &A, const Cost &C) {
  if (A.Sort == Access::Kind::TensorCore)
    return C.Beside != Neighbour::Nobody;
  return (A.InLibrary && A.Of.IsLibrarys) || isPartOfComplex(A);
}

/// Bytes between neighbouring lanes, of a narrow block within its rows.
std::optional<int64_t> stepOf(const Cost &C) {
  if (!C.Worst)
    return std::nullopt;
  if (const auto Rows = findRows(*C.Worst))
    return Rows->Step;
  return C.Worst->Stride;
}

/// Whether the lanes lie apart and others, in the warp, the block or beside it,
/// use what lies between.
bool runsAcross(const Access &A, const Cost &C) {
  const auto Step = stepOf(C);
  return (C.Beside == Neighbour::OtherWarps ||
          C.Beside == Neighbour::OtherBlocks) &&
         Step && std::abs(*Step) > A.Bytes;
}

/// Whether each bit of the lane's number moves the address by a distance of its
/// own, a power of two: a bit reversal or a Z-order, which tiles can exchange.
bool isBitOrder(const access::LanePattern &P) {
  if (P.ActiveMask != ~uint32_t(0))
    return false;
  const auto distance = [&](unsigned Lane) {
    return P.Offsets[Lane] - P.Offsets[0];
  };
  for (unsigned Lane = 1; Lane != access::WarpLanes; ++Lane) {
    if (std::has_single_bit(Lane) &&
        (distance(Lane) <= 0 || !std::has_single_bit(uint64_t(distance(Lane)))))
      return false;
    const unsigned Lowest = Lane & -Lane;
    if (distance(Lane) != distance(Lowest) + distance(Lane - Lowest))
      return false;
  }
  return true;
}

/// Whether all accesses of a launch that lanes do not share run across, so that
/// one other order of the indices cures all. Two at least: one alone may be
/// half of a transpose through shared memory.
bool allRunAcross(const access::Kernel &K, unsigned Launch) {
  unsigned Across = 0;
  for (const Access &A : K.Accesses) {
    if (A.Memory != Space::Global)
      continue;
    for (const Cost &C : A.PerLaunch) {
      if (C.Launch != Launch)
        continue;
      if (runsAcross(A, C))
        ++Across;
      else if (stepOf(C) != 0)
        return false;
    }
  }
  return Across >= 2;
}

/// Whether \p B has neighbouring lanes side by side: the other order of the
/// indices would only move there what is wrong elsewhere.
bool runsAlong(const Access &B, unsigned Launch) {
  const Cost *C = access::costUnder(B, Launch);
  return B.Memory == Space::Global && C && C->Weight > 0 &&
         stepOf(*C) == int64_t(B.Bytes);
}

/// What to do about \p A, which runs across, where the other order of the
/// indices would spoil as much as it cures: its array is transposed, or others
/// lie along the warps. Empty where it would not.
std::string tilesRemedy(const access::Kernel &K, const Access &A,
                        const Cost &C) {
  /// What is executed less often is worth giving up.
  constexpr double AsOften = 0.25;
  bool IsTransposed = false, WouldSpoil = false;
  for (const Access &B : K.Accesses) {
    if (!runsAlong(B, C.Launch))
      continue;
    IsTransposed |= !A.Object.empty() && B.Object == A.Object;
    WouldSpoil |= costUnder(B, C.Launch)->Weight * B.Bytes >=
                  AsOften * C.Weight * A.Bytes;
  }
  if (!IsTransposed && !WouldSpoil)
    return "";
  return fmt::format("{}: pass tiles of it through shared memory, so that "
                     "neighbouring lanes {} neighbouring elements",
                     IsTransposed
                         ? fmt::format("{} is transposed", quotedObject(A))
                         : fmt::format("{} lies across the warps and other "
                                       "arrays along them",
                                       quotedObject(A)),
                     access::nameOf(A.Op));
}

constexpr std::string_view IndexOrder = "index order";
constexpr std::string_view BlockShape = "block shape";

/// What cures an access whose rows the block cuts short, and with it all others
/// of the kernel that it cuts.
std::string widerBlock(const Access &A) {
  return fmt::format(
      "make the block {} threads wide, so that a warp stays in one row of {}",
      access::WarpLanes, quotedObject(A));
}

/// What cures all accesses of such a launch.
std::string otherOrder(const access::Kernel &K, const launch::Shape &S) {
  // A scan over the block, say, goes along its threads.
  if (K.HasBarriers && S.Block[1] == 1 && S.Block[2] == 1)
    return "every array of this kernel lies across its warps, whose threads "
           "work together: bring tiles of them through shared memory";
  if (S.Block[0] == 1 && S.Block[1] >= access::WarpLanes)
    return fmt::format("every array of this kernel lies across its warps: make "
                       "the block {} threads wide instead of high",
                       S.Block[1]);
  return "every array of this kernel lies across its warps: let threadIdx.x "
         "run "
         "along their fastest dimension";
}

/// threadIdx.x and threadIdx.y swapped: in a block that is as wide as high each
/// thread does what its mirror image did, and the threads of a block all
/// together do the same.
std::optional<advice::Rewrite> swapIndices(const access::Kernel &K) {
  const ThreadIndices &Its = K.Threads;
  if (Its.X.empty() || Its.Y.empty())
    return std::nullopt;
  advice::Rewrite Fix;
  Fix.Title =
      fmt::format("swap threadIdx.x and threadIdx.y in '{}'", K.Template);
  Fix.Withheld = Its.Obstacle;
  for (const launch::Shape &S : K.Launches)
    if (Fix.Withheld.empty() && S.Source != launch::ShapeSource::Launch)
      Fix.Withheld = "not all of its launches are known";
    else if (Fix.Withheld.empty() && S.Block[0] != S.Block[1])
      Fix.Withheld = fmt::format("its blocks are {} wide and {} high: swap the "
                                 "axes of block and grid, too",
                                 S.Block[0], S.Block[1]);
  if (!Fix.Withheld.empty())
    return Fix;
  for (const Span &At : Its.X)
    Fix.Changes.push_back({At, "x", "y"});
  for (const Span &At : Its.Y)
    Fix.Changes.push_back({At, "y", "x"});
  return Fix;
}

/// Whether a wider block would put more of the same beside each row of lanes,
/// in its sectors: the elements lie side by side, or the row, with what other
/// accesses use between them, ends within one.
bool fillsSectors(const RowPattern &Rows, unsigned Bytes,
                  const profile::RequestLaw &Law) {
  const int64_t Step = std::abs(Rows.Step);
  return Step == int64_t(Bytes) ||
         (Step > int64_t(Bytes) &&
          Step * int64_t(Rows.Lanes) < int64_t(Law.SectorBytes));
}

/// What to do about the index that leads to \p Object, of which a lane uses
/// \p Bytes. Empty where nothing is known to help.
std::string indexRemedy(const Cost &C, const std::optional<RowPattern> &Rows,
                        unsigned Bytes, std::string_view Object) {
  switch (C.Beside) {
  case Neighbour::Unknown:
  case Neighbour::OtherAccesses:
    return fmt::format("let neighbouring lanes use neighbouring elements of "
                       "{}, pass it through shared memory, or keep what is "
                       "used of it side by side",
                       Object);
  case Neighbour::SameLanes:
    return fmt::format("{} by itself: let the lanes of a warp walk side by "
                       "side, or pass it through shared memory",
                       Rows && std::abs(Rows->Step) == Bytes
                           ? fmt::format("each row of {} lanes walks along {}",
                                         Rows->Lanes, Object)
                           : fmt::format("each lane walks along {}", Object));
  case Neighbour::OtherWarps:
    return fmt::format("other warps use the rest of these sectors: let "
                       "threadIdx.x run along the fastest dimension of {}, or "
                       "transpose it through shared memory",
                       Object);
  case Neighbour::OtherBlocks:
    return C.ActiveLanes >= access::WarpLanes / 2.0
               ? fmt::format("neighbouring blocks use the rest of these "
                             "sectors: let threadIdx.x run along the fastest "
                             "dimension of {}",
                             Object)
               : "";
  case Neighbour::Nobody:
    break;
  }
  return "";
}

/// One index may lead to elements of several arrays: whoever changes it changes
/// all of these accesses. Empty where \p Advice is about \p A alone.
std::string indexAsCause(const Access &A, const Cost &C,
                         std::string_view Advice) {
  const auto Rows = findRows(*C.Worst);
  if (Advice != indexRemedy(C, Rows, A.Bytes, quotedObject(A)))
    return "";
  std::string Key = indexRemedy(C, Rows, A.Bytes, "each");
  const unsigned Active = C.Worst->ActiveMask;
  const int64_t First = C.Worst->Offsets[std::countr_zero(Active)];
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (Active >> Lane & 1)
      Key += fmt::format(" {}", (C.Worst->Offsets[Lane] - First) / A.Bytes);
  return Key;
}

/// What to do about an access, by who uses the rest of its sectors. Empty where
/// nothing is known to help.
std::string remedy(const access::Kernel &K, const Access &A,
                   const SiteVerdict &V, const profile::RequestLaw &Law) {
  /// Another layout is a great deal of work for padding.
  constexpr double MinWasteOfLayout = 2;
  const Cost &C = *V.Shown;
  const std::string Object = quotedObject(A);
  if (!C.Worst || isGiven(A, C))
    return "";
  // The fields of a record that are added to one after the other: what that
  // costs has no price, and the record is seldom anybody's to take apart.
  if (A.Op == access::Operation::Atomic && C.Beside == Neighbour::OtherAccesses)
    return "";
  if (hasGaps(*C.Worst, A.Bytes))
    return gapsRemedy(A, C);
  const auto Rows = findRows(*C.Worst);
  if (!C.Worst->Stride && !Rows && C.Beside != Neighbour::SameLanes &&
      V.Need.asserted() >= MinWasteOfLayout * V.Need.Ideal &&
      isBitOrder(*C.Worst))
    return fmt::format("the bits of the lane's number are spread over the "
                       "index of {}: exchange tiles through shared memory, so "
                       "that neighbouring lanes {} neighbouring elements",
                       Object, access::nameOf(A.Op));
  // Lanes that lie anywhere stay there.
  if (!C.Worst->Stride && !Rows && C.Beside != Neighbour::SameLanes)
    return "";
  if (C.Beside == Neighbour::Nobody &&
      V.Need.asserted() < MinWasteOfLayout * V.Need.Ideal)
    return "";
  if (Rows && isNarrowBlock(K.Launches[C.Launch], *Rows) &&
      fillsSectors(*Rows, A.Bytes, Law))
    return widerBlock(A);
  if (isMisaligned(K, A, V))
    return fmt::format("start each row of {} at a multiple of {} bytes", Object,
                       Law.SectorBytes);
  if (runsAcross(A, C) && allRunAcross(K, C.Launch))
    return otherOrder(K, K.Launches[C.Launch]);
  if (runsAcross(A, C))
    if (std::string Tiles = tilesRemedy(K, A, C); !Tiles.empty())
      return Tiles;
  const auto Record = recordBytes(*C.Worst, A.Bytes, Law);
  if (C.Beside == Neighbour::Nobody)
    return nobodysRemedy(A, C, Record);
  const bool IsForOthers =
      C.Beside == Neighbour::OtherWarps || C.Beside == Neighbour::OtherBlocks;
  // Lanes so near each other run along the rows as they should.
  const bool IsNear = Record && *Record < Law.SectorBytes;
  return Record && (IsNear || !IsForOthers)
             ? recordRemedy(A, V, *Record, Law)
             : indexRemedy(C, Rows, A.Bytes, Object);
}

/// Of the lanes that take part, the share that is left if of those with one
/// address one counts.
double distinctShare(const Cost &C) {
  if (!C.Worst || C.Worst->ActiveMask == 0)
    return 1;
  std::set<int64_t> Addresses;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (C.Worst->ActiveMask >> Lane & 1)
      Addresses.insert(C.Worst->Offsets[Lane]);
  return double(Addresses.size()) / std::popcount(C.Worst->ActiveMask);
}

/// Sectors that what the lanes want would fill, each address once.
double idealSectors(const SiteVerdict &V) {
  const double Share = distinctShare(*V.Shown);
  return Share < 1 ? std::max(1.0, V.Need.Ideal * Share) : V.Need.Ideal;
}

/// Bytes of the sectors that a request takes and does not use. The ideal ones
/// need not be full either.
double unusedBytes(const Access &A, const SiteVerdict &V,
                   const profile::RequestLaw &Law) {
  const double Sector = Law.SectorBytes;
  return V.Need.asserted() * Sector -
         std::min(V.Need.Ideal * Sector, V.Shown->ActiveLanes * A.Bytes) *
             distinctShare(*V.Shown);
}

/// "20 sectors per request (ideal 4), 512 of their bytes unused by it" and,
/// where siblings were counted, what they take together.
std::string demandText(const Access &A, const SiteVerdict &V,
                       const profile::RequestLaw &Law) {
  const Cost &C = *V.Shown;
  const auto Alone = Demand::of(C, C.Sectors, C.IdealSectors);
  if (!Alone || !isSharing(C) || C.WithSiblings->Requests <= 1)
    return fmt::format("{} (ideal {}), {:.0f} of their bytes unused by it",
                       perRequest(V, "sector"), number(idealSectors(V)),
                       unusedBytes(A, V, Law));
  const access::GroupCost &All = *C.WithSiblings;
  SiteVerdict Own = V;
  Own.Need = *Alone;
  // How many requests there are hangs on rounds that nobody knows, or differs
  // from round to round.
  const bool IsMean = std::abs(All.Requests - std::round(All.Requests)) > 0.01;
  if (!areRoundsKnown(A) || (A.LoopDepth > 0 && IsMean))
    return fmt::format("{} (ideal {}); together with the requests that share "
                       "its sectors {} times the ideal",
                       perRequest(Own, "sector"), number(Own.Need.Ideal),
                       estimated(V.Need.asserted() / V.Need.Ideal));
  const auto text = [&](double Value) {
    return V.Need.IsLikely ? estimated(Value) : number(Value);
  };
  return fmt::format(
      "{} (ideal {}); {} requests together take {}{} (ideal {}), {:.0f} of "
      "their bytes unused by them",
      perRequest(Own, "sector"), number(Own.Need.Ideal), text(All.Requests),
      C.State == access::Proof::Exact ? "" : "about ",
      text(V.Need.asserted() * All.Rounds), text(V.Need.Ideal * All.Rounds),
      V.extra() * All.Rounds * Law.SectorBytes);
}

/// Whether the lanes lie where data say that --buffer has given, with neither a
/// distance from lane to lane nor rows of them: no other layout helps, and what
/// order would the gather rule says.
bool isScatteredByData(const Cost &C) {
  return C.IsIndexed && C.Worst && areScattered(*C.Worst);
}

/// Whether \p A stores where an atomic told each lane to, as where what passes
/// a test is put together: the lanes that pass come in that order anyhow, and
/// what they wait for is the atomic.
bool isHandedOut(const access::Kernel &K, const Access &A, const Cost &C) {
  constexpr double AsOften = 1.01;
  return A.Op == access::Operation::Store && C.DataDecides &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(),
                     [&](const Access &B) {
                       const Cost *Its = costUnder(B, C.Launch);
                       return B.Op == access::Operation::Atomic &&
                              B.IsAnswerUsed && Its && Its->Weight > 0 &&
                              Its->Weight < AsOften * C.Weight &&
                              C.Weight < AsOften * Its->Weight;
                     });
}

class UncoalescedAccess : public Rule {
  std::string quietOn(const profile::Profile &Device) const override {
    return refutedBy(Device, "G_3");
  }

  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const profile::RequestLaw Law = profile::requestLaw(Device).Law;
    const Threshold Worth{MinWaste, unitsWorthACycle(Device, Price)};
    std::set<unsigned> Reported;
    for (const Access &A : Kernel.Accesses) {
      if (A.Memory != Space::Global || (A.Group && Reported.count(*A.Group)))
        continue;
      auto V = judge(Kernel, A, sectors, Worth);
      const bool IsShared = !V && A.Op == access::Operation::Load;
      if (IsShared)
        V = judge(Kernel, A, sharedSectors, {MinSharedWaste, Worth.MinExtra});
      if (!V || !isWorthwhile(Kernel, A, *V, Device) ||
          isHandedOut(Kernel, A, *V->Shown) || isScatteredByData(*V->Shown))
        continue;
      // What has no price has to be certain.
      if (A.Op == access::Operation::Atomic &&
          V->Need.Low < MinWaste * V->Need.Ideal)
        continue;
      std::string Advice = remedy(Kernel, A, *V, Law);
      if (Advice.empty())
        continue;
      // Loads are judged with their siblings, stores by themselves.
      if (A.Group && A.Op == access::Operation::Load)
        Reported.insert(*A.Group);
      auto F = describe(Kernel, A, *V, Device, Law);
      if (IsShared)
        sayItIsShared(F, A, *V);
      const bool IsOrder =
          Advice == otherOrder(Kernel, Kernel.Launches[V->Shown->Launch]);
      const bool IsShape = Advice == widerBlock(A);
      std::string Index = indexAsCause(A, *V->Shown, Advice);
      setRemedy(F, A, std::move(Advice));
      if (!Index.empty())
        F.Cause = std::move(Index);
      if (IsOrder)
        F.Cause = IndexOrder;
      if (IsShape)
        F.Cause = BlockShape;
      // Elsewhere it may help as well, which a trial shows: in a product of
      // matrices one of them lies across, another is walked along.
      F.Fix = swapIndices(Kernel);
      if (!IsOrder && F.Fix && !F.Fix->isOffered())
        F.Fix.reset();
      Report(std::move(F), repairOf(Kernel, A, *V));
    }
  }

  /// Each lane walks along a row and only adds up: a warp may share out the
  /// rounds of each of them, and has a few left.
  static bool isWalkToShare(const Access &A, const Cost &C) {
    constexpr double LeastRounds = 2;
    return C.Beside == Neighbour::SameLanes && A.RoundsAddUp &&
           C.RoundsPerEntry >= LeastRounds * access::WarpLanes;
  }

  /// The access, and of a load those of its group, each with the sectors that
  /// its own bytes would fill. How atomics meet in L2 hangs on more than their
  /// sectors, so nothing is promised for them.
  static Cure repairOf(const access::Kernel &Kernel, const Access &A,
                       const SiteVerdict &V) {
    Cure Result{V.Shown->Launch, {}, {}};
    if (A.Op == access::Operation::Atomic)
      return Result;
    for (size_t N = 0; N != Kernel.Accesses.size(); ++N) {
      const Access &Other = Kernel.Accesses[N];
      if (&Other != &A && (A.Op != access::Operation::Load || !A.Group ||
                           Other.Group != A.Group))
        continue;
      for (const Cost &C : Other.PerLaunch)
        if (C.Launch == V.Shown->Launch && C.IdealSectors)
          Result.Repairs.push_back({.Access = N, .Sectors = C.IdealSectors});
    }
    if (isWalkToShare(A, *V.Shown))
      Result.Shape = price::Reshape{.Parts = access::WarpLanes};
    return Result;
  }

  static advice::Finding describe(const access::Kernel &Kernel, const Access &A,
                                  const SiteVerdict &V,
                                  const profile::Profile &Device,
                                  const profile::RequestLaw &Law) {
    auto F = startFinding(Kernel, A, V, Device, Price);
    F.Guidelines = {"G_3"};
    F.PerRequest = needOf(V, "sectors");
    F.ExtraBytes = V.extra() * Law.SectorBytes;
    F.Message =
        fmt::format("global {} {}: {}", access::nameOf(A.Op),
                    isMisaligned(Kernel, A, V) ? "starts off a sector boundary"
                                               : "is uncoalesced",
                    demandText(A, V, Law));
    if (V.Shown->Worst)
      addNote(F,
              fmt::format("in the costliest request of {}, {}", quotedObject(A),
                          describeLanes(*V.Shown->Worst, A.Bytes)));
    if (A.Op == access::Operation::Load && A.Group && isSharing(*V.Shown))
      addSiblings(F, Kernel, A);
    addLaunchNote(F, Kernel, V);
    addEvidenceNote(F, Device, Price);
    return F;
  }

  /// How many requests come to a sector, of those that share some: the members
  /// of a record larger than a sector lie in several.
  static double sharers(const Cost &C) {
    const access::GroupCost &All = *C.WithSiblings;
    return std::max(2.0, std::round(*C.Sectors * All.Requests /
                                    std::max(1.0, All.Sectors * All.Rounds)));
  }

  /// Siblings use what each of them leaves: no byte is moved for nobody.
  static void sayItIsShared(advice::Finding &F, const Access &A,
                            const SiteVerdict &V) {
    F.OnlyByGain = true;
    dropCost(F);
    F.Message = fmt::format(
        "global {} is uncoalesced: {} (ideal {}), which L1 looks up one by "
        "one for each of the {} requests that share them",
        access::nameOf(A.Op), perRequest(V, "sector"), number(V.Need.Ideal),
        number(sharers(*V.Shown)));
  }

  /// The loads that are counted together with \p A.
  static void addSiblings(advice::Finding &F, const access::Kernel &Kernel,
                          const Access &A) {
    std::set<access::Place> Elsewhere;
    unsigned Here = 0; // the members of a vector, say
    for (const Access &Other : Kernel.Accesses)
      if (Other.Group == A.Group) {
        if (Other.Where == A.Where)
          ++Here;
        else
          Elsewhere.insert(Other.Where);
      }
    if (Here > 1)
      addNote(F,
              fmt::format("{} loads at this place are counted together", Here));
    for (const access::Place &Where : Elsewhere)
      F.Notes.push_back({Where, "counted together with this access"});
  }
};

REGISTER_RULE(UncoalescedAccess);

} // namespace
