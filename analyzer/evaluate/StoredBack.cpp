//===- StoredBack.cpp - Threads that load what they stored ----------------===//

#include "analyzer/evaluate/StoredBack.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <bit>

namespace warpwise::access {
namespace {

/// Elements of a block that are followed, in all. Who stores more of them has
/// no registers for them.
constexpr size_t MostElements = 1 << 14;

/// Where data decide which element it is, nobody knows whose it is.
constexpr uint32_t FromData = OriginMemory | OriginExchange | OriginAtomic |
                              OriginCall | OriginFloat | OriginAssembly |
                              OriginPrivate | OriginTruncated |
                              OriginUndefined | OriginLoadedByAll;

} // namespace

StoredBack::StoredBack(const Program &Code)
    : Code(Code), Sites(Code.Sites.size()) {
  struct Use {
    bool IsStored = false, IsLoaded = false, IsOther = false;
    unsigned Bytes = 0;
  };
  llvm::SmallDenseMap<const llvm::Value *, Use, 8> Uses;
  for (const Site &S : Code.Sites) {
    if (S.Memory != Space::Global)
      continue;
    if (!S.Object)
      return; // may lead to any of them
    Use &Its = Uses[S.Object];
    Its.IsOther |= S.Sort != Access::Kind::Plain || S.Op == Operation::Atomic ||
                   (Its.Bytes != 0 && Its.Bytes != S.Bytes);
    Its.IsStored |= S.Op == Operation::Store;
    Its.IsLoaded |= S.Op == Operation::Load;
    Its.Bytes = S.Bytes;
  }
  for (const auto &[Object, Its] : Uses)
    if (Its.IsStored && Its.IsLoaded && !Its.IsOther)
      Arrays.try_emplace(Object, Array{.Bytes = Its.Bytes});
}

void StoredBack::request(uint32_t Number, const LaneValue &Address,
                         uint32_t Active, uint32_t) {
  const Site &S = Code.Sites[Number];
  const auto Found = Arrays.find(S.Object);
  if (Found == Arrays.end() || S.Memory != Space::Global)
    return;
  Array &Its = Found->second;
  Sites[Number].IsSeen = true;
  Its.IsOwn &= !(Address.Unknown & Active) && !(Address.From & FromData) &&
               Its.Elements.size() < MostElements;
  for (uint32_t Left = Active; Left != 0 && Its.IsOwn; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    access(Its, Number, Warp * WarpLanes + Lane, Address.lane(Lane));
  }
}

void StoredBack::access(Array &Its, uint32_t Number, unsigned Thread,
                        uint64_t At) {
  if (Its.Elements.empty())
    Its.Phase = At % Its.Bytes;
  const bool IsStore = Code.Sites[Number].Op == Operation::Store;
  const auto Found = Its.Elements.find(At);
  const bool IsKnown = Found != Its.Elements.end();
  Its.IsOwn = At % Its.Bytes == Its.Phase && (IsKnown || IsStore) &&
              (!IsKnown || Found->second.Thread == Thread);
  if (!Its.IsOwn || !IsStore)
    return;
  ++Sites[Number].Stored;
  if (!IsKnown) {
    Its.Elements.insert({At, {Thread, Number}});
    return;
  }
  ++Sites[Found->second.LastStore].Overwritten;
  Found->second.LastStore = Number;
}

std::vector<std::optional<double>> StoredBack::kept() const {
  std::vector<std::optional<double>> Result(Code.Sites.size());
  // What a load that the run did not come to would find is not known.
  llvm::SmallPtrSet<const llvm::Value *, 4> Unsure;
  for (uint32_t N = 0; N != Code.Sites.size(); ++N)
    if (Code.Sites[N].Op == Operation::Load && !Sites[N].IsSeen)
      Unsure.insert(Code.Sites[N].Object);
  for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
    const Site &S = Code.Sites[N];
    const auto Found = Arrays.find(S.Object);
    if (S.Memory != Space::Global || Found == Arrays.end() ||
        !Found->second.IsOwn || Unsure.contains(S.Object))
      continue;
    if (S.Op == Operation::Load)
      Result[N] = 0;
    else if (Sites[N].Stored > 0)
      Result[N] = 1 - Sites[N].Overwritten / Sites[N].Stored;
  }
  return Result;
}

} // namespace warpwise::access
