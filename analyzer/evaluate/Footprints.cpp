//===- Footprints.cpp - Which sectors are asked for again -----------------===//

#include "analyzer/evaluate/Footprints.h"

#include "analyzer/evaluate/SectorParts.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpwise::access {

/// Requests of loads that are remembered one by one. Who makes more of them in
/// a few rounds has too many to keep what they bring in registers.
static constexpr size_t MostLoads = 1 << 14;

Footprints::Footprints(const Program &Code, const profile::RequestLaw &Law)
    : Code(Code), Law(Law), Sites(Code.Sites.size()),
      Constants(Law.ConstantLines) {}

void Footprints::startOwn(unsigned Number) {
  Axis = -1;
  Warp = Number;
  History = {};
}

void Footprints::startBeside(unsigned Along, unsigned Number) {
  Axis = int(Along);
  Warp = Number;
  WasBeside[Along] = true;
}

void Footprints::request(uint32_t Number, const LaneValue &Address,
                         uint32_t Active, uint32_t) {
  const Site &S = Code.Sites[Number];
  const uint32_t Known = Active & ~Address.Unknown;
  if (S.Memory == Space::Constant && Axis < 0 && Law.ConstantLines > 0)
    readConstant(Number, Address, Known);
  if (S.IsEmulated && Axis < 0)
    noteSwaps(Number, Address, Known);
  if (S.Memory != Space::Global)
    return;
  if (Axis < 0 && S.Op == Operation::Load)
    History.touchOthers(std::popcount(Active & Address.Unknown));
  if (Known == 0)
    return;
  if (S.Op == Operation::Load && S.Sort == Access::Kind::Plain)
    noteLoad(Number, Address, Known);
  if (Axis < 0 && S.Op == Operation::Atomic)
    noteTurns(Number, Address, Known);
  // The parts of each sector, by sector: lanes side by side share one.
  std::array<std::pair<uint64_t, uint32_t>, size_t(2) * WarpLanes> Touched;
  size_t Count = 0;
  for (uint32_t Left = Known; Left != 0; Left &= Left - 1) {
    const uint64_t At = Address.lane(std::countr_zero(Left));
    visitSectors(Law, At, S.Bytes, [&](uint64_t N, uint32_t Used) {
      if (Count > 0 && Touched[Count - 1].first == N)
        Touched[Count - 1].second |= Used;
      else if (Count != Touched.size())
        Touched[Count++] = {N, Used};
    });
    if (Address.Uniform)
      break;
  }
  const auto End = Touched.begin() + Count;
  if (!std::is_sorted(Touched.begin(), End))
    std::sort(Touched.begin(), End);
  Sums &Its = Sites[Number];
  const uint64_t LineSectors = Law.LineBytes / Law.SectorBytes;
  bool IsFresh = false;
  uint64_t LastLine = ~uint64_t(0);
  std::optional<unsigned> Since; ///< the line was touched before
  for (size_t N = 0; N != Count; ++N) {
    const bool Again = N > 0 && Touched[N].first == Touched[N - 1].first;
    if (Axis < 0) {
      Its.Asked += !Again;
      if (S.Op == Operation::Atomic)
        Its.OwnSectors[Touched[N].first] |= Touched[N].second;
      if (const uint64_t Line = Touched[N].first / LineSectors;
          S.Op == Operation::Load && Line != LastLine) {
        Since = History.touch(Line);
        LastLine = Line;
      }
      const bool WasOwn =
          own(Its, Number, Touched[N].first, Touched[N].second, IsFresh);
      if (Since && *Since > 0 && !Again && WasOwn)
        Its.Again[std::min(Its.Again.size(), size_t(std::bit_width(*Since))) -
                  1] += 1;
    } else if (const auto At = IndexOf.find(Touched[N].first);
               At != IndexOf.end()) {
      Sector &There = Sectors[At->second];
      There.Beside |= 1u << Axis;
      There.UsedBeside[Axis] |= Touched[N].second;
      if (writes(Number))
        There.WrittenBeside |= 1u << Axis;
    }
  }
  if (Axis < 0) {
    ++Its.Requests;
    Its.FreshRequests += IsFresh;
  }
}

