//===- SiteCosts.cpp - From the sums over an access to its cost -----------===//

#include "analyzer/evaluate/SiteCosts.h"

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/Tally.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/evaluate/proof/Proof.h"
#include "profiler/warp/Expectation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <set>

namespace warpwise::access {
namespace {

std::string describeOrigin(uint32_t From) {
  if (From & OriginMemory)
    return "the address is computed from values loaded from memory";
  if (From & OriginAtomic)
    return "the address is computed from the result of an atomic operation";
  if (From & OriginExchange)
    return "the address is computed from values of other lanes that are not "
           "known";
  if (From & OriginPrivate)
    return "the address is computed from a private array whose contents are "
           "not known";
  if (From & OriginAssembly)
    return "the address is computed in inline assembly";
  if (From & OriginCall)
    return "the address is computed by a function that cannot be evaluated";
  if (From & OriginUndefined)
    return "the address is computed from a variable that need not be assigned";
  if (From & OriginFloat)
    return "the address is computed in floating point";
  return "the address is not known";
}

/// What an address that only indices make unknown may rest on.
constexpr uint32_t FromIndices = OriginMemory | OriginIndexed | OriginApart |
                                 OriginAssumed | OriginLoadedByAll |
                                 OriginPointer | OriginAssumedStep |
                                 OriginRound | OriginRoundStep;

/// Of random indices: in the nearer half of the way to twice the least.
constexpr double RarelyMeet = 1.5;

/// Of how many neighbouring lanes it is known that they share what is not known
/// of their addresses.
static unsigned sharedWidth(uint32_t From) {
  unsigned Width = 1;
  for (uint32_t Apart = OriginApart2; Width != WarpLanes && !(From & Apart);
       Apart <<= 1)
    Width *= 2;
  return Width;
}

/// What is known of the pointer argument that \p S goes through; null where it
/// goes through none.
static const launch::Argument *argumentOf(const LaunchPlan &Plan,
                                          const Site &S) {
  const auto *Pointer = llvm::dyn_cast_or_null<llvm::Argument>(S.Object);
  return Pointer && Pointer->getArgNo() < Plan.Arguments.size()
             ? &Plan.Arguments[Pointer->getArgNo()]
             : nullptr;
}

/// Bytes of the small allocation that \p S stays in, if it is one.
static std::optional<uint64_t> tableBytes(const LaunchPlan &Plan,
                                          const Site &S) {
  const launch::Argument *Its = argumentOf(Plan, S);
  return S.IsWithinObject && Its ? Its->TableBytes : std::nullopt;
}

/// Bytes of what \p S goes to, likely.
static std::optional<uint64_t>
bytesOfObject(const Program &Code, const LaunchPlan &Plan, const Site &S) {
  if (llvm::isa_and_nonnull<llvm::Argument>(S.Object)) {
    const launch::Argument *Its = argumentOf(Plan, S);
    return Its ? Its->AllocationBytes : std::nullopt;
  }
  const auto Known = Code.ObjectBytes.find(S.Object);
  return Known != Code.ObjectBytes.end() && Known->second != 0
             ? std::optional<uint64_t>(Known->second)
             : std::nullopt;
}

/// The most that a request of \p S can cost, as a program that leaves what is
/// behind its pointer has no meaning; nothing when that may be of any size.
static std::optional<double> mostWithin(const Program &Code,
                                        const LaunchPlan &Plan,
                                        const profile::RequestLaw &Law,
                                        const Site &S) {
  if (S.Memory == Space::Global) {
    const std::optional<uint64_t> Bytes = tableBytes(Plan, S);
    return Bytes ? std::optional(std::ceil(double(*Bytes) / Law.SectorBytes))
                 : std::nullopt;
  }
  // Lanes with the same word take turns in an atomic operation.
  const auto *Array = llvm::dyn_cast_or_null<llvm::GlobalVariable>(S.Object);
  if (S.Memory != Space::Shared || !S.IsWithinObject || !Array ||
      S.Op == Operation::Atomic || S.Serialises || S.IsEmulated)
    return std::nullopt;
  const std::optional<uint64_t> Bytes = bytesOfObject(Code, Plan, S);
  if (!Bytes)
    return std::nullopt; // extern, as large as the launch wants it
  const bool IsAligned = Array->getAlign().valueOrOne() >= Law.BankBytes;
  const uint64_t Words =
      (*Bytes + Law.BankBytes - 1) / Law.BankBytes + !IsAligned;
  const unsigned Phases = WarpLanes / Law.lanesOfPass(S.Bytes);
  return Phases * std::ceil(double(Words) / Law.Banks);
}

/// Judges one access.
class SiteJudge {
  const LaunchEvidence &Known;
  const uint32_t N;
  const Program &Code = Known.Code;
  const LaunchPlan &Plan = Known.Plan;
  const profile::RequestLaw &Law = Known.Law;
  const Site &S = Code.Sites[N];
  const SiteTally &T = Known.Main.site(N);
  const proof::SiteProof &Proven = Known.Proven.Sites[N];

public:
  SiteJudge(const LaunchEvidence &Known, uint32_t Number)
      : Known(Known), N(Number) {}

