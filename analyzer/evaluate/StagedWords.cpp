//===- StagedWords.cpp - What shared memory holds as it came --------------===//

#include "analyzer/evaluate/StagedWords.h"

#include "profiler/warp/WarpCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace warpwise::access {
namespace {

/// Requests that are looked at in all; later ones are of the same kind.
constexpr size_t MostLoads = 8192;
/// Shared memory is followed in words of this size, or smaller ones that were
/// stored one by one.
constexpr unsigned WordBytes = 4;

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

StagedWords::StagedWords(const Program &Code, const profile::RequestLaw &Law)
    : Code(Code), Law(Law), CopyOf(Code.Sites.size(), -1),
      Feeds(Code.Sites.size()) {
  // A store that may go to several arrays leaves none of them known.
  if (any_of(Code.Sites, [](const Site &S) {
        return S.Op != Operation::Load &&
               (S.Memory == Space::Generic ||
                (S.Memory == Space::Shared && !S.Object));
      }))
    return;
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
    if (!IsCopy) {
      Others.insert(S.Object);
      continue;
    }
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
  const Site &S = Code.Sites[Number];
  for (const uint32_t N : Feeds[Number]) {
    Copy &C = Copies[N];
    if (Active & Address.Unknown)
      Others.insert(Code.Sites[C.Store].Object);
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
      C.From[std::countr_zero(Left)] = Address.lane(std::countr_zero(Left));
    C.Loaded |= Active;
  }
  if (S.Memory != Space::Shared || Others.contains(S.Object))
    return;
  if (Active & Address.Unknown)
    Others.insert(S.Object);
  else if (CopyOf[Number] >= 0)
    store(Copies[CopyOf[Number]], Address, Active);
  else if (Loads.size() < MostLoads) {
    LaneValue At = Address;
    At.spread();
    Loads.push_back({Number, Warp, Epoch, Active, At.Lanes});
  }
}

void StagedWords::store(Copy &Its, const LaneValue &Address, uint32_t Active) {
  const Site &S = Code.Sites[Its.Store];
  Words &To = Arrays[S.Object];
  const unsigned Step = std::min(WordBytes, S.Bytes);
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    const bool IsLoaded = Its.Loaded >> Lane & 1;
    for (unsigned Byte = 0; Byte != S.Bytes; Byte += Step) {
      auto &Stores = To[Address.lane(Lane) + Byte];
      Stores.insert(llvm::upper_bound(Stores, Epoch, isBefore),
                    {Epoch, IsLoaded ? Its.From[Lane] + Byte : Nowhere});
    }
  }
  Its.Loaded &= ~Active;
}

/// Where lane \p Lane of \p L would find in global memory what it loads;
/// nothing where that is not known, or not in one piece.
std::optional<uint64_t> StagedWords::originOf(const Load &L,
                                              unsigned Lane) const {
  const Site &S = Code.Sites[L.Site];
  const auto Array = Arrays.find(S.Object);
  if (Array == Arrays.end())
    return std::nullopt;
  const auto wordAt = [&](uint64_t At) -> std::optional<uint64_t> {
    const auto Its = Array->second.find(At);
    if (Its == Array->second.end())
      return std::nullopt;
    // The newest that was there by then, whoever stored it.
    const auto Later = llvm::upper_bound(Its->second, L.Epoch, isBefore);
    return Later != Its->second.begin() ? std::optional(std::prev(Later)->From)
                                        : std::nullopt;
  };
  const uint64_t At = L.At[Lane];
  std::optional<uint64_t> First = wordAt(At);
  if (!First) {
    const uint64_t Within = At % WordBytes;
    First = wordAt(At - Within);
    if (!First || *First == Nowhere || Within + S.Bytes > WordBytes)
      return First;
    return *First + Within;
  }
  for (unsigned Byte = WordBytes; Byte < S.Bytes; Byte += WordBytes)
    if (const auto Next = wordAt(At + Byte);
        !Next || *Next != (*First == Nowhere ? Nowhere : *First + Byte))
      return std::nullopt;
  return First;
}

std::vector<std::optional<Unstaged>> StagedWords::resolve() {
  struct Sums {
    double Requests = 0, Sectors = 0, Lines = 0, Passes = 0, Fresh = 0,
           FreshRequests = 0;
  };
  std::vector<Sums> Sites(Code.Sites.size());
  DenseMap<uint64_t, uint32_t> Known; // sectors, with the warps that asked
  for (const Load &L : Loads) {
    const Site &S = Code.Sites[L.Site];
    if (Others.contains(S.Object))
      continue;
    Addresses From{};
    uint32_t Active = 0;
    std::optional<uint64_t> Origin;
    for (uint32_t Left = L.Active; Left != 0; Left &= Left - 1) {
      const unsigned Lane = std::countr_zero(Left);
      const uint32_t Before = L.Active & ((1u << Lane) - 1);
      // Often all lanes read one word.
      if (Before == 0 || L.At[Lane] != L.At[31 - std::countl_zero(Before)])
        Origin = originOf(L, Lane);
      if (!Origin) {
        Others.insert(S.Object);
        break;
      }
      From[Lane] = *Origin;
      if (*Origin != Nowhere)
        Active |= 1u << Lane;
    }
    Sums &Its = Sites[L.Site];
    ++Its.Requests;
    if (Active == 0)
      continue;
    Its.Sectors += warp::sectors(Law, From, Active, S.Bytes);
    Its.Lines += warp::lines(Law, From, Active, S.Bytes);
    Its.Passes += warp::wavefronts(Law, From, Active, S.Bytes);
    bool IsFresh = false;
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const uint64_t At = From[std::countr_zero(Left)];
      for (uint64_t N = At / Law.SectorBytes;
           N <= (At + S.Bytes - 1) / Law.SectorBytes; ++N) {
        const auto [Entry, IsNew] = Known.try_emplace(N, 0);
        const uint32_t Bit = 1u << (L.Warp % 32);
        Its.Fresh += IsNew;
        IsFresh |= !(Entry->second & Bit);
        Entry->second |= Bit;
      }
    }
    Its.FreshRequests += IsFresh;
  }
  std::vector<std::optional<Unstaged>> Result(Code.Sites.size());
  for (uint32_t N = 0; N != Code.Sites.size(); ++N)
    if (const Sums &Its = Sites[N];
        Its.Sectors > 0 && !Others.contains(Code.Sites[N].Object))
      Result[N] = Unstaged{
          .Sectors = Its.Sectors / Its.Requests,
          .Lines = Its.Lines / Its.Requests,
          .LinePasses = Its.Passes / Its.Requests,
          .FreshSectors = Its.Fresh / Its.Sectors,
          .FreshRequests = Its.FreshRequests / Its.Requests,
      };
  return Result;
}

} // namespace warpwise::access