/// Whether all lanes of \p Known lie one after the other, \p Bytes each.
static bool areSideBySide(const LaneValue &Address, uint32_t Known,
                          unsigned Bytes) {
  if (Known != ~uint32_t(0))
    return false;
  for (unsigned Lane = 1; Lane != WarpLanes; ++Lane)
    if (Address.lane(Lane) != Address.lane(Lane - 1) + Bytes)
      return false;
  return true;
}

void Footprints::noteLoad(uint32_t Number, const LaneValue &Address,
                          uint32_t Known) {
  if (Loads.size() > MostLoads)
    return;
  const unsigned Bytes = Code.Sites[Number].Bytes;
  const uint64_t First = Address.lane(std::countr_zero(Known)),
                 Last = Address.lane(WarpLanes - 1 - std::countl_zero(Known));
  const auto keyOf = [&](uint64_t Back) -> uint64_t {
    return llvm::hash_combine(First - Back, Last - Back, Known, Bytes);
  };
  const uint64_t Key = keyOf(0);
  if (Axis >= 0) {
    LoadedNext[Axis].insert({Key, Warp});
    return;
  }
  std::optional<uint64_t> Shifted;
  if (areSideBySide(Address, Known, Bytes))
    Shifted = keyOf(Bytes);
  Loads.push_back({Number, Warp, Key, Shifted});
  Loaded.insert({Key, Warp});
}

void Footprints::noteTurns(uint32_t Number, const LaneValue &Address,
                           uint32_t Known) {
  std::array<uint64_t, WarpLanes> Words;
  size_t Count = 0;
  for (uint32_t Left = Known; Left != 0; Left &= Left - 1)
    Words[Count++] = Address.lane(std::countr_zero(Left));
  std::sort(Words.begin(), Words.begin() + Count);
  size_t Most = 0, Same = 0;
  for (size_t N = 0; N != Count; ++N) {
    Same = N > 0 && Words[N] == Words[N - 1] ? Same + 1 : 1;
    Most = std::max(Most, Same);
    const bool IsLast = N + 1 == Count || Words[N + 1] / Law.SectorBytes !=
                                              Words[N] / Law.SectorBytes;
    if (IsLast)
      Sites[Number].Turns += double(std::exchange(Most, 0));
  }
}

void Footprints::noteSwaps(uint32_t Number, const LaneValue &Address,
                           uint32_t Known) {
  Sums &Its = Sites[Number];
  Its.Requests += Known != 0;
  for (uint32_t Left = Known; Left != 0; Left &= Left - 1) {
    Hits &There = Its.Swapped[Address.lane(std::countr_zero(Left))];
    if (There.Warp != Warp)
      There.OfWarp = 0;
    There.Warp = Warp;
    ++There.All;
    ++There.OfWarp;
    There.OfOneWarp = std::max(There.OfOneWarp, There.OfWarp);
  }
}

double Footprints::foreignTurns(const Sums &Its) {
  double All = 0, Most = 0;
  for (const auto &[Word, There] : Its.Swapped) {
    All += There.All;
    Most = std::max(Most, There.All - There.OfOneWarp);
  }
  return All > 0 ? Most / All : 0;
}

uint32_t Footprints::LineHistory::append() {
  const auto Touch = uint32_t(Tree.size() + 1);
  uint32_t Sum = 1;
  for (uint32_t Step = 1; Step < (Touch & -Touch); Step *= 2)
    Sum += Tree[Touch - Step - 1];
  Tree.push_back(Sum);
  return Touch;
}

void Footprints::LineHistory::forget(uint32_t Touch) {
  for (; Touch <= Tree.size(); Touch += Touch & -Touch)
    --Tree[Touch - 1];
}

unsigned Footprints::LineHistory::upTo(uint32_t Touch) const {
  unsigned Sum = 0;
  for (; Touch != 0; Touch -= Touch & -Touch)
    Sum += Tree[Touch - 1];
  return Sum;
}

std::optional<unsigned> Footprints::LineHistory::touch(uint64_t Line) {
  std::optional<unsigned> Since;
  const auto [At, IsNew] = LastTouch.try_emplace(Line, 0);
  if (!IsNew) {
    Since = upTo(uint32_t(Tree.size())) - upTo(At->second);
    forget(At->second);
  }
  At->second = append();
  return Since;
}

void Footprints::LineHistory::touchOthers(unsigned Count) {
  for (; Count != 0; --Count)
    append();
}