  /// The likely numbers may not reach it, and bounds that are wide are narrowed
  /// by what is likely.
  bool asksForOthers() const {
    return T.Evaluated == 0 || !(Proven.isPoint() || isBounded()) ||
           (T.AssumedStep && !isStepProven());
  }

  SiteResult result() const {
    const Tally &Main = Known.Main;
    SiteResult Result;
    if (T.Evaluated == 0)
      return Result;
    Result.Group = Main.siblings().groupOf(N);
    Result.Slides = Main.siblings().slides(N);
    // A product of made-up numbers may be 0 of 2^32.
    Result.Repeats = Main.siblings().repeats(N);
    for (const Tally &Other : Known.Others)
      if (Other.site(N).Evaluated > 0)
        Result.Repeats = std::min(Result.Repeats, Other.siblings().repeats(N));
    if (!Known.Seen.Truncated && T.Warps > 0)
      Result.Trips = uint64_t(std::llround(T.Requests / T.Warps));
    Cost C;
    C.Requests = T.Evaluated;
    C.Weight = T.Requests;
    C.PerWarp = T.Warps > 0 ? T.Requests / T.Warps : 0;
    C.ActiveLanes = T.Lanes / T.Requests;
    C.ObjectBytes = bytesOfObject(Code, Plan, S);
    if (const launch::Argument *Its = argumentOf(Plan, S)) {
      C.IsScratch = Its->IsScratch;
      C.IsShared = Its->IsShared;
      C.IsElsewhere = Its->IsElsewhere;
    }
    C.First = {T.FirstWarp, T.FirstMask};
    C.IsIndexed = T.Indexed && !(T.UnknownFrom & ~FromIndices);
    C.DataDecides = T.SpeculativeRequests > 0;
    if (T.UnknownRequests > 0) {
      C.State = Proof::DataDependent;
      C.Reason = describeOrigin(T.UnknownFrom);
      if (T.UnknownRequests >= T.Requests) {
        expect(1, C);
        if (C.State == Proof::DataDependent)
          trustRows(C);
        Result.Value = C;
        return Result;
      }
    }
    takeMeans(C);
    if (C.Worst && C.Worst->IsStepMadeUp)
      Result.StepFactors = stepFactors();
    if (C.State == Proof::DataDependent)
      expect(T.UnknownRequests / T.Requests, C);
    else
      judge(C);
    if (S.IsEmulated && Law.lanesOfPass(S.Bytes) < WarpLanes &&
        (C.State == Proof::Exact || C.State == Proof::Bounded)) {
      // Which phases still have lanes left is up to the other warps, too.
      C.State = Proof::Estimated;
      C.Reason = "nvcc makes a loop of this atomic, and one round of it is "
                 "listed";
      C.Low = C.Low ? C.Low : headlineOf(C);
      C.High = C.High ? C.High : headlineOf(C);
    }
    Result.Value = C;
    return Result;
  }

private:
  /// What the requests whose addresses are known cost, of which there are some.
  void takeMeans(Cost &C) const {
    const double Requests = T.Requests - T.UnknownRequests;
    const auto mean = [Requests](double Sum) {
      return Sum > 0 ? std::optional(Sum / Requests) : std::nullopt;
    };
    C.Lines = T.Lines / Requests;
    C.LinePasses = T.LinePasses / Requests;
    C.Sectors = mean(T.Sectors);
    C.IdealSectors = mean(T.IdealSectors);
    C.Wavefronts = mean(T.Wavefronts);
    C.IdealWavefronts = mean(T.IdealWavefronts);
    C.ConflictFreeWavefronts = mean(T.ConflictFreeWavefronts);
    C.JoinedWavefronts = mean(T.JoinedWavefronts);
    C.Words = mean(T.Words);
    C.SwapRounds = mean(T.SwapRounds);
    const SiblingSums &Group = Known.Main.siblings().of(N);
    // L1 keeps what a load leaves of a sector for the next; it sends each store
    // on by itself.
    if (Group.Requests > 0 && S.Op == Operation::Load)
      C.WithSiblings = {.Sectors = Group.Sectors / Group.Requests,
                        .IdealSectors = Group.IdealSectors / Group.Requests,
                        .Rounds = Group.Requests / Group.Rounds,
                        .Requests = Group.Different / Group.Rounds};
    else if (C.IdealSectors)
      C.WithSiblings = {.Sectors = C.Sectors.value_or(0),
                        .IdealSectors = *C.IdealSectors};
    if (Group.Joined > 0)
      C.SharedSectors = Group.Sectors / Group.Joined;
    if (T.WorstCost > 0) {
      C.Worst = T.Worst;
      C.Worst->StepVaries = S.LoopDepth > 0 && T.RoundStep;
      C.Worst->IsMadeUp = T.AssumedStep;
      C.Worst->IsStepMadeUp =
          C.Worst->IsMadeUp && !isStepProven() && !stepIsCommon();
    }
    if (S.LoopDepth > 0 && T.LeastCost < T.WorstCost) {
      C.Least = T.LeastCost;
      C.Most = T.WorstCost;
      if (const auto Most = mostWithin(Code, Plan, Law, S)) {
        C.Least = std::min(*C.Least, *Most);
        C.Most = std::min(*C.Most, *Most);
      }
    }
  }

