//===- Simulation.cpp - A part of a launch, simulated ---------------------===//

#include "analyzer/reuse/Simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// One of each \p Stride SMs, but not always the same one: SMs of one group are
/// an even number apart on some devices, and share more than others do.
bool isInSample(unsigned Sm, unsigned Stride) {
  return Sm % Stride == Sm / Stride * 7 % Stride;
}

} // namespace

Simulation::Simulation(TraceSource &Source, const CacheOptions &Options,
                       const SimulationSettings &Settings,
                       const Residency &Room, const Sample &Part)
    : Source(Source), Options(Options), Settings(Settings), Room(Room),
      Part(Part), SiteCount(Source.sites().size()),
      L1Index(Options.L1, setsOf(Options.L1, Room.L1Bytes)),
      Parts(Part, SiteCount,
            {Options.Sm.Count / Part.SmStride,
             Room.L1Bytes / Options.L1.LineBytes,
             Options.L1.Policy == Replacement::Lru}),
      Rows((Part.Windows.whole() ? Parts.count() : Part.Windows.Simulated) *
           SiteCount),
      Pool(SiteCount),
      Blocks(Options, Room.BlocksPerSm, Part.FirstBlock, Part.Blocks),
      Common(Options.Sm.WarpLead), IsSimulated(Options.Sm.Count),
      ModelOf(Options.Sm.Count) {
  for (unsigned Sm : Blocks.firstWave())
    IsSimulated[Sm] = true;
  for (unsigned Sm = 0, Used = 0; Sm != Options.Sm.Count; ++Sm)
    if (IsSimulated[Sm])
      IsSimulated[Sm] = isInSample(Used++, Part.SmStride);
  // Of those that are left out, each would have had its turn.
  const auto Simulated =
      std::count(IsSimulated.begin(), IsSimulated.end(), true);
  Turns.emplace(Options.Sm.Count,
                double(Options.RoundCycles) /
                    double(std::max<ptrdiff_t>(1, Simulated)));
  if (Settings.ReuseDistances)
    makeProfiles();
  L2.emplace(Options, Rows, L2Profile ? &*L2Profile : nullptr);
  L2->sampleSms(Part.SmStride);
}

/// Some SMs say enough of L1's reuse, and the stacks of all need much memory.
void Simulation::makeProfiles() {
  const size_t Simulated =
      size_t(std::count(IsSimulated.begin(), IsSimulated.end(), true));
  ProfileStride = (Simulated + 15) / 16;
  for (size_t I = 0; I < Simulated; I += ProfileStride)
    Profiles.emplace_back(Options.L1, setsOf(Options.L1, Room.L1Bytes),
                          Settings.MostWays, Settings.ReuseSampleShift);
  L2Profile.emplace(
      Options.L2,
      setsOf(Options.L2, Options.L2.CapacityBytes / Options.Partitions),
      Settings.MostWays, Settings.ReuseSampleShift);
}

/// Made with its first block: small launches use few SMs.
SmModel &Simulation::smOf(unsigned Sm) {
  std::unique_ptr<SmModel> &Model = ModelOf[Sm];
  if (!Model) {
    ReuseDistance *Profile = Profiles.empty() || Sms.size() % ProfileStride != 0
                                 ? nullptr
                                 : &Profiles[Sms.size() / ProfileStride];
    Model = std::make_unique<SmModel>(Sm, Options, Room.L1Bytes, L1Index, Rows,
                                      Common, *this, Profile);
    Model->leaveOut(Part.Windows, SiteCount);
    Model->reserveLocalMemory(Source.shape().LocalBytesPerWarp / LineBytes);
    Sms.push_back({Sm, Model.get()});
  }
  return *Model;
}

