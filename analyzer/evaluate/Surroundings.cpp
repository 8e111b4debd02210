//===- Surroundings.cpp - Who uses the rest of a sector -------------------===//

#include "analyzer/evaluate/Surroundings.h"

#include "analyzer/evaluate/SectorParts.h"

#include <algorithm>
#include <bit>

namespace warpwise::access {
namespace {

/// Requests of a site that are looked at.
constexpr unsigned MostRequests = 64;

/// Loads make use of what loads bring, stores of what stores write.
unsigned directionOf(const Site &S) { return S.Op != Operation::Load; }

} // namespace

Surroundings::Surroundings(const Program &Code, const profile::RequestLaw &Law,
                           std::vector<Question> About)
    : Code(Code), Law(Law), Questions(std::move(About)),
      QuestionOf(Code.Sites.size(), -1), WarpOf(Questions.size(), NoWarp),
      Requests(Questions.size()), Seen(Code.Sites.size()) {
  for (size_t N = 0; N != Questions.size(); ++N)
    QuestionOf[Questions[N].Site] = int32_t(N);
}

void Surroundings::start(Stage Now, unsigned Number) {
  Current = Now;
  Warp = Number;
}

bool Surroundings::isComplete() const {
  return std::none_of(WarpOf.begin(), WarpOf.end(),
                      [](unsigned Of) { return Of == NoWarp; });
}

void Surroundings::request(uint32_t Number, const LaneValue &Address,
                           uint32_t Active, uint32_t) {
  const Site &S = Code.Sites[Number];
  if (S.Memory != Space::Global)
    return;
  const int32_t Asked = QuestionOf[Number];
  Seen[Number] |= Current == Stage::OwnBlock && Address.Unknown != ~0u;
  if (Current == Stage::Sectors) {
    // One lane alone says nothing about its neighbours.
    if (Asked < 0 || std::popcount(Active & ~Address.Unknown) < 2 ||
        (WarpOf[Asked] != NoWarp && WarpOf[Asked] != Warp) ||
        Requests[Asked]++ >= MostRequests)
      return;
    WarpOf[Asked] = Warp;
  }
  uint64_t Sector = 0;
  uint32_t Used = 0;
  const auto Take = [&] {
    if (Used == 0)
      return;
    if (Current == Stage::Sectors)
      takeDown(uint32_t(Asked), Sector, Used);
    else
      compare(S, Sector, Used);
  };
  // Lanes side by side mostly share one.
  for (uint32_t Left = Active & ~Address.Unknown; Left != 0; Left &= Left - 1) {
    visitSectors(Law, Address.lane(std::countr_zero(Left)), S.Bytes,
                 [&](uint64_t N, uint32_t More) {
                   if (N != Sector) {
                     Take();
                     Sector = N;
                     Used = 0;
                   }
                   Used |= More;
                 });
    if (Address.Uniform)
      break;
  }
  Take();
}

void Surroundings::takeDown(uint32_t Question, uint64_t Number, uint32_t Used) {
  const auto [At, IsNew] =
      IndexOf.try_emplace(Number, uint32_t(Sectors.size()));
  if (IsNew)
    Sectors.emplace_back();
  auto &By = Sectors[At->second].By;
  auto *Known = std::find_if(By.begin(), By.end(), [&](const Watched &W) {
    return W.Question == Question;
  });
  if (Known == By.end())
    Known = &By.emplace_back(Watched{Question});
  Known->Own |= Used;
}

void Surroundings::compare(const Site &S, uint64_t Number, uint32_t Used) {
  const auto At = IndexOf.find(Number);
  if (At == IndexOf.end())
    return;
  Sector &Its = Sectors[At->second];
  const unsigned Direction = directionOf(S);
  Its.Grid[Direction] |= Used;
  if (Current != Stage::OwnBlock)
    return;
  Its.Block[Direction] |= Used;
  for (Watched &W : Its.By)
    if (WarpOf[W.Question] == Warp &&
        directionOf(Code.Sites[Questions[W.Question].Site]) == Direction)
      W.Warp |= Used;
}

/// Whether an access that was not seen may use the same records.
bool Surroundings::mayBeUsedElsewhere(uint32_t Number) const {
  if (IsCutShort)
    return true;
  const Site &Mine = Code.Sites[Number];
  for (size_t N = 0; N != Code.Sites.size(); ++N) {
    const Site &S = Code.Sites[N];
    if (!Seen[N] && S.Memory == Space::Global &&
        directionOf(S) == directionOf(Mine) &&
        (!S.Object || !Mine.Object || S.Object == Mine.Object))
      return true;
  }
  return false;
}

Neighbour Surroundings::answer(size_t N) const {
  const unsigned Direction = directionOf(Code.Sites[Questions[N].Site]);
  double Count = 0, Own = 0, OfWarp = 0, OfBlock = 0, OfGrid = 0;
  for (const Sector &S : Sectors)
    for (const Watched &W : S.By)
      if (W.Question == N) {
        ++Count;
        Own += std::popcount(W.Own);
        OfWarp += std::popcount(W.Own | W.Warp);
        OfBlock += std::popcount(W.Own | S.Block[Direction]);
        OfGrid += std::popcount(W.Own | S.Grid[Direction]);
      }
  if (Count == 0)
    return Neighbour::Unknown;
  // Whoever makes twice as much of the sectors, or most of them, uses the rest;
  // a bit less than twice where rows begin anywhere in a sector.
  constexpr double Most = 0.6, Least = 1.25, Twice = 1.75;
  const double Now = Questions[N].Used;
  const auto Uses = [&](double Bits, double Now) {
    const double Used = Bits / (Count * SectorParts);
    return Used >= Twice * Now || (Used >= Most && Used >= Least * Now);
  };
  return Uses(Own, Questions[N].UsedAlone)       ? Neighbour::SameLanes
         : Uses(OfWarp, Now)                     ? Neighbour::OtherAccesses
         : Uses(OfBlock, Now)                    ? Neighbour::OtherWarps
         : Uses(OfGrid, Now)                     ? Neighbour::OtherBlocks
         : mayBeUsedElsewhere(Questions[N].Site) ? Neighbour::Unknown
                                                 : Neighbour::Nobody;
}

} // namespace warpwise::access