  /// Bytes from the first active lane to the next one.
  static std::optional<int64_t> firstStep(const LanePattern &P) {
    std::optional<unsigned> First;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      if (P.ActiveMask >> Lane & 1) {
        if (First)
          return Lane == *First + 1
                     ? std::optional(int64_t(uint64_t(P.Offsets[Lane]) -
                                             uint64_t(P.Offsets[*First])))
                     : std::nullopt;
        First = Lane;
      }
    return std::nullopt;
  }

  /// Whether an interval says enough to be called a bound.
  static bool isNarrow(double Low, double High) { return High <= 2 * Low; }

  /// What is proven is as good as a number.
  bool isBounded() const {
    return Proven.Holds && isNarrow(Proven.Low, Proven.High);
  }

  /// Whether the first two active lanes move together whatever moves.
  bool isStepProven() const {
    return Proven.Holds && !Proven.IsScattered && T.Worst.ActiveMask != 0 &&
           !(Proven.Apart >> std::countr_zero(T.Worst.ActiveMask) & 1);
  }

  /// Whether neighbouring lanes lie equally far apart whatever numbers stand in
  /// for what is not known.
  bool stepIsCommon() const {
    const auto Step = firstStep(T.Worst);
    return Step && !Known.Others.empty() &&
           llvm::all_of(Known.Others, [&](const Tally &Other) {
             return firstStep(Other.site(N).Worst) == Step;
           });
  }

  /// What nobody knows of the distance between lanes, if it is taken to be
  /// large.
  std::vector<const llvm::Value *> stepFactors() const {
    constexpr int64_t Large = 256; // bytes; records are hardly as long
    std::vector<const llvm::Value *> Found;
    if (const auto Step = firstStep(T.Worst); Step && std::abs(*Step) < Large)
      return Found;
    for (const llvm::Value *Its : S.LaneStrides)
      if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Its)) {
        if (const auto *Variable = llvm::dyn_cast<llvm::GlobalVariable>(
                Load->getPointerOperand()->stripPointerCasts()))
          Found.push_back(Variable);
      } else if (!numberOf(Its)) {
        Found.push_back(Its);
      }
    return Found;
  }

  /// Nobody says which index runs along memory: the launch would, if one of
  /// their strides is 1. Or how long a step is, see shortSteps().
  bool isLayoutOpen() const {
    return (!S.OpenStrides.empty() &&
            llvm::none_of(S.OpenStrides,
                          [&](const llvm::Value *Stride) {
                            return numberOf(Stride) == 1;
                          })) ||
           llvm::any_of(S.ShortSteps, [&](const llvm::Value *Step) {
             return !numberOf(Step);
           });
  }