std::string Simulation::start(unsigned Sm, uint64_t Block, Cycle When) {
  assert(Block >= Part.FirstBlock && Block - Part.FirstBlock < Part.Blocks);
  if (std::string Wrong = Source.blockLike(Block, Scratch, Likes);
      !Wrong.empty())
    return Wrong;
  const size_t Where =
      Part.Windows.whole() ? Parts.of(Block - Part.FirstBlock) : 0;
  Parts.started(Where);
  Starting.FirstRow = uint32_t(Where * SiteCount);
  Starting.Warps.resize(Scratch.Warps.size());
  for (size_t W = 0; W != Starting.Warps.size(); ++W) {
    ResidentWarp &Into = Starting.Warps[W];
    Into.Rest = W < Scratch.Rest.size() ? std::move(Scratch.Rest[W]) : nullptr;
    if (Into.Rest && !std::exchange(HasPieces, true))
      if (std::string Wrong = findEnd(Block, W); !Wrong.empty())
        return Wrong;
    const Likeness *Like = W < Likes.ByWarp.size() ? &Likes.ByWarp[W] : nullptr;
    if (std::string Wrong = Like && Like->IsMoved
                                ? Pool.move(*Like, Into.Code)
                                : Pool.intern(Scratch.Warps[W], Into.Code);
        !Wrong.empty())
      return Wrong;
    countRequests(Like, Into.Code, Starting.FirstRow);
    Accesses += Into.Code.Trace->Accesses.size();
  }
  if (std::string Wrong = checkMemory(); !Wrong.empty())
    return Wrong;
  smOf(Sm).start(Starting, When);
  return "";
}

/// Counts what a warp asks for at once, and what it misses as that happens.
/// Warps that are like a model are counted together.
void Simulation::countRequests(const Likeness *Like, const WarpCode &Code,
                               uint32_t FirstRow) {
  if (!Like || Like->Model == 0)
    return Code.Trace->countRequests(1, &Rows[FirstRow]);
  auto &[Row, Warps] = LikeWarps[Like->Place];
  if (!Like->IsMoved || Row != FirstRow) {
    countLikeWarps(Like->Place);
    if (!Like->IsMoved)
      Pool.keep(*Like, Code);
    Row = FirstRow;
  }
  ++Warps;
}

void Simulation::countLikeWarps(unsigned Place) {
  if (auto &[Row, Warps] = LikeWarps[Place]; Warps != 0) {
    Pool.model(Place).countRequests(Warps, &Rows[Row]);
    Warps = 0;
  }
}

/// Goes through one long trace: one that does not end is known in a second, and
/// not after an hour of simulation.
std::string Simulation::findEnd(uint64_t Block, size_t Warp) {
  BlockTrace Again;
  std::string Wrong = Source.block(Block, Again);
  if (!Wrong.empty() || Warp >= Again.Rest.size() || !Again.Rest[Warp])
    return Wrong;
  do
    Wrong = Again.Rest[Warp]->next(Piece);
  while (Wrong.empty() && !Piece.empty());
  return Wrong;
}

std::string Simulation::checkMemory() {
  MostBytes = std::max(MostBytes, Pool.bytes());
  if (Pool.bytes() <= Settings.MostTraceBytes)
    return "";
  OutOfMemory = true;
  return fmt::format("the traces of the blocks on one SM need more than {} MiB",
                     Settings.MostTraceBytes >> 20);
}

/// What goes wrong is noted, and run() stops for it.
const std::vector<uint64_t> *Simulation::readNext(HeldTrace &Warp) {
  if (Problem.empty())
    Problem = Warp.Rest->next(Piece);
  if (!Problem.empty() || Piece.empty()) {
    Warp.Rest = nullptr;
    return nullptr;
  }
  Accesses += Piece.size();
  Problem = Pool.intern(Piece, PieceCode);
  if (!Problem.empty())
    return nullptr;
  Warp.Trace = std::move(PieceCode.Trace);
  Problem = checkMemory();
  return Problem.empty() ? &PieceCode.Bases : nullptr;
}

std::string Simulation::startFirstWave() {
  uint64_t Begun = 0;
  for (unsigned Sm : Blocks.firstWave()) {
    const Cycle When =
        Cycle(Begun++ * Options.FirstRoundCycles / Options.Sm.Count);
    const std::optional<uint64_t> Block = Blocks.next(Sm);
    if (!Block || !IsSimulated[Sm])
      continue;
    if (std::string Wrong = start(Sm, *Block, When); !Wrong.empty())
      return Wrong;
  }
  return "";
}