bool Footprints::ConstantCache::misses(uint64_t Line) {
  const auto At = std::find(Held.rbegin(), Held.rend(), Line);
  const bool IsMiss = At == Held.rend();
  if (!IsMiss) {
    Held.erase(std::next(At).base());
  } else if (Held.size() == Room) {
    HasLost = true;
    Held.erase(Held.begin());
  }
  Held.push_back(Line);
  return IsMiss;
}

void Footprints::readConstant(uint32_t Number, const LaneValue &Address,
                              uint32_t Known) {
  std::array<uint64_t, WarpLanes> Lines;
  size_t Count = 0;
  for (uint32_t Left = Known; Left != 0; Left &= Left - 1) {
    Lines[Count++] =
        Address.lane(std::countr_zero(Left)) / Law.ConstantLineBytes;
    if (Address.Uniform)
      break;
  }
  const auto Begin = Lines.begin(), End = Begin + Count;
  std::sort(Begin, End);
  for (auto At = Begin, Last = std::unique(Begin, End); At != Last; ++At)
    Sites[Number].LostLines += Constants.misses(*At);
  Sites[Number].Requests += Count > 0;
}

bool Footprints::own(Sums &Its, uint32_t Number, uint64_t SectorNumber,
                     uint32_t Used, bool &IsFresh) {
  const auto [At, IsNew] =
      IndexOf.try_emplace(SectorNumber, uint32_t(Sectors.size()));
  if (IsNew)
    Sectors.emplace_back();
  Sector &There = Sectors[At->second];
  // What is written has to go to memory whoever has read it before.
  uint32_t &First = writes(Number) ? There.FirstWriter : There.FirstSite;
  Its.Fresh += First == Nobody;
  if (writes(Number) && There.FirstWriter == Nobody)
    There.FirstWriter = Number;
  if (There.FirstSite == Nobody) {
    There.FirstSite = Number;
    There.IsReadFirst = !writes(Number);
  }
  const uint32_t Bit = 1u << (Warp % 32);
  IsFresh |= !(There.Warps & Bit);
  const bool WasOwn = There.Warps == Bit;
  There.Warps |= Bit;
  There.Used |= Used;
  return WasOwn;
}

double Footprints::aloneShare() const {
  const auto OfOneWarp =
      std::count_if(Sectors.begin(), Sectors.end(), [](const Sector &S) {
        return std::has_single_bit(S.Warps);
      });
  return Sectors.empty() ? 1 : double(OfOneWarp) / double(Sectors.size());
}

