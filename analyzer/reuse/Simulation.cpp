//===- Simulation.cpp - A part of a launch, simulated ---------------------===//

#include "analyzer/reuse/Simulation.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// That are compared; the last one has all blocks that are left.
constexpr uint64_t MostChunks = 64;

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
      Chunks(!Part.Windows.whole() ? Part.Windows.Simulated
             : Part.ChunkBlocks == 0
                 ? 2
                 : std::min<uint64_t>(MostChunks,
                                      1 + Part.Blocks / Part.ChunkBlocks)),
      Rows(Chunks.size() * SiteCount), Pool(SiteCount),
      Blocks(Options, Room.BlocksPerSm, Part.FirstBlock, Part.Blocks),
      IsSimulated(Options.Sm.Count), ModelOf(Options.Sm.Count) {
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
  // Each warp asks for some lines, which are all over the sets.
  constexpr uint64_t ManyWarps = 1024;
  if (Source.shape().blocks() * Source.shape().warps() >= ManyWarps)
    L2->populate();
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
                                      *this, Profile);
    Model->leaveOut(Part.Windows, SiteCount);
    Sms.push_back({Sm, Model.get()});
  }
  return *Model;
}

std::string Simulation::start(unsigned Sm, uint64_t Block, Cycle When) {
  if (std::string Wrong = Source.block(Block, Scratch); !Wrong.empty())
    return Wrong;
  const uint64_t Number = Block - Part.FirstBlock;
  const size_t Where =
      !Part.Windows.whole() ? 0
      : Part.ChunkBlocks == 0
          ? Number >= Part.ColdBlocks
          : std::min(Chunks.size() - 1, size_t(Number / Part.ChunkBlocks));
  ++Chunks[Where].Started;
  Starting.FirstRow = uint32_t(Where * SiteCount);
  Starting.Warps.resize(Scratch.Warps.size());
  for (size_t W = 0; W != Starting.Warps.size(); ++W) {
    Accesses += Scratch.Warps[W].size();
    ResidentWarp &Into = Starting.Warps[W];
    Into.Rest = W < Scratch.Rest.size() ? std::move(Scratch.Rest[W]) : nullptr;
    if (Into.Rest && !FoundEnd)
      if (std::string Wrong = findEnd(Block, W); !Wrong.empty())
        return Wrong;
    if (std::string Wrong = Pool.intern(Scratch.Warps[W], Into.Code);
        !Wrong.empty())
      return Wrong;
  }
  if (std::string Wrong = checkMemory(); !Wrong.empty())
    return Wrong;
  smOf(Sm).start(Starting, When);
  return "";
}