/// Gives blocks to the SMs where some ended.
std::string Simulation::refill() {
  bool AnyEnded = false;
  for (const auto &[Number, Sm] : Sms) {
    for (const SmModel::EndedBlock &B : Sm->ended()) {
      Turns->ended({Number, B.When});
      // A warp's row is that of its window, where there are several.
      Parts.ended(Part.Windows.whole()
                      ? B.FirstRow / std::max<size_t>(1, SiteCount)
                      : 0);
      AnyEnded = true;
    }
    Sm->ended().clear();
  }
  if (!AnyEnded)
    return "";
  if (Part.ChunkBlocks != 0)
    countLikeWarps();
  uint64_t Allocated = 0;
  if (Part.ChunkBlocks != 0)
    for (const auto &[Number, Sm] : Sms)
      Allocated += Sm->allocatedLines();
  Parts.compare(Rows, Blocks.dealt(), Allocated);
  while (!Parts.settled() && !Parts.holdsBack(Blocks.dealt())) {
    const std::optional<Dispatcher::Turn> Next = Turns->next();
    if (!Next)
      break;
    const auto &[Sm, When] = *Next;
    const std::optional<uint64_t> Block = Blocks.next(Sm);
    if (!Block)
      continue;
    if (Options.Blocks == BlockMapping::Measured)
      Blocks.skip(Part.SmStride - 1);
    if (std::string Wrong = start(Sm, *Block, When + Options.DispatchCycles);
        !Wrong.empty())
      return Wrong;
  }
  return "";
}

Traffic Simulation::sumOf(size_t Part) const {
  Traffic Sum;
  for (size_t I = 0; I != SiteCount; ++I)
    Sum += Rows[Part * SiteCount + I];
  return Sum;
}

bool Simulation::windowsAgree() const {
  assert(Part.Windows.Simulated >= 2 && "there is nothing to compare");
  const unsigned Last = Part.Windows.Simulated - 1;
  return !HasPieces && sameMisses(sumOf(Last - 1), sumOf(Last));
}

void Simulation::runSms(Cycle Begin, Cycle End) {
  for (size_t I = 0; I != Active.size() + SmModel::FetchSteps; ++I) {
    for (unsigned Step = 0; Step != SmModel::FetchSteps; ++Step)
      if (I >= Step && I - Step < Active.size())
        Sms[Active[I - Step]].second->fetch(Step, End);
    if (I >= SmModel::FetchSteps)
      Sms[Active[I - SmModel::FetchSteps]].second->run(Begin, End);
  }
}

/// Puts the requests of the span in the order of time.
void Simulation::sortRequests(Cycle Begin, Cycle End) {
  const uint32_t Places = End - Begin;
  const auto PlaceOf = [&](const L2Request &R) { return R.When - Begin; };
  StartOf.assign(Places + 1, 0);
  for (uint32_t I : Active)
    for (const L2Request &R : Sms[I].second->requests()) {
      assert(R.When >= Begin && R.When < End);
      ++StartOf[PlaceOf(R) + 1];
    }
  for (uint32_t I = 1; I <= Places; ++I)
    StartOf[I] += StartOf[I - 1];
  Asked.resize(StartOf[Places]);
  for (uint32_t I : Active)
    for (L2Request &R : Sms[I].second->requests())
      Asked[StartOf[PlaceOf(R)]++] = &R;
}

