//===- WarpModels.cpp - Warps that are like earlier ones ------------------===//

#include "analyzer/reuse/trace/WarpModels.h"

#include <algorithm>
#include <limits>

namespace warpwise::reuse {
namespace {

/// Of a model: 1 MiB.
constexpr size_t MostEntries = 1 << 17;
constexpr uint16_t NoGroup = std::numeric_limits<uint16_t>::max();
/// What entries differ by when their addresses are bytes or whole lines apart.
constexpr uint64_t ByteStep = uint64_t(1) << PositionBits;
constexpr uint64_t LineStep = LineBytes * ByteStep;

uint64_t payload(uint64_t Entry) { return Entry >> PositionBits; }
int64_t bytes(uint64_t Delta) { return int64_t(Delta) >> PositionBits; }

} // namespace

bool WarpModels::areRare() const {
  // Where few warps are like others, looking costs more than it saves. Chosen,
  // not measured; they change nothing but the time.
  constexpr uint64_t Enough = 256, LeastShare = 8;
  return Tries >= Enough && Finds * LeastShare < Tries;
}

bool WarpModels::find(const std::vector<WarpLanes> &Ran, const WarpPlace &Warp,
                      LikeTraces &Likes) {
  if (areRare())
    return false;
  for (unsigned I = 0; I != LikeTraces::MostModels; ++I) {
    const unsigned Place = (LastPlace + I) % LikeTraces::MostModels;
    const WarpModel &M = Models[Place];
    if (M.Number == 0 || Likes.Kept[Place] != M.Number ||
        !matches(M, Ran, Match::Trace))
      continue;
    LastPlace = Place;
    Likeness &Like = Likes.ByWarp[Warp.Warp];
    Like.Moves.assign(Deltas.begin(), Deltas.end() - 2);
    return tell(Place, Like);
  }
  ++Tries;
  return false;
}

bool WarpModels::tell(unsigned Place, Likeness &Like) {
  const WarpModel &M = Models[Place];
  uint64_t Bits = 0;
  for (uint64_t &Moved : Like.Moves) {
    Bits |= Moved;
    Moved = uint64_t(int64_t(Moved) / int64_t(LineStep));
  }
  if (Bits % LineStep != 0)
    return false;
  if (M.HasLocal)
    for (size_t G = 0; G != M.Groups.size(); ++G)
      if (M.Groups[G].What == Group::Kind::Local)
        Like.Moves[G] = 0; // a trace has all local memory at one place
  ++Tries;
  ++Finds;
  Like.Model = M.Number;
  Like.Place = Place;
  Like.IsMoved = true;
  return true;
}

bool WarpModels::follows(unsigned Place, const std::vector<WarpLanes> &Ran,
                         Distances &From) {
  if (!matches(Models[Place], Ran, Match::Path))
    return false;
  From.assign(Deltas.begin(), Deltas.end() - 2);
  return true;
}

/// Sets Deltas when it is true.
bool WarpModels::matches(const WarpModel &M, const std::vector<WarpLanes> &Ran,
                         Match Wanted) {
  if (!std::equal(Ran.begin(), Ran.end(), M.Shapes.begin(), M.Shapes.end(),
                  [](const WarpLanes &L, const RowShape &S) {
                    return RowShape{L.First, L.Lanes, L.Entries.size()} == S;
                  }))
    return false;
  const size_t Groups = M.Groups.size();
  Deltas.resize(Groups + 2);
  for (size_t G = 0; G != Groups; ++G) {
    const Group &Of = M.Groups[G];
    Deltas[G] = Ran[Of.Lanes].Entries.Begin[Of.Entry] - M.Entries[Of.At];
    const uint64_t Step = Wanted == Match::Trace ? LineStep : ByteStep;
    if (Of.What == Group::Kind::Global ? Deltas[G] % Step != 0 : Deltas[G] != 0)
      return false;
  }
  Deltas[Groups] = Deltas[Groups + 1] = 0;
  Masks.assign(Groups + 2, ~uint64_t(0));
  Masks[Groups] = Wanted == Match::Trace ? PositionMask : ~uint64_t(0);
  Masks[Groups + 1] = PositionMask;
  const uint64_t *Moved = Deltas.data(), *Fitting = Masks.data();
  const uint64_t *Old = M.Entries.data();
  const uint16_t *GroupOf = M.GroupOf.data();
  for (const WarpLanes &L : Ran) {
    // The inner loop does without branches, the outer one ends where entries
    // differ. Chosen, not measured.
    constexpr ptrdiff_t AtOnce = 256;
    for (const uint64_t *At = L.Entries.Begin; At != L.Entries.End;) {
      uint64_t Errors = 0;
      for (const uint64_t *End = At + std::min(AtOnce, L.Entries.End - At);
           At != End; ++At, ++Old, ++GroupOf)
        Errors |= (*At - *Old - Moved[*GroupOf]) & Fitting[*GroupOf];
      if (Errors != 0)
        return false;
    }
  }
  return Addresses.isOneRegion() || keepsRegions(M, Ran);
}

/// Whether the device's addresses are moved as those of this process are.
bool WarpModels::keepsRegions(const WarpModel &M,
                              const std::vector<WarpLanes> &Ran) const {
  size_t I = 0;
  for (const WarpLanes &L : Ran)
    for (const uint64_t *At = L.Entries.Begin; At != L.Entries.End; ++At, ++I) {
      const size_t G = M.GroupOf[I];
      if (G == M.Groups.size() ||
          (G < M.Groups.size() && M.Groups[G].What != Group::Kind::Global))
        continue;
      const auto New = Addresses.device(payload(*At));
      const auto Old = Addresses.device(payload(M.Entries[I]));
      if (New.has_value() != Old.has_value() ||
          (New && int64_t(*New - *Old) != bytes(Deltas[G])))
        return false;
    }
  return true;
}

void WarpModels::add(const std::vector<WarpLanes> &Ran, const WarpPlace &Warp,
                     const WarpTrace &Trace, LikeTraces &Likes) {
  size_t Entries = 0;
  for (const WarpLanes &L : Ran)
    Entries += L.Entries.size();
  if (areRare() || Entries > MostEntries)
    return;
  const unsigned Place = placeFor(Likes);
  WarpModel &M = Models[Place];
  M.Number = Likes.Kept[Place] = 0;
  if (!groupSites(Trace, M) || !groupEntries(Ran, M))
    return;
  M.Shapes.clear();
  M.Entries.clear();
  for (const WarpLanes &L : Ran) {
    M.Shapes.push_back({L.First, L.Lanes, L.Entries.size()});
    M.Entries.insert(M.Entries.end(), L.Entries.Begin, L.Entries.End);
  }
  M.HasLocal =
      std::any_of(M.Groups.begin(), M.Groups.end(),
                  [](const Group &G) { return G.What == Group::Kind::Local; });
  M.Number = Likes.Kept[Place] = ++LastNumber;
  Likeness &Like = Likes.ByWarp[Warp.Warp];
  Like.Model = M.Number;
  Like.Place = Place;
  Like.IsMoved = false;
}

/// One that is not used, else that of the oldest.
unsigned WarpModels::placeFor(const LikeTraces &Likes) {
  for (unsigned Place = 0; Place != LikeTraces::MostModels; ++Place)
    if (Models[Place].Number == 0 || Likes.Kept[Place] != Models[Place].Number)
      return Place;
  NextPlace = (NextPlace + 1) % LikeTraces::MostModels;
  return NextPlace;
}

/// A group for each site of the trace. False when one is scattered too far.
bool WarpModels::groupSites(const WarpTrace &Trace, WarpModel &M) {
  constexpr uint64_t MostLines = std::numeric_limits<int32_t>::max();
  std::vector<std::pair<uint64_t, uint64_t>> Extents;
  M.Groups.clear();
  GroupOfSite.clear();
  for (const LineAccess &A : Trace) {
    if (A.Site >= GroupOfSite.size())
      GroupOfSite.resize(A.Site + 1, NoGroup);
    uint16_t &G = GroupOfSite[A.Site];
    if (G == NoGroup) {
      G = uint16_t(M.Groups.size());
      M.Groups.emplace_back();
      Extents.emplace_back(A.Line, A.Line);
      if (M.Groups.size() + 2 >= NoGroup)
        return false;
    }
    auto &[Low, High] = Extents[G];
    Low = std::min(Low, A.Line);
    High = std::max(High, A.Line);
    if (High - Low > MostLines)
      return false;
  }
  return true;
}

/// Says of each entry to which group it belongs. False where that is not clear.
bool WarpModels::groupEntries(const std::vector<WarpLanes> &Ran, WarpModel &M) {
  const auto Groups = uint16_t(M.Groups.size());
  constexpr uint8_t Traced = 1, Dropped = 2;
  Seen.assign(Kinds.size(), 0);
  M.GroupOf.clear();
  for (size_t L = 0; L != Ran.size(); ++L)
    for (const uint64_t *At = Ran[L].Entries.Begin; At != Ran[L].Entries.End;
         ++At) {
      const auto Position = uint32_t(*At & PositionMask);
      const RequestKind &Kind = Kinds[Position];
      if (!Kind.IsRequest) {
        M.GroupOf.push_back(Groups);
        continue;
      }
      const Group::Kind What = Kind.Like.What == LineAccess::Kind::Barrier
                                   ? Group::Kind::Barrier
                               : Kind.Like.Local ? Group::Kind::Local
                                                 : Group::Kind::Global;
      const bool IsDropped =
          What == Group::Kind::Global && !Addresses.device(payload(*At));
      Seen[Position] |= IsDropped ? Dropped : Traced;
      // A request of which only some lanes have lines.
      if (Seen[Position] == (Dropped | Traced))
        return false;
      if (IsDropped) {
        M.GroupOf.push_back(uint16_t(Groups + 1));
        continue;
      }
      const uint32_t Site = Kind.Like.Site;
      if (Site >= GroupOfSite.size() || GroupOfSite[Site] == NoGroup)
        return false;
      Group &G = M.Groups[GroupOfSite[Site]];
      if (G.What == Group::Kind::None)
        G = {What, L, size_t(At - Ran[L].Entries.Begin), M.GroupOf.size()};
      else if (G.What != What)
        return false;
      M.GroupOf.push_back(GroupOfSite[Site]);
    }
  return std::none_of(M.Groups.begin(), M.Groups.end(), [](const Group &G) {
    return G.What == Group::Kind::None;
  });
}

} // namespace warpwise::reuse