  /// What the launch gives for an argument or a member of one.
  std::optional<int64_t> numberOf(const llvm::Value *Given) const {
    const auto argument =
        [&](const llvm::Value *V) -> const launch::Argument * {
      const auto *A = llvm::dyn_cast<llvm::Argument>(V);
      return A && A->getArgNo() < Plan.Arguments.size()
                 ? &Plan.Arguments[A->getArgNo()]
                 : nullptr;
    };
    if (const launch::Argument *Its = argument(Given))
      return Its->Integer;
    const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Given);
    if (!Load)
      return std::nullopt;
    const llvm::DataLayout &Layout = Load->getModule()->getDataLayout();
    int64_t Offset = 0;
    const launch::Argument *Its = argument(GetPointerBaseWithConstantOffset(
        Load->getPointerOperand(), Offset, Layout));
    if (Its)
      for (const launch::Argument::Member &M : Its->Members)
        if (int64_t(M.Offset) == Offset && !M.IsPointer &&
            M.Bytes == Layout.getTypeStoreSize(Load->getType()))
          return M.Value;
    return std::nullopt;
  }

  /// Bytes of what is behind \p S, if that has a known size.
  std::optional<uint64_t> objectBytes() const {
    if (const std::optional<uint64_t> Table = tableBytes(Plan, S))
      return Table;
    const auto Known = Code.ObjectBytes.find(S.Object);
    if (!llvm::isa_and_nonnull<llvm::GlobalVariable>(S.Object) ||
        Known == Code.ObjectBytes.end())
      return std::nullopt;
    const uint64_t Bytes = Known->second;
    // extern __shared__ T x[]: what the launch asks for.
    const uint64_t Given = Bytes ? Bytes : Plan.Shape.DynamicSharedBytes;
    return Given ? std::optional(Given) : std::nullopt;
  }

  warp::RandomRequest randomRequest(uint32_t Active, unsigned Width) const {
    warp::RandomRequest R;
    R.Groups = warp::neighbourGroups(Active, Width);
    R.Bytes = S.Bytes;
    R.Stride = uint64_t(Width) * S.Bytes;
    // "Matrices[9 * Index[i] + 3]" has a ninth as many places as words.
    if (Width == 1 && S.At.From == S.Object && S.At.Bytes > 0)
      R.Stride = std::max(R.Stride, uint64_t(S.At.Bytes));
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      R.Offsets[Lane] = Lane % Width * S.Bytes;
    R.ObjectBytes = objectBytes();
    if (S.At.ArrayBytes && S.At.From == S.Object)
      R.ObjectBytes =
          std::min(R.ObjectBytes.value_or(S.At.ArrayBytes), S.At.ArrayBytes);
    return R;
  }

  /// What a request of \p S by the lanes of \p Active costs if its indices are
  /// random, and \p Width neighbouring lanes have the same. From there they are
  /// taken to go on side by side.
  warp::Expectation expectRandom(uint32_t Active, unsigned Width) const {
    const warp::RandomRequest R = randomRequest(Active, Width);
    switch (S.Memory) {
    case Space::Shared:
      if (S.IsEmulated) {
        // Its passes do not depend on where lanes go, but for how long each
        // phase has lanes left.
        warp::LaneAddresses Apart{};
        for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
          Apart[Lane] = uint64_t(Lane) * S.Bytes;
        const unsigned All =
            warp::swapLoop(Law, Apart, Active, S.Bytes).wavefrontsOfRound();
        return {.Expected = double(All), .Low = 1, .High = double(All)};
      }
      return warp::expectWavefronts(Law, R,
                                    S.Serialises ? warp::SharedOperation::Atomic
                                    : S.Op == Operation::Store
                                        ? warp::SharedOperation::Store
                                        : warp::SharedOperation::Load);
    case Space::Constant:
      return warp::expectWords(Law, R);
    default:
      return warp::expectSectors(Law, R);
    }
  }

  /// A load of so many bytes of an element of an array, so far from where it
  /// begins.
  struct Part {
    const llvm::Value *Array = nullptr, *Index = nullptr;
    uint64_t Element = 1; ///< bytes from one to the next
    uint64_t Offset = 0;  ///< may be less than 0, as it is without sign
    unsigned Bytes = 0;

    bool isBeside(const Part &Other) const {
      return Array == Other.Array && Index == Other.Index;
    }
  };

  static Part partOf(const Site &Of) {
    using namespace llvm::PatternMatch;
    const llvm::DataLayout &Layout =
        Of.Instruction->getModule()->getDataLayout();
    Part P;
    P.Bytes = Of.Bytes;
    P.Array = llvm::getLoadStorePointerOperand(Of.Instruction);
    if (!P.Array)
      return P;
    llvm::APInt Offset(Layout.getIndexTypeSizeInBits(P.Array->getType()), 0);
    P.Array = P.Array->stripAndAccumulateConstantOffsets(
        Layout, Offset, /*AllowNonInbounds=*/true);
    P.Offset = uint64_t(Offset.getSExtValue());
    const auto *Address = llvm::dyn_cast<llvm::GetElementPtrInst>(P.Array);
    if (!Address || Address->getNumIndices() != 1 ||
        Address->getOperand(1)->getType()->getScalarSizeInBits() > 64)
      return P;
    P.Array = Address->getPointerOperand();
    P.Element = Layout.getTypeAllocSize(Address->getSourceElementType());
    P.Index = Address->getOperand(1);
    llvm::Value *Inner = nullptr;
    const llvm::APInt *By = nullptr;
    while (match(P.Index, m_ZExtOrSExt(m_Value(Inner))) ||
           match(P.Index, m_AddLike(m_Value(Inner), m_APInt(By)))) {
      if (By)
        P.Offset += uint64_t(By->getSExtValue()) * P.Element;
      P.Index = Inner;
      By = nullptr;
    }
    if (match(P.Index, m_Mul(m_Value(), m_APInt(By))))
      P.Element *= By->getZExtValue();
    else if (match(P.Index, m_Shl(m_Value(), m_APInt(By))))
      P.Element <<= By->getLimitedValue(63);
    return P;
  }

  /// Sectors that \p Parts of an element touch together, \p At bytes into one.
  double sectorsOf(llvm::ArrayRef<Part> Parts, uint64_t At) const {
    std::set<uint64_t> Touched;
    for (const Part &P : Parts)
      for (unsigned Byte = 0; Byte != P.Bytes; ++Byte)
        Touched.insert((At + P.Offset + Byte) / Law.SectorBytes);
    return double(Touched.size());
  }

  /// Loads of members whose structure data choose: what one of them brings to
  /// L1 is there for all.
  struct Members {
    double Share = 1;    ///< of the sectors that they ask for, those that
                         ///< the others leave to each
    double OfRecord = 0; ///< sectors of the structure that they want
  };
  Members membersBeside() const {
    const Part Own = partOf(S);
    llvm::SmallVector<Part, 4> Parts;
    for (const Site &Other : Code.Sites)
      if (Other.Op == Operation::Load && Other.Memory == S.Memory &&
          Other.Instruction->getParent() == S.Instruction->getParent())
        if (const Part P = partOf(Other); Own.Index && P.isBeside(Own))
          Parts.push_back(P);
    if (Parts.size() < 2)
      return {};
    unsigned Places = 0;
    double Together = 0, Alone = 0;
    uint64_t At = 0;
    do {
      Together += sectorsOf(Parts, At);
      for (const Part &P : Parts)
        Alone += sectorsOf(P, At);
      ++Places;
      At = (At + Own.Element) % Law.SectorBytes;
    } while (At != 0);
    return {Together / Alone, Together / Places};
  }

  /// Lines of a table in constant memory that a request for random elements
  /// does not find in the first level of its caches.
  double lostLines(uint32_t Active, unsigned Width) const {
    const warp::RandomRequest R = randomRequest(Active, Width);
    const double Room = double(Law.ConstantLines) * Law.ConstantLineBytes;
    if (!R.ObjectBytes || *R.ObjectBytes <= Room)
      return 0;
    profile::RequestLaw OfLines = Law;
    OfLines.SectorBytes = Law.ConstantLineBytes;
    return warp::expectSectors(OfLines, R).Expected *
           (1 - Room / double(*R.ObjectBytes));
  }

  /// Mixes into \p C what the requests cost, a \p Share of all, whose addresses
  /// come from memory: the expectation for random indices, within what is
  /// possible at all.
  void expect(double Share, Cost &C) const {
    // The lanes that the run came to may be fewer than take part.
    if (Proven.Holds && Proven.LanesVary)
      C.ActiveLanes = std::max(C.ActiveLanes, Proven.LanesFull);
    const unsigned Lanes = std::clamp<unsigned>(
        unsigned(std::lround(C.ActiveLanes)), 1, WarpLanes);
    const uint32_t Active = Lanes == WarpLanes ? ~0u : (1u << Lanes) - 1;
    const unsigned Width = sharedWidth(T.UnknownFrom);
    const warp::Expectation E = expectRandom(Active, Width);
    const auto mean = [&](double Seen, double Random) {
      return (1 - Share) * Seen + Share * Random;
    };
    const auto mix = [&](std::optional<double> &Mean, double Random) {
      Mean = mean(Mean.value_or(0), Random);
    };
    const double Bytes = double(Lanes) * S.Bytes;
    if (S.Memory == Space::Shared)
      mix(C.IdealWavefronts,
          S.Op == Operation::Atomic ? 1 : std::ceil(Bytes / Law.passBytes()));
    else if (S.Memory != Space::Constant)
      mix(C.IdealSectors, std::ceil(Bytes / Law.SectorBytes));
    std::optional<double> &Number = headlineOf(C);
    mix(Number, E.Expected);
    C.Low = Proven.Holds ? Proven.Low : 1;
    // How far apart lanes with the same index lie nobody has looked at.
    C.High = Proven.Holds ? Proven.High : expectRandom(Active, 1).High;
    // A table has no more words than places, however many lanes there are.
    if (S.Memory == Space::Constant) {
      if (const auto Places = randomRequest(Active, 1).elements())
        C.High = std::min(*C.High, double(*Places) * S.Bytes /
                                       Law.constantBytes(S.Bytes));
      C.Reach = Footprint{.LostLines = Share * lostLines(Active, Width)};
    }
    assert(*C.Low <= *C.High && "an empty interval");
    Number = std::clamp(*Number, *C.Low, *C.High);
    if (S.Memory == Space::Global) {
      const warp::RandomRequest R = randomRequest(Active, Width);
      profile::RequestLaw OfLines = Law;
      OfLines.SectorBytes = Law.LineBytes;
      C.Lines = std::min(
          mean(C.Lines, warp::expectSectors(OfLines, R).Expected), *Number);
      C.LinePasses = std::min(
          mean(C.LinePasses,
               warp::expectWavefronts(Law, R, warp::SharedOperation::Load)
                   .Expected),
          *Number);
    }
    if (S.Memory == Space::Global && S.Op == Operation::Load && Share == 1) {
      const Members Its = membersBeside();
      C.SharedSectors = *Number * Its.Share;
      C.RecordSectors = Its.OfRecord;
    }
    if (S.IsEmulated)
      mix(C.SwapRounds,
          warp::expectSwapRounds(Law, randomRequest(Active, Width)));
    // Lanes that read the same need it once.
    if (std::optional<double> &Ideal = idealOf(C))
      Ideal = std::min(*Ideal, *Number);
    if (Proven.isPoint()) {
      // The data does not matter after all.
      C.State = Proof::Exact;
      C.Reason.clear();
      C.Low = C.High = std::nullopt;
    } else if (isBounded()) {
      C.State = Proof::Bounded;
    } else if (Lanes > 1 && S.Op != Operation::Atomic &&
               *Number <= RarelyMeet * *C.Low) {
      // A single lane is seldom what there is: the likely numbers kept others
      // out. Atomics on one word take turns, and data often have a favourite.
      trustFewLanes(C);
    }
  }

  /// Indices from memory that hardly ever cost more than the least, if they
  /// are random, cost less than twice that as a rule, whatever they are.
  /// Between no waste and some there is no likely value.
  void trustFewLanes(Cost &C) const {
    C.State = Proof::Estimated;
    C.Possible = {*C.Low, *C.High};
    C.High = std::min(*C.High, 2 * *C.Low);
    headlineOf(C).reset();
  }

  /// Lanes that have rows of their own are as far apart as these, whatever the
  /// index within the row is.
  void trustRows(Cost &C) const {
    if (T.RowRequests < T.Requests)
      return;
    C.State = Proof::Estimated;
    C.Reason = "data choose an element in a row of each lane's own, and are "
               "taken not to lead out of it";
    C.Possible = {*C.Low, *C.High};
    C.Sectors = std::clamp(T.RowSectors / T.Requests, *C.Low, *C.High);
    C.Low = std::clamp(T.LeastRowSectors / T.Requests, *C.Low, *C.Sectors);
    // Of the lanes that memory chooses as many may stay away as take part.
    if (T.SpeculativeRequests > 0)
      C.Low = std::max((*C.Possible)[0], *C.Low / 2);
    C.High = std::clamp(C.ActiveLanes, *C.Sectors, *C.High);
  }

  std::optional<double> &headlineOf(Cost &C) const {
    switch (S.Memory) {
    case Space::Shared:
      return C.Wavefronts;
    case Space::Constant:
      return C.Words;
    default:
      return C.Sectors;
    }
  }

  std::optional<double> &idealOf(Cost &C) const {
    return S.Memory == Space::Shared ? C.IdealWavefronts : C.IdealSectors;
  }

  /// How far the number that the run came to can be trusted.
  void judge(Cost &C) const {
    judgeAlone(C);
    allowForJoinedRounds(C);
  }

  /// nvcc may join an access with those of the rounds beside it or leave it
  /// alone, and does both where a loop does not begin at a boundary of what it
  /// can join: it is between the two, and joined where its rows are known to
  /// begin at one.
  void allowForJoinedRounds(Cost &C) const {
    if (S.MostRoundsAtOnce <= 1 || T.WideWavefronts == T.Wavefronts ||
        (C.State != Proof::Exact && C.State != Proof::Bounded))
      return;
    const double Wide = T.WideWavefronts / (T.Requests - T.UnknownRequests);
    if (C.State == Proof::Exact) {
      C.Low = C.High = headlineOf(C);
      C.Reason = S.Op == Operation::Store
                     ? "nvcc may store the words of neighbouring rounds at once"
                     : "nvcc may load the words of neighbouring rounds at once";
    }
    C.Low = std::min(*C.Low, Wide);
    C.High = std::max(*C.High, Wide);
    C.State = isNarrow(*C.Low, *C.High) ? Proof::Bounded : Proof::Estimated;
    if (C.State != Proof::Estimated)
      return;
    C.Possible = {*C.Low, *C.High};
    if (C.JoinedWavefronts)
      C.Wavefronts = std::clamp(*C.JoinedWavefronts, *C.Low, *C.High);
  }

  void judgeAlone(Cost &C) const {
    std::optional<double> &Likely = headlineOf(C);
    // Where a pointer of unknown origin starts is part of no run.
    const bool Starts =
        Proven.Holds ? Proven.PointerMoves : hasLoosePointers(Code, Plan);
    if (Proven.isPoint() || (Known.Whole && isWhole(T) && !Starts)) {
      C.State = Proof::Exact;
      if (Proven.isPoint())
        Likely = Proven.Low;
      return;
    }
    if (!Known.Seen.Assumed && isWhole(T) && !Starts) {
      // Everything is known, but not all of it was run.
      C.State = Proof::Estimated;
      C.Reason = "from a sample of the launch's blocks and loop iterations";
      if (Proven.Holds)
        C.Possible = {Proven.Low, Proven.High};
      return;
    }
    bool Agree = false; // the likely numbers, as far as there are several
    C.Reason = reason();
    if (isBounded()) {
      C.State = Proof::Bounded;
      C.Low = Proven.Low;
      C.High = Proven.High;
    } else {
      C.State = Proof::Estimated;
      Agree = estimate(C);
    }
    if (Likely.value_or(0) < *C.Low && Proven.LanesVary) {
      // The lanes that the run came to are fewer than the bounds speak of.
      const double Ideal = idealOf(C).value_or(0);
      idealOf(C) = std::max(Ideal, Proven.IdealFull);
      C.ActiveLanes = std::max(C.ActiveLanes, Proven.LanesFull);
      if (C.Sectors && C.WithSiblings) {
        // As many more take part in all that belongs together.
        const double Before = *C.Sectors;
        assert(Ideal > 0 && "lanes that need nothing");
        C.Sectors = std::max({Before, *C.IdealSectors, *C.Low});
        C.WithSiblings->Sectors *= *C.Sectors / Before;
        C.WithSiblings->IdealSectors *= *C.IdealSectors / Ideal;
      }
    }
    assert(*C.Low <= *C.High && "an empty interval");
    const double Run = Likely.value_or(0);
    double Number = std::clamp(Run, *C.Low, *C.High);
    Likely = Number;
    // Whether an offset from memory is aligned is anybody's guess, and where an
    // argument starts is not for the kernel to say: what another start would
    // save is not called waste.
    if (S.Memory != Space::Global)
      return;
    const bool OnlyStarts =
        Proven.PointerMoves && !Proven.RowsMove && !Proven.IsScattered;
    const double Ideal = C.IdealSectors.value_or(0);
    // A warp with fewer lanes is no better start: the least that full ones cost
    // is held against what they need.
    const bool StartSaves =
        Proven.Holds ? Proven.LowFull <= Proven.IdealFull : *C.Low <= Ideal;
    const bool Offset = (T.Filled && !Proven.RowsMove && Number <= Ideal + 1) ||
                        (T.LoadedByAll && StartSaves);
    // Rows at a pitch that is not known do not touch, as a rule.
    const double Least =
        Proven.RowsMove && !Proven.IsScattered
            ? Proven.LowApart
            : std::min(*C.Low, C.Possible ? (*C.Possible)[0] : *C.Low);
    // The run may have come to one of the layouts alone.
    const bool MayCostMore =
        Number > Ideal || (C.Possible && (*C.Possible)[1] > 2 * Ideal + 1);
    const bool Stride = isLayoutOpen() && !T.Copied &&
                        C.State == Proof::Estimated && MayCostMore;
    // A wide interval whose end is near what full warps need is as wide as it
    // is because lanes may stay away, which costs nothing beside what they
    // need.
    const bool LanesStayAway =
        !isNarrow(*C.Low, *C.High) && *C.High <= 2 * Ideal + 1;
    if (Stride || (Offset && !Agree && !LanesStayAway)) {
      Likely.reset(); // between no waste and some there is no likely value
      if (Stride) {
        C.Low = std::min(*C.Low, Ideal);
        C.High = std::max(*C.High, C.Possible ? (*C.Possible)[1] : *C.High);
      }
    } else if (Offset && !Agree) {
      Likely = std::clamp(Ideal, *C.Low, *C.High);
    } else if (OnlyStarts) {
      C.Low = std::min(*C.Low, Proven.LowFull);
      Likely = std::min(Number, Proven.LowFull);
      // The sector that another start saves its siblings need not either.
      if (std::optional<GroupCost> &All = C.WithSiblings)
        All->Sectors = std::max(All->IdealSectors,
                                All->Sectors - std::max(0.0, Run - *Likely));
    } else if (C.State == Proof::Estimated && !T.Copied && Number > Ideal &&
               Number <= Ideal + 1 && Least <= Ideal) {
      // One sector more than needed comes from an offset that happens not to be
      // aligned, and offsets that nobody knows are as likely to be.
      Likely = Ideal;
      if (C.WithSiblings)
        C.WithSiblings->Sectors = Ideal;
      C.Low = std::min(*C.Low, *Likely);
    }
    if (T.HandedOut && T.SpeculativeRequests > 0 && Number <= Ideal + 1 &&
        C.State == Proof::Estimated)
      // What a counter hands out begins anywhere in a sector, if data decide
      // how many have taken from it.
      Likely = std::clamp(Ideal + 1 - double(S.Bytes) / Law.SectorBytes, *C.Low,
                          *C.High);
  }

  /// The interval beside a likely number. Where lanes move together it is what
  /// full warps can cost at any offset and any pitch; else what other likely
  /// numbers lead to. True when they all lead to the same.
  bool estimate(Cost &C) const {
    const double Mean = headlineOf(C).value_or(0);
    double Low = Mean, High = std::max<double>(Mean, T.WorstCost);
    for (const Tally &Other : Known.Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0 || O.UnknownRequests > 0)
        continue;
      const double OtherMean = meanOf(O);
      Low = std::min(Low, OtherMean);
      High = std::max({High, OtherMean, double(O.WorstCost)});
    }
    Low = std::min<double>(Low, C.Least.value_or(Low));
    const bool Agree = High - Low <= 1e-9 * High;
    if (Proven.Holds) {
      C.Possible = {Proven.Low, Proven.High};
      if (!Proven.IsScattered && !T.Copied) {
        Low = Proven.RowsMove ? Proven.LowApart : Proven.LowFull;
        // Where fewer lanes take part in all runs, they need as much less; a
        // better start saves them one sector at most.
        if (Proven.LanesVary && Mean < Low && areLanesKnown())
          Low = std::max(Mean - 1, Proven.LowFull * idealOf(C).value_or(0) /
                                       Proven.IdealFull);
        High = Proven.HighWhole;
      }
      Low = std::clamp(Low, Proven.Low, Proven.High);
      High = std::clamp(High, Low, Proven.High);
    } else if (T.SpeculativeRequests > 0) {
      Low = std::min(Low, T.CertainCost / T.Requests);
    }
    // Of the lanes that memory chooses as many may stay away as take part, side
    // by side at best.
    if (T.SpeculativeRequests > 0)
      Low = std::min(Low, std::max({Low / 2, T.CertainCost / T.Requests,
                                    Proven.Holds ? Proven.Low : 1.0}));
    C.Low = Low;
    C.High = High;
    return Agree;
  }

  /// As many lanes take part whatever the likely numbers are: it is not these
  /// that send lanes away.
  bool areLanesKnown() const {
    bool HaveOther = false;
    for (const Tally &Other : Known.Others) {
      const SiteTally &O = Other.site(N);
      if (O.Evaluated == 0)
        continue;
      HaveOther = true;
      if (std::abs(O.Lanes * T.Requests - T.Lanes * O.Requests) >
          1e-6 * T.Lanes * O.Requests)
        return false;
    }
    return HaveOther;
  }

  double meanOf(const SiteTally &Of) const {
    switch (S.Memory) {
    case Space::Shared:
      return Of.Wavefronts / Of.Requests;
    case Space::Constant:
      return Of.Words / Of.Requests;
    default:
      return Of.Sectors / Of.Requests;
    }
  }

  std::string reason() const {
    if (T.SpeculativeRequests > 0)
      return "which lanes take part depends on values loaded from memory";
    if (T.Copied)
      return "memory is taken to hold what the host code copies there";
    if (Proven.LanesVary)
      return "which lanes take part depends on values that are not known here";
    if (Proven.RowsMove && !Proven.IsScattered)
      return "depends on a pitch or stride that is not known here";
    if (Proven.PointerMoves)
      return "depends on where in its allocation the pointer argument starts";
    if (T.LoadedByAll)
      return "depends on an offset that is loaded from memory";
    return "depends on values that are not known here, such as a pitch or an "
           "offset";
  }
};

} // namespace