/// L2 fetches what it needs for the requests that come next, step by step: the
/// request, 12 requests later its set, 12 later the slot that its tag names.
/// Each step reads what the one before brought, so that has to be there by
/// then. How far ahead was chosen, not measured, and changes nothing but the
/// time.
void Simulation::serve() {
  constexpr size_t Requests = 36, Sets = 24, Slots = 12, Places = 32;
  static_assert(Sets < Places);
  std::array<L2Model::LinePlace, Places> PlaceOf; // the latest
  const size_t Count = Asked.size();
  for (size_t I = 0; I != std::min(Requests, Count); ++I)
    __builtin_prefetch(Asked[I], 1);
  const auto fetchSet = [&](size_t I) {
    if (I < Count)
      PlaceOf[I % Places] = L2->prefetch(*Asked[I]);
  };
  const auto fetchSlot = [&](size_t I) {
    if (I < Count)
      L2->prefetchSlots(*Asked[I], PlaceOf[I % Places]);
  };
  for (size_t I = 0; I != Sets; ++I)
    fetchSet(I);
  for (size_t I = 0; I != Slots; ++I)
    fetchSlot(I);
  for (size_t I = 0; I != Count; ++I) {
    if (I + Requests < Count)
      __builtin_prefetch(Asked[I + Requests], 1);
    fetchSet(I + Sets);
    fetchSlot(I + Slots);
    L2Request &Now = *Asked[I];
    if (Part.ChunkBlocks != 0 && Now.What == LineAccess::Kind::Load)
      Parts.missed(Now.Row, Now.FirstSector * SectorBytes / LineBytes,
                   Now.Sectors << Now.FirstSector % (LineBytes / SectorBytes));
    Now.When = L2->serve(Now, PlaceOf[I % Places]);
  }
  for (size_t I = 0; I <= Active.size(); ++I) {
    if (I != Active.size())
      Sms[Active[I]].second->fetchAnswered();
    if (I != 0)
      Sms[Active[I - 1]].second->answer();
  }
}

std::string Simulation::run() {
  if (std::string Wrong = startFirstWave(); !Wrong.empty())
    return Wrong;
  // Windows are parts of whole traces.
  if (HasPieces && !Part.Windows.whole())
    return "";
  const Cycle Span = std::min(SmModel::MostSpan, Options.L2.LatencyCycles);
  while (true) {
    if (std::string Wrong = refill(); !Wrong.empty())
      return Wrong;
    Cycle Begin = NeverCycle;
    for (const auto &[Number, Sm] : Sms)
      Begin = std::min(Begin, Sm->nextEvent());
    if (Begin == NeverCycle || Parts.settled()) {
      countLikeWarps();
      return "";
    }
    Begin = std::max(Begin, Now);
    if (Begin > NeverCycle - (1 << 20))
      return "the launch takes more than two billion cycles; simulate fewer "
             "waves";
    Now = Begin + Span;
    Active.clear();
    for (uint32_t I = 0; I != Sms.size(); ++I)
      if (Sms[I].second->nextEvent() < Now)
        Active.push_back(I);
    runSms(Begin, Now);
    if (!Problem.empty())
      return Problem;
    sortRequests(Begin, Now);
    serve();
  }
}

/// An extrapolated window may have had a request more than those that it stands
/// for, and all of its sectors may have missed.
static void keepPossible(Traffic &T) {
  if (T.LoadHits < 0) {
    const double Keep = T.LoadSectors / (T.LoadSectors - T.LoadHits);
    T.LoadHits = 0;
    T.L2ReadSectors *= Keep;
    T.L2ReadHits *= Keep;
    T.DramReadSectors *= Keep;
  }
  T.StoreHits = std::min(T.StoreHits, T.StoreSectors);
  T.L2WriteSectors =
      std::min(T.L2WriteSectors, T.StoreSectors + T.AtomicSectors);
}

void Simulation::report(SimulationResult &R) const {
  std::vector<double> Weight = Parts.weights();
  if (!Part.Windows.whole())
    Weight = Part.Windows.weights();
  R.Sites.assign(SiteCount, {});
  for (size_t I = 0; I != Rows.size(); ++I) {
    const Traffic T = Part.Windows.whole() ? Parts.foreseen(Rows, I) : Rows[I];
    R.Sites[I % SiteCount].add(T, Weight[I / SiteCount]);
  }
  if (!Part.Windows.whole())
    for (Traffic &T : R.Sites)
      keepPossible(T);
  if (Parts.settled()) {
    R.Simulated.Settled = true;
    R.Simulated.Blocks = Parts.blocks();
  }
  R.Cycles = Now;
  R.Accesses = Accesses;
  R.TraceBytes = MostBytes;
  if (!Settings.ReuseDistances)
    return;
  R.L1Reuse.emplace();
  R.L1Reuse->Sets = Profiles.front().sets();
  for (const ReuseDistance &P : Profiles) {
    R.L1Reuse->BySet.merge(P.bySet());
    R.L1Reuse->Full.merge(P.full());
  }
  R.L2Reuse =
      LevelReuse{L2Profile->bySet(), L2Profile->full(), L2Profile->sets()};
}
