//===- BlockWords.cpp - Who of a block accesses which words ---------------===//

#include "analyzer/evaluate/BlockWords.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace warpwise::access {
namespace {

/// Loads of lanes that are looked at in all. A block that makes more of them
/// outside of loops is none that one would change by hand.
constexpr size_t MostLoads = 1 << 16;

/// An address that rests on nothing but the launch and rounds of loops.
constexpr uint32_t Certain = OriginRound | OriginRoundStep;

} // namespace

BlockWords::BlockWords(const Program &Code, const launch::Dim3 &Block)
    : Code(Code), Block(Block) {
  for (const Site &S : Code.Sites) {
    if (S.CarriedIn >= 0)
      Carried.try_emplace(S.Object, 16);
    HasWindows |= isInWindow(S);
  }
  for (const Site &S : Code.Sites)
    if (const auto Its = Carried.find(S.Object); Its != Carried.end())
      Its->second = std::gcd(Its->second, S.Bytes);
}

/// Whether \p S may be part of a window: what a thread loads in a row.
bool BlockWords::isInWindow(const Site &S) const {
  return S.Memory == Space::Shared && S.Op == Operation::Load &&
         S.Sort == Access::Kind::Plain && S.Object &&
         (S.LoopDepth == 0 ||
          (S.UnrolledIn >= 0 && Code.Loops[S.UnrolledIn].Parent < 0));
}

void BlockWords::startWarp(unsigned Number) {
  Warp = Number;
  Epoch = 0;
}

void BlockWords::request(uint32_t Number, const LaneValue &Address,
                         uint32_t Active, uint32_t) {
  const Site &S = Code.Sites[Number];
  if (S.Memory != Space::Shared)
    return;
  if (Carried.contains(S.Object))
    own(S, Address, Active);
  if (!isInWindow(S))
    return;
  for (uint32_t Left = Active & ~Address.Unknown;
       Left != 0 && Loads.size() <= MostLoads; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    Loads.push_back(
        {Number, Warp * WarpLanes + Lane, Epoch, Address.lane(Lane)});
  }
}

void BlockWords::own(const Site &S, const LaneValue &Address, uint32_t Active) {
  if ((Address.Unknown & Active) || (Address.From & ~Certain))
    Disputed.insert(S.Object);
  if (Disputed.contains(S.Object))
    return;
  const unsigned Bytes = Carried.at(S.Object);
  const int Word = S.CarriedIn >= 0 ? int(S.CarriedWord) : -1;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    const unsigned Thread = Warp * WarpLanes + Lane;
    const uint64_t First = Address.lane(Lane) / Bytes;
    const uint64_t Last = (Address.lane(Lane) + S.Bytes - 1) / Bytes;
    for (uint64_t N = First; N <= Last; ++N) {
      const auto [At, IsNew] =
          Owners.try_emplace(Granule(N, Epoch), Owner{Thread, Word});
      if (IsNew)
        continue;
      Owner &Its = At->second;
      Its.IsShared |= Its.Thread != Thread;
      const bool AreTwo = Its.Word >= 0 && Word >= 0 && Its.Word != Word;
      Its.Word = std::max(Its.Word, Word);
      if (AreTwo || (Its.IsShared && Its.Word >= 0))
        Disputed.insert(S.Object);
    }
  }
}

bool BlockWords::isOwn(uint32_t Number) const {
  return Code.Sites[Number].CarriedIn >= 0 &&
         !Disputed.contains(Code.Sites[Number].Object);
}

std::vector<std::array<double, 3>> BlockWords::loadedBeside() const {
  std::vector<std::array<double, 3>> Shares(Code.Sites.size());
  if (Loads.size() > MostLoads)
    return Shares;
  const auto keyOf = [](uint64_t At, unsigned Thread, unsigned Epoch) {
    return std::pair(At, uint64_t(Epoch) << 32 | Thread);
  };
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Known;
  for (const Load &L : Loads)
    Known.insert(keyOf(L.At, L.Thread, L.Epoch));
  std::vector<std::array<double, 3>> All(Code.Sites.size());
  for (const Load &L : Loads) {
    unsigned Next = 1, Along = L.Thread;
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      if (Along % Block[Axis] + 1 != Block[Axis]) {
        ++All[L.Site][Axis];
        Shares[L.Site][Axis] +=
            Known.contains(keyOf(L.At, L.Thread + Next, L.Epoch));
      }
      Along /= Block[Axis];
      Next *= Block[Axis];
    }
  }
  for (size_t N = 0; N != Shares.size(); ++N)
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      if (All[N][Axis] > 0)
        Shares[N][Axis] /= All[N][Axis];
  return Shares;
}

} // namespace warpwise::access
