//===- StagedWords.cpp - What shared memory holds as it came --------------===//

#include "analyzer/evaluate/StagedWords.h"

#include "analyzer/evaluate/PatternCosts.h"
#include "profiler/warp/WarpCost.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>
#include <numeric>

using namespace llvm;

namespace warpwise::access {
namespace {

/// Loads of an array that are looked at; later ones are of the same kind.
constexpr size_t MostLoads = 8192;
/// More than the shared memory of any block.
constexpr uint32_t MostArrayBytes = 1 << 20;

/// The loads that \p V is, whichever way was taken to it; false where it may be
/// something that was computed.
bool collectLoads(const Value &V, SmallPtrSetImpl<const Instruction *> &Loads,
                  SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(&V).second || isa<Constant>(V))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(&V)) {
    Loads.insert(Load);
    return true;
  }
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return false;
  if (isa<BitCastInst>(I))
    return collectLoads(*I->getOperand(0), Loads, Seen);
  if (const auto *Either = dyn_cast<SelectInst>(I))
    return collectLoads(*Either->getTrueValue(), Loads, Seen) &&
           collectLoads(*Either->getFalseValue(), Loads, Seen);
  if (const auto *Joined = dyn_cast<PHINode>(I))
    return all_of(Joined->incoming_values(), [&](const Use &Way) {
      return collectLoads(*Way.get(), Loads, Seen);
    });
  return false;
}

} // namespace

/// What lies where in an array, as of one epoch.
class StagedWords::Contents {
  /// What nobody has stored to.
  static constexpr uint64_t Unset = Nowhere - 1;
  const unsigned Granule;
  bool IsAligned = true;
  uint32_t Low = ~0u, High = 0;
  std::vector<uint64_t> From; ///< by granule, from Low

  uint64_t at(uint32_t Byte) const {
    return Byte >= Low && Byte <= High ? From[(Byte - Low) / Granule] : Unset;
  }

public:
  explicit Contents(const Array &Its) : Granule(Its.Granule) {
    for (const Store &S : Its.Stores)
      for (uint32_t Left = S.Active; Left != 0; Left &= Left - 1) {
        const uint32_t At = S.At[std::countr_zero(Left)];
        Low = std::min(Low, At);
        High = std::max(High, At);
        IsAligned &= At % Granule == 0;
      }
  }
  /// False where nothing is stored, or more than shared memory has room for, or
  /// across granules.
  bool isValid() const {
    return Low <= High && High - Low < MostArrayBytes && IsAligned;
  }
  /// \p Bytes: the longest store.
  void begin(unsigned Bytes) {
    High += Bytes;
    From.assign((High - Low) / Granule + 1, Unset);
  }

  void store(const Store &S, unsigned Bytes) {
    for (uint32_t Left = S.Active; Left != 0; Left &= Left - 1) {
      const unsigned Lane = std::countr_zero(Left);
      uint64_t *To = &From[(S.At[Lane] - Low) / Granule];
      for (unsigned Byte = 0; Byte < Bytes; Byte += Granule)
        *To++ = S.From[Lane] == Nowhere ? Nowhere : S.From[Lane] + Byte;
    }
  }

  /// Where in global memory that lies what is \p Bytes long and begins at
  /// \p At; nothing where that is not known, or not in one piece.
  std::optional<uint64_t> originOf(uint32_t At, unsigned Bytes) const {
    const unsigned Within = At % Granule;
    const uint64_t First = at(At);
    if (First == Unset)
      return std::nullopt;
    for (unsigned Byte = Granule; Byte < Within + Bytes; Byte += Granule)
      if (at(At - Within + Byte) != (First == Nowhere ? Nowhere : First + Byte))
        return std::nullopt;
    return First == Nowhere ? Nowhere : First + Within;
  }
};

/// The loads of one site, where they would go.
class StagedWords::Requests {
  double Count = 0, Sectors = 0, Lines = 0, Passes = 0, Fresh = 0,
         FreshRequests = 0;
  struct Costs {
    unsigned Sectors, Lines, Passes;
  };
  PatternCosts<Costs> Pattern;

public:
  /// Nothing of it comes from memory.
  void addNone() { ++Count; }