bool isWhole(const SiteTally &T) {
  return !T.AssumedAddress && !T.Filled && T.SpeculativeRequests == 0 &&
         T.UnknownRequests == 0;
}

void keepWithinTables(const Program &Code, const LaunchPlan &Plan,
                      const profile::RequestLaw &Law,
                      proof::LaunchProof &Proven) {
  for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
    const std::optional<double> Most =
        mostWithin(Code, Plan, Law, Code.Sites[N]);
    if (!Most)
      continue;
    proof::SiteProof &P = Proven.Sites[N];
    if (P.IsUnreached || (P.Holds && P.Low > *Most))
      continue; // nor has a program that leaves it any meaning
    if (!P.Holds)
      P = {.Holds = true, .Low = 1, .High = *Most, .IsScattered = true};
    P.High = std::min(P.High, *Most);
    P.HighWhole = std::min(P.HighWhole, P.High);
  }
}

bool hasLoosePointers(const Program &Code, const LaunchPlan &Plan) {
  return std::any_of(
      Code.Presets.begin(), Code.Presets.end(), [&](const Preset &P) {
        return P.What == Preset::Kind::Argument &&
               P.Object->getType()->isPointerTy() &&
               !llvm::cast<llvm::Argument>(P.Object)->hasByValAttr() &&
               Environment::isOriginUnknown(Plan.Arguments, P.Number);
      });
}

bool asksForOthers(const LaunchEvidence &Known, uint32_t Number) {
  return SiteJudge(Known, Number).asksForOthers();
}

SiteResult resultOf(const LaunchEvidence &Known, uint32_t Number) {
  return SiteJudge(Known, Number).result();
}

} // namespace warpwise::access