std::optional<Footprint> Footprints::of(uint32_t N) const {
  const Sums &Its = Sites[N];
  if (Its.LostLines > 0 && !Constants.holdsAll()) {
    Footprint Result;
    Result.LostLines = Its.LostLines / Its.Requests;
    return Result;
  }
  if (!Its.Swapped.empty())
    return Footprint{.Requests = Its.Requests,
                     .ForeignTurns = foreignTurns(Its)};
  if (Its.Asked == 0)
    return std::nullopt;
  Footprint Result;
  Result.FreshSectors = Its.Fresh / Its.Asked;
  Result.Requests = Its.Requests;
  Result.FreshRequests = Its.FreshRequests / Its.Requests;
  if (!Its.OwnSectors.empty())
    Result.OwnSectors = double(Its.OwnSectors.size()) / Its.Asked;
  Result.Turns = Its.Turns / Its.Requests;
  const uint64_t LineSectors = Law.LineBytes / Law.SectorBytes;
  double Count = 0, Used = 0, OwnUsed = 0, OfLines = 0, Read = 0, OfOneWarp = 0;
  uint64_t First = ~uint64_t(0), Last = 0, ObjectFirst = First, ObjectLast = 0;
  const llvm::Value *Object = Code.Sites[N].Object;
  const auto isOfObject = [&](uint32_t Site) {
    return Object && Site != Nobody && Code.Sites[Site].Object == Object;
  };
  std::array<double, 3> Beside{}, Same{};
  for (const auto &[SectorNumber, Index] : IndexOf) {
    const Sector &S = Sectors[Index];
    if (isOfObject(S.FirstSite) || isOfObject(S.FirstWriter)) {
      ObjectFirst = std::min(ObjectFirst, SectorNumber);
      ObjectLast = std::max(ObjectLast, SectorNumber);
    }
    // An atomic is carried out whoever has hit the sector before, and takes
    // turns with others on its own words.
    const bool IsAtomic = Code.Sites[N].Op == Operation::Atomic;
    const auto Own = Its.OwnSectors.find(SectorNumber);
    if (IsAtomic ? Own == Its.OwnSectors.end()
                 : (writes(N) ? S.FirstWriter : S.FirstSite) != N)
      continue;
    ++Count;
    Read += S.IsReadFirst;
    OfOneWarp += std::has_single_bit(S.Warps);
    First = std::min(First, SectorNumber);
    Last = std::max(Last, SectorNumber);
    const uint64_t Line = SectorNumber / LineSectors * LineSectors;
    for (uint64_t Other = 0; Other != LineSectors; ++Other)
      OfLines += double(IndexOf.count(Line + Other)) / double(LineSectors);
    Used += std::popcount(S.Used);
    if (IsAtomic)
      OwnUsed += std::popcount(Own->second);
    for (unsigned Along = 0; Along != 3; ++Along) {
      Beside[Along] += (writes(N) ? S.WrittenBeside : S.Beside) >> Along & 1;
      Same[Along] += S.UsedBeside[Along] == S.Used;
    }
  }
  if (ObjectFirst <= ObjectLast)
    Result.ObjectExtent =
        double(ObjectLast - ObjectFirst + 1) * Law.SectorBytes;
  // What others want, too, they may bring meanwhile.
  const double Alone = Count > 0 ? OfOneWarp / Count : aloneShare();
  for (size_t Lines = 0; Lines != Its.Again.size(); ++Lines)
    Result.Again[Lines] = Its.Again[Lines] / Its.Asked * Alone;
  if (Count == 0) // another site has asked for all of them first
    return Result;
  Result.UsedBytes = Used / (Count * SectorParts);
  if (Code.Sites[N].Op == Operation::Atomic)
    Result.OwnBytes = OwnUsed / (Count * SectorParts);
  Result.UsedSectors = OfLines / Count;
  if (writes(N))
    Result.AlsoRead = Read / Count;
  Result.ExtentBytes = double(Last - First + 1) * Law.SectorBytes;
  for (unsigned Along = 0; Along != 3; ++Along)
    if (WasBeside[Along]) {
      Result.FreshBeside[Along] = 1 - Beside[Along] / Count;
      Result.SameBeside[Along] = Same[Along] / Count;
    }
  return Result;
}

std::vector<std::array<double, 3>>
Footprints::loadedBeside(const launch::Dim3 &Block) const {
  std::vector<std::array<double, 3>> Shares(Code.Sites.size());
  if (Loads.size() > MostLoads)
    return Shares;
  // Along x threads are lanes, and those next to them are in the same warp, but
  // for the last one.
  std::vector<double> Made(Code.Sites.size());
  for (const Request &L : Loads) {
    ++Made[L.Site];
    Shares[L.Site][0] += L.Shifted && Loaded.contains({*L.Shifted, L.Warp});
  }
  for (size_t N = 0; N != Shares.size(); ++N)
    if (Made[N] > 0)
      Shares[N][0] /= Made[N];
  for (const unsigned Axis : {1u, 2u}) {
    const unsigned Apart = Axis == 1 ? Block[0] : Block[0] * Block[1];
    const bool IsInBlock = Block[Axis] > 1;
    // A warp that has several rows is next to the one that has those after
    // them: farther than the next thread, which shares no less.
    const bool IsWhole =
        Apart % WarpLanes == 0 ||
        (WarpLanes % Apart == 0 && Apart * Block[Axis] % WarpLanes == 0);
    if (IsInBlock ? !IsWhole : !WasBeside[Axis])
      continue;
    const unsigned Warps = std::max(1u, Apart / WarpLanes);
    const unsigned Rows = Apart * Block[Axis] / WarpLanes / Warps;
    std::vector<double> All(Code.Sites.size());
    for (const Request &L : Loads) {
      if (IsInBlock && L.Warp / Warps % Rows + 1 == Rows)
        continue; // nobody is next to it
      ++All[L.Site];
      Shares[L.Site][Axis] += IsInBlock
                                  ? Loaded.contains({L.Key, L.Warp + Warps})
                                  : LoadedNext[Axis].contains({L.Key, L.Warp});
    }
    for (size_t N = 0; N != Shares.size(); ++N)
      if (All[N] > 0)
        Shares[N][Axis] /= All[N];
  }
  return Shares;
}

} // namespace warpwise::access