  /// \p Known: the sectors that were asked for before, and by which warps.
  void add(const profile::RequestLaw &Law, const Lanes &From, uint32_t Active,
           unsigned Bytes, unsigned Warp, DenseMap<uint64_t, uint32_t> &Known) {
    const Costs &Its =
        Pattern.of(From, Active, 0, Law.period() - 1, [&]() -> Costs {
          return {warp::sectors(Law, From, Active, Bytes),
                  warp::lines(Law, From, Active, Bytes),
                  warp::storeWavefronts(Law, From, Active, Bytes)};
        });
    ++Count;
    Sectors += Its.Sectors;
    Lines += Its.Lines;
    Passes += Its.Passes;
    bool IsFresh = false;
    const uint32_t Bit = 1u << (Warp % 32);
    uint64_t Before = Nowhere; // neighbours often lie in one
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const uint64_t At = From[std::countr_zero(Left)];
      for (uint64_t N = At / Law.SectorBytes;
           N <= (At + Bytes - 1) / Law.SectorBytes; ++N) {
        if (N == Before)
          continue;
        Before = N;
        const auto [Entry, IsNew] = Known.try_emplace(N, 0);
        Fresh += IsNew;
        IsFresh |= !(Entry->second & Bit);
        Entry->second |= Bit;
      }
    }
    FreshRequests += IsFresh;
  }

  std::optional<Unstaged> means() const {
    if (Sectors == 0)
      return std::nullopt;
    return Unstaged{
        .Sectors = Sectors / Count,
        .Lines = Lines / Count,
        .LinePasses = Passes / Count,
        .FreshSectors = Fresh / Sectors,
        .FreshRequests = FreshRequests / Count,
    };
  }
};

StagedWords::StagedWords(const Program &Code, const profile::RequestLaw &Law)
    : Code(Code), Law(Law), CopyOf(Code.Sites.size(), -1),
      ArrayOf(Code.Sites.size(), -1), Feeds(Code.Sites.size()) {
  // A store that may go to several arrays leaves none of them known.
  if (any_of(Code.Sites, [](const Site &S) {
        return S.Op != Operation::Load &&
               (S.Memory == Space::Generic ||
                (S.Memory == Space::Shared && !S.Object));
      }))
    return;
  findArrays();
  findCopies();
}

void StagedWords::findArrays() {
  DenseMap<const Value *, int32_t> Numbers;
  for (uint32_t N = 0; N != Code.Sites.size(); ++N)
    if (const Site &S = Code.Sites[N]; S.Memory == Space::Shared && S.Object) {
      ArrayOf[N] =
          Numbers.try_emplace(S.Object, int32_t(Arrays.size())).first->second;
      if (size_t(ArrayOf[N]) == Arrays.size())
        Arrays.emplace_back();
    }
}

void StagedWords::findCopies() {
  DenseMap<const Instruction *, SmallVector<uint32_t, 2>> LoadsOf;
  for (uint32_t N = 0; N != Code.Sites.size(); ++N)
    if (const Site &S = Code.Sites[N];
        S.Op == Operation::Load && S.Memory == Space::Global)
      LoadsOf[S.Instruction].push_back(N);
  for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
    const Site &S = Code.Sites[N];
    if (S.Memory != Space::Shared || S.Op == Operation::Load)
      continue;
    SmallPtrSet<const Instruction *, 2> From;
    SmallPtrSet<const Value *, 8> Seen;
    const auto *Store = dyn_cast<StoreInst>(S.Instruction);
    bool IsCopy = S.Sort == Access::Kind::AsyncCopy;
    if (IsCopy)
      From.insert(S.Instruction);
    else
      IsCopy = Store && collectLoads(*Store->getValueOperand(), From, Seen);
    // One site for each: the parts of a split access are not matched up.
    IsCopy &= !From.empty() && all_of(From, [&](const Instruction *L) {
      const auto Sites = LoadsOf.find(L);
      return Sites != LoadsOf.end() && Sites->second.size() == 1 &&
             Code.Sites[Sites->second.front()].Bytes == S.Bytes;
    });
    Array &To = Arrays[ArrayOf[N]];
    if (!IsCopy) {
      To.HoldsOther = true;
      continue;
    }
    while (S.Bytes % To.Granule != 0)
      To.Granule /= 2;
    CopyOf[N] = int32_t(Copies.size());
    for (const Instruction *L : From)
      Feeds[LoadsOf[L].front()].push_back(uint32_t(Copies.size()));
    Copies.push_back({N});
  }
}

void StagedWords::startWarp(unsigned Number) {
  Warp = Number;
  Epoch = 0;
  for (Copy &C : Copies)
    C.Loaded = 0;
}