/// Goes through one long trace: one that does not end is known in a second, and
/// not after an hour of simulation.
std::string Simulation::findEnd(uint64_t Block, size_t Warp) {
  FoundEnd = true;
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
bool Simulation::readNext(ResidentWarp &Warp) {
  if (Problem.empty())
    Problem = Warp.Rest->next(Piece);
  if (!Problem.empty() || Piece.empty()) {
    Warp.Rest = nullptr;
    return false;
  }
  Accesses += Piece.size();
  Problem = Pool.intern(Piece, Warp.Code);
  if (Problem.empty())
    Problem = checkMemory();
  return Problem.empty();
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
      ++Chunks[B.FirstRow / std::max<size_t>(1, SiteCount)].Ended;
      AnyEnded = true;
    }
    Sm->ended().clear();
  }
  if (!AnyEnded)
    return "";
  if (Part.ChunkBlocks != 0)
    compareChunks();
  if (settled())
    return "";
  while (const std::optional<Dispatcher::Turn> Next = Turns->next()) {
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

Traffic Simulation::sumOf(size_t First, size_t Count) const {
  Traffic Sum;
  for (size_t I = First * SiteCount; I != (First + Count) * SiteCount; ++I)
    Sum += Rows[I];
  return Sum;
}

/// One of this many lines is followed.
static constexpr unsigned NotedShift = 4;

void Simulation::note(const L2Request &R) {
  if (R.What != Access::Kind::Load)
    return;
  const uint64_t Line = R.FirstSector * SectorBytes / LineBytes;
  if (Line * 0x9E3779B97F4A7C15 >> (64 - NotedShift) != 0)
    return;
  const size_t I = R.Row / SiteCount;
  const size_t First = FirstMiss.try_emplace(Line, I).first->second;
  ++Chunks[I].Misses;
  Chunks[I].KnownMisses += First + 2 <= I;
}

/// Whether later waves may find more in L1 than chunk \p I did: what it missed
/// was missed by an earlier wave, too, and the caches have not yet been filled
/// so often that they keep no more than they ever will.
bool Simulation::mayWarmUp(size_t I) const {
  constexpr double MostKnown = 0.03;
  if (double(Chunks[I].KnownMisses) <= MostKnown * double(Chunks[I].Misses))
    return false;
  uint64_t Lines = 0;
  for (size_t Before = 0; Before != I; ++Before)
    Lines += Chunks[Before].Misses << NotedShift;
  return double(Lines) <
         1.5 * double(Sms.size()) * double(Room.L1Bytes / Options.L1.LineBytes);
}

/// Looks for two chunks, one after the other, that are complete and agree. The
/// first two are a wave that began with cold caches; when the next chunk agrees
/// with them, the caches' contents do not matter.
void Simulation::compareChunks() {
  const auto complete = [&](size_t I) {
    return Chunks[I].Ended == Chunks[I].Started && Chunks[I + 1].Started != 0;
  };
  for (; Compared + 1 < Chunks.size() && complete(Compared); ++Compared) {
    const size_t I = Compared;
    if (I < 2)
      continue;
    const size_t Before = I == 2 ? 2 : 1;
    uint64_t BlocksBefore = 0;
    for (size_t B = I - Before; B != I; ++B)
      BlocksBefore += Chunks[B].Started;
    if (agree(sumOf(I - Before, Before), BlocksBefore, sumOf(I, 1),
              Chunks[I].Started) &&
        !mayWarmUp(I)) {
      SettledAt = I;
      return;
    }
  }
}

/// All requests of the span, in the order of time.
void Simulation::serve(Cycle Begin, Cycle End) {
  // A request of many lines may begin in the span and end after it.
  const uint32_t Places = End - Begin + 64;
  const auto PlaceOf = [&](const L2Request &R) {
    return std::min(R.When - Begin, Places - 1);
  };
  StartOf.assign(Places + 1, 0);
  for (uint32_t I : Active)
    for (const L2Request &R : Sms[I].second->requests())
      ++StartOf[PlaceOf(R) + 1];
  for (uint32_t I = 1; I <= Places; ++I)
    StartOf[I] += StartOf[I - 1];
  Order.resize(StartOf[Places]);
  Answers.resize(Sms.size());
  for (uint32_t I : Active) {
    const std::vector<L2Request> &Requests = Sms[I].second->requests();
    Answers[I].resize(Requests.size());
    for (uint32_t R = 0; R != Requests.size(); ++R)
      Order[StartOf[PlaceOf(Requests[R])]++] = {I, R};
  }
  constexpr size_t Ahead = 12;
  for (size_t At = 0; At != Order.size(); ++At) {
    if (At + Ahead < Order.size()) {
      const auto &[I, R] = Order[At + Ahead];
      L2->prefetch(Sms[I].first, Sms[I].second->requests()[R]);
    }
    const auto &[I, R] = Order[At];
    const L2Request &Asked = Sms[I].second->requests()[R];
    Answers[I][R] = L2->serve(Sms[I].first, Asked);
    if (Part.ChunkBlocks != 0)
      note(Asked);
  }
  for (uint32_t I : Active)
    Sms[I].second->answer(Answers[I]);
}

std::string Simulation::run() {
  if (std::string Wrong = startFirstWave(); !Wrong.empty())
    return Wrong;
  const Cycle Span = std::min(SmModel::MostSpan, Options.L2.LatencyCycles);
  while (true) {
    if (std::string Wrong = refill(); !Wrong.empty())
      return Wrong;
    Cycle Begin = NeverCycle;
    for (const auto &[Number, Sm] : Sms)
      Begin = std::min(Begin, Sm->nextEvent());
    if (Begin == NeverCycle || settled())
      return "";
    Begin = std::max(Begin, Now);
    if (Begin > NeverCycle - (1 << 20))
      return "the launch takes more than two billion cycles; simulate fewer "
             "waves";
    Now = Begin + Span;
    Active.clear();
    for (uint32_t I = 0; I != Sms.size(); ++I)
      if (Sms[I].second->nextEvent() < Now) {
        Active.push_back(I);
        Sms[I].second->run(Begin, Now);
      }
    if (!Problem.empty())
      return Problem;
    serve(Begin, Now);
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
  // The first wave starts with cold caches and stands for itself, when others
  // were seen that stand for the rest.
  const size_t ColdChunks = Part.ChunkBlocks == 0 ? 1 : 2;
  uint64_t Cold = 0, Warm = 0;
  std::vector<double> Weight(Chunks.size(), 0);
  for (size_t I = 0; I != Chunks.size(); ++I) {
    // The blocks that were interrupted say nothing.
    if (settled() && I >= ColdChunks && (I > SettledAt || I + 1 < SettledAt))
      continue;
    (I < ColdChunks ? Cold : Warm) += Chunks[I].Started;
    Weight[I] = 1;
  }
  if (!Part.all() || settled()) {
    const double Own = double(Warm != 0 ? Part.ColdBlocks : Part.AllBlocks) /
                       double(std::max<uint64_t>(1, Cold));
    const double Rest = double(Part.AllBlocks - Part.ColdBlocks) /
                        double(std::max<uint64_t>(1, Warm));
    for (size_t I = 0; I != Chunks.size(); ++I)
      Weight[I] *= I < ColdChunks ? Own : Rest;
  }
  if (!Part.Windows.whole()) {
    // The last window stands for itself and for those that were left out.
    Weight.assign(Chunks.size(), 1);
    Weight.back() += Part.Windows.All - Part.Windows.Simulated;
  }
  R.Sites.assign(SiteCount, {});
  for (size_t I = 0; I != Rows.size(); ++I)
    R.Sites[I % SiteCount].add(Rows[I], Weight[I / SiteCount]);
  if (!Part.Windows.whole())
    for (Traffic &T : R.Sites)
      keepPossible(T);
  if (settled()) {
    R.Simulated.Settled = true;
    R.Simulated.Blocks = 0;
    for (const Chunk &C : Chunks)
      R.Simulated.Blocks += C.Ended;
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
