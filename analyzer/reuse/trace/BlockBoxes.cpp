//===- BlockBoxes.cpp - Blocks that their neighbours tell -----------------===//

#include "analyzer/reuse/trace/BlockBoxes.h"

#include <algorithm>

namespace warpwise::reuse {

bool BlockBoxes::Box::contains(const Index &Block) const {
  for (unsigned D = 0; D != 3; ++D)
    if (Block[D] < First[D] || Block[D] > Last[D])
      return false;
  return true;
}

void BlockBoxes::Box::distances(const Index &Block, Distances &From) const {
  const uint64_t X = uint64_t(Block[0]) - Base[0];
  const uint64_t Y = uint64_t(Block[1]) - Base[1];
  const uint64_t Z = uint64_t(Block[2]) - Base[2];
  From.resize(Sites.size());
  for (size_t S = 0; S != Sites.size(); ++S) {
    const auto &[OfBase, Steps] = Sites[S];
    From[S] = OfBase + X * Steps[0] + Y * Steps[1] + Z * Steps[2];
  }
}

/// Kernels whose blocks all go another way are left alone.
bool BlockBoxes::isWorthwhile() const {
  constexpr uint64_t FreeShare = 16;
  return Tries <= Shape.blocks() * OfWarp.size() / FreeShare + Told;
}

bool BlockBoxes::find(const WarpPlace &Warp, LikeTraces &Likes) {
  std::vector<Box> &Boxes = OfWarp[Warp.Warp];
  for (Box &B : Boxes) {
    if (!B.contains(Warp.Block) || Likes.Kept[B.Place] != B.Model)
      continue;
    Likeness &Like = Likes.ByWarp[Warp.Warp];
    B.distances(Warp.Block, Like.Moves);
    if (!Models.tell(B.Place, Like))
      continue;
    ++Told;
    // The next block is likely to be in this one, too.
    if (&B != Boxes.data())
      std::swap(B, Boxes.front());
    return true;
  }
  return false;
}

/// A box that grows around the block of a warp.
class BlockBoxes::Growth {
  BlockBoxes &All;
  const WarpPlace &Warp;
  const std::vector<WarpLanes> &Ran;
  const RunWarp Run;
  Distances Found, Expected;

public:
  Box Made;

  Growth(BlockBoxes &All, const WarpPlace &Warp,
         const std::vector<WarpLanes> &Ran, const Likeness &Like, RunWarp Run)
      : All(All), Warp(Warp), Ran(Ran), Run(Run) {
    Made.First = Made.Last = Made.Base = Warp.Block;
    Made.Place = Like.Place;
    Made.Model = Like.Model;
  }

  /// False when the base does not do exactly what its model does.
  bool begin() {
    if (!All.Models.follows(Made.Place, Ran, Found))
      return false;
    for (uint64_t Each : Found)
      Made.Sites.push_back({Each});
    return true;
  }

  /// Makes the box as long as possible in one direction.
  void extend(unsigned D) {
    if (All.Shape.Grid[D] == 1)
      return;
    Index Next = Made.Base;
    uint64_t Sign = 1;
    if (++Next[D] == All.Shape.Grid[D] || !follows(Next)) {
      if (Made.Base[D] == 0)
        return;
      Sign = ~uint64_t(0);
      Next[D] = Made.Base[D] - 1;
      if (!follows(Next))
        return;
    }
    for (size_t S = 0; S != Found.size(); ++S)
      Made.Sites[S].Steps[D] = Sign * (Found[S] - Made.Sites[S].OfBase);
    if (Sign == 1)
      Made.Last[D] = furthest(D, Made.Base[D], All.Shape.Grid[D] - 1);
    if (Made.Base[D] != 0)
      Made.First[D] = furthest(D, Made.Base[D], 0);
  }

private:
  bool follows(const Index &Block) {
    if (!All.isWorthwhile())
      return false;
    ++All.Tries;
    WarpPlace Other = Warp;
    Other.Block = Block;
    return Run(Other) && All.Models.follows(Made.Place, Ran, Found);
  }

  /// Whether the box could go on to \p At: blocks of one path are convex.
  bool reaches(unsigned D, uint32_t At) {
    for (unsigned Corner = 0; Corner != 1u << D; ++Corner) {
      Index Block = Made.Base;
      Block[D] = At;
      bool IsNew = true;
      for (unsigned E = 0; E != D; ++E) {
        const bool AtLast = Corner >> E & 1;
        Block[E] = AtLast ? Made.Last[E] : Made.First[E];
        IsNew &= !AtLast || Made.First[E] != Made.Last[E];
      }
      if (!IsNew)
        continue;
      Made.distances(Block, Expected);
      if (!follows(Block) || Found != Expected)
        return false;
    }
    return true;
  }

  /// The last index, from \p Good on towards \p Limit, that the box reaches.
  uint32_t furthest(unsigned D, uint32_t Good, uint32_t Limit) {
    uint32_t Bad = Limit;
    for (uint32_t At = Limit; At != Good;
         At = Good + (int64_t(Bad) - int64_t(Good)) / 2)
      (reaches(D, At) ? Good : Bad) = At;
    return Good;
  }
};

void BlockBoxes::grow(const WarpPlace &Warp, const std::vector<WarpLanes> &Ran,
                      const LikeTraces &Likes, RunWarp Run) {
  const Likeness &Like = Likes.ByWarp[Warp.Warp];
  if (Like.Model == 0 || !isWorthwhile())
    return;
  Growth New(*this, Warp, Ran, Like, Run);
  if (!New.begin())
    return;
  for (unsigned D = 0; D != 3; ++D)
    New.extend(D);
  if (New.Made.First == New.Made.Last)
    return;
  std::vector<Box> &Boxes = OfWarp[Warp.Warp];
  std::erase_if(Boxes,
                [&](const Box &B) { return Likes.Kept[B.Place] != B.Model; });
  Boxes.push_back(std::move(New.Made));
}

} // namespace warpwise::reuse