void StagedWords::request(uint32_t Number, const LaneValue &Address,
                          uint32_t Active, uint32_t) {
  for (const uint32_t N : Feeds[Number]) {
    Copy &C = Copies[N];
    if (Active & Address.Unknown)
      Arrays[ArrayOf[C.Store]].HoldsOther = true;
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
      C.From[std::countr_zero(Left)] = Address.lane(std::countr_zero(Left));
    C.Loaded |= Active;
  }
  if (ArrayOf[Number] < 0)
    return;
  Array &To = Arrays[ArrayOf[Number]];
  if (To.HoldsOther)
    return;
  if (CopyOf[Number] < 0) {
    if (To.Loads.size() < MostLoads)
      To.HoldsOther =
          !note(To, To.Loads.emplace_back(), Number, Address, Active);
    return;
  }
  Copy &Its = Copies[CopyOf[Number]];
  Store &S = To.Stores.emplace_back();
  To.HoldsOther = !note(To, S, Number, Address, Active);
  for (unsigned L = 0; L != WarpLanes; ++L)
    S.From[L] = Its.Loaded >> L & 1 ? Its.From[L] : Nowhere;
  Its.Loaded &= ~Active;
}

/// Fills in \p R; false where it does not fit to \p To.
bool StagedWords::note(Array &To, Request &R, uint32_t Site,
                       const LaneValue &Address, uint32_t Active) const {
  constexpr uint64_t Mask = ~uint32_t(0);
  if (To.Stores.size() + To.Loads.size() == 1)
    To.Base = Address.lane(std::countr_zero(Active)) & ~Mask;
  R.Site = Site;
  R.Warp = Warp;
  R.Epoch = Epoch;
  R.Active = Active;
  uint64_t Outside = 0;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    const uint64_t At = Address.lane(L);
    R.At[L] = uint32_t(At & Mask);
    Outside |= Active >> L & 1 ? (At & ~Mask) ^ To.Base : 0;
  }
  return !(Active & Address.Unknown) && !Outside;
}

/// Goes through what all warps did to \p Its from barrier to barrier; false
/// where not all that they load came from global memory as it is.
bool StagedWords::resolve(const Array &Its,
                          std::vector<Requests> &Sites) const {
  if (Its.HoldsOther)
    return false;
  Contents Held(Its);
  if (!Held.isValid())
    return false;
  unsigned Longest = 0;
  for (const Store &S : Its.Stores)
    Longest = std::max(Longest, Code.Sites[S.Site].Bytes);
  Held.begin(Longest);
  const auto byEpoch = [](const auto &Requests) {
    std::vector<uint32_t> Order(Requests.size());
    std::iota(Order.begin(), Order.end(), 0);
    llvm::sort(Order, [&](uint32_t A, uint32_t B) {
      return std::pair(Requests[A].Epoch, A) < std::pair(Requests[B].Epoch, B);
    });
    return Order;
  };
  const std::vector<uint32_t> Stores = byEpoch(Its.Stores);
  auto Next = Stores.begin();
  DenseMap<uint64_t, uint32_t> Known;
  for (const uint32_t N : byEpoch(Its.Loads)) {
    const Request &L = Its.Loads[N];
    const unsigned Bytes = Code.Sites[L.Site].Bytes;
    // Whoever stored it: the newest that was there by then.
    for (; Next != Stores.end() && Its.Stores[*Next].Epoch <= L.Epoch; ++Next)
      Held.store(Its.Stores[*Next], Code.Sites[Its.Stores[*Next].Site].Bytes);
    Lanes From{};
    uint32_t Active = 0;
    int Before = -1; // the lane
    std::optional<uint64_t> Origin;
    for (uint32_t Left = L.Active; Left != 0; Left &= Left - 1) {
      const int Lane = std::countr_zero(Left);
      // Often all lanes read one word.
      if (Before < 0 || L.At[Lane] != L.At[Before])
        Origin = Held.originOf(L.At[Lane], Bytes);
      if (!Origin)
        return false;
      Before = Lane;
      From[Lane] = *Origin;
      if (*Origin != Nowhere)
        Active |= 1u << Lane;
    }
    if (Active == 0)
      Sites[L.Site].addNone();
    else
      Sites[L.Site].add(Law, From, Active, Bytes, L.Warp, Known);
  }
  return true;
}

std::vector<std::optional<Unstaged>> StagedWords::resolve() const {
  std::vector<std::optional<Unstaged>> Result(Code.Sites.size());
  if (isEmpty())
    return Result;
  std::vector<Requests> Sites(Code.Sites.size());
  for (size_t A = 0; A != Arrays.size(); ++A)
    if (resolve(Arrays[A], Sites))
      for (size_t N = 0; N != Sites.size(); ++N)
        if (ArrayOf[N] == int32_t(A))
          Result[N] = Sites[N].means();
  return Result;
}

} // namespace warpwise::access
