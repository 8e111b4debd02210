//===- Simulator.cpp - The caches under a launch --------------------------===//

#include "analyzer/reuse/Simulator.h"

#include "analyzer/reuse/Dispatcher.h"
#include "analyzer/reuse/L2Model.h"
#include "analyzer/reuse/SmModel.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Runs a sample of a launch. SMs run one after the other for a span that is
/// shorter than an answer of L2 takes; then L2 serves what they asked for in
/// the order of time, so that no SM sees an answer too late.
class Simulation : public PieceReader {
public:
  Simulation(TraceSource &Source, const CacheOptions &Options,
             const SimulationSettings &Settings, const Residency &Room,
             const Sample &Part)
      : Source(Source), Options(Options), Settings(Settings), Part(Part),
        SiteCount(Source.sites().size()), Rows(2 * SiteCount), Pool(SiteCount),
        Blocks(Options, Room.BlocksPerSm, Part.FirstBlock, Part.Blocks),
        Turns(unsigned(simulatedSms()),
              double(Options.RoundCycles) * Part.SmStride / Options.Sm.Count) {
    if (Settings.ReuseDistances)
      makeProfiles(Room);
    const size_t Every = Profiles.empty() ? 1 : profiledSmStride();
    const SetIndex L1Index(Options.L1, setsOf(Options.L1, Room.L1Bytes));
    for (unsigned Sm = 0; Sm < Options.Sm.Count; Sm += Part.SmStride)
      Sms.emplace_back(Sm, Options, Room.L1Bytes, L1Index, Rows, *this,
                       Profiles.empty() || Sms.size() % Every != 0
                           ? nullptr
                           : &Profiles[Sms.size() / Every]);
    L2.emplace(Options, Rows, L2Profile ? &*L2Profile : nullptr);
  }

  /// Returns an empty string or one sentence.
  std::string run();
  bool outOfMemory() const { return OutOfMemory; }
  void report(SimulationResult &R) const;

private:
  size_t simulatedSms() const {
    return (Options.Sm.Count + Part.SmStride - 1) / Part.SmStride;
  }
  /// Some SMs say enough of L1's reuse, and the stacks of all need much memory.
  size_t profiledSmStride() const { return (simulatedSms() + 15) / 16; }
  void makeProfiles(const Residency &Room);
  std::string startFirstWave();
  std::string start(unsigned Index, uint64_t Block, Cycle When);
  std::string checkMemory();
  bool readNext(ResidentWarp &Warp) override;
  std::string refill();
  void serve(Cycle Begin, Cycle End);

  TraceSource &Source;
  const CacheOptions &Options;
  const SimulationSettings &Settings;
  const Sample Part;
  const size_t SiteCount;
  /// Counts of the cold blocks' sites, then of the others'.
  std::vector<Traffic> Rows;
  TracePool Pool;
  Placement Blocks;
  Dispatcher Turns;
  std::vector<ReuseDistance> Profiles; ///< of L1, of some SMs
  std::optional<ReuseDistance> L2Profile;
  std::vector<SmModel> Sms;
  std::optional<L2Model> L2;

  BlockTrace Scratch;
  ResidentBlock Starting;
  WarpTrace Piece;
  std::string Problem; ///< of readNext
  bool OutOfMemory = false;
  Cycle Now = 0;
  uint64_t Accesses = 0, MostBytes = 0;
  uint64_t BlocksRun[2] = {0, 0}; ///< cold, others
  std::vector<uint32_t> Active;   ///< SMs that do something in this span
  std::vector<std::vector<Cycle>> Answers;
  std::vector<std::pair<uint32_t, uint32_t>> Order; ///< SM and request
  std::vector<uint32_t> StartOf;
};

void Simulation::makeProfiles(const Residency &Room) {
  for (size_t Sm = 0; Sm < simulatedSms(); Sm += profiledSmStride())
    Profiles.emplace_back(Options.L1, setsOf(Options.L1, Room.L1Bytes),
                          Settings.MostWays, Settings.ReuseSampleShift);
  L2Profile.emplace(
      Options.L2,
      setsOf(Options.L2, Options.L2.CapacityBytes / Options.Partitions),
      Settings.MostWays, Settings.ReuseSampleShift);
}

std::string Simulation::start(unsigned Index, uint64_t Block, Cycle When) {
  if (std::string Wrong = Source.block(Block, Scratch); !Wrong.empty())
    return Wrong;
  const bool Warm = Block >= Part.FirstBlock + Part.ColdBlocks;
  ++BlocksRun[Warm];
  Starting.FirstRow = uint32_t(Warm * SiteCount);
  Starting.Warps.resize(Scratch.Warps.size());
  for (size_t W = 0; W != Starting.Warps.size(); ++W) {
    Accesses += Scratch.Warps[W].size();
    ResidentWarp &Into = Starting.Warps[W];
    Into.Rest = W < Scratch.Rest.size() ? std::move(Scratch.Rest[W]) : nullptr;
    if (std::string Wrong = Pool.intern(Scratch.Warps[W], Into.Code);
        !Wrong.empty())
      return Wrong;
  }
  if (std::string Wrong = checkMemory(); !Wrong.empty())
    return Wrong;
  Sms[Index].start(Starting, When);
  return "";
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
    if (!Block || Sm % Part.SmStride != 0)
      continue;
    if (std::string Wrong = start(Sm / Part.SmStride, *Block, When);
        !Wrong.empty())
      return Wrong;
  }
  return "";
}

/// Gives blocks to the SMs where some ended.
std::string Simulation::refill() {
  for (unsigned I = 0; I != Sms.size(); ++I) {
    for (Cycle When : Sms[I].ended())
      Turns.ended({I, When});
    Sms[I].ended().clear();
  }
  while (const std::optional<Dispatcher::Turn> Next = Turns.next()) {
    const auto &[I, When] = *Next;
    const std::optional<uint64_t> Block = Blocks.next(I * Part.SmStride);
    if (!Block)
      continue;
    if (Options.Blocks == BlockMapping::Measured)
      Blocks.skip(Part.SmStride - 1);
    if (std::string Wrong = start(I, *Block, When + Options.DispatchCycles);
        !Wrong.empty())
      return Wrong;
  }
  return "";
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
    for (const L2Request &R : Sms[I].requests())
      ++StartOf[PlaceOf(R) + 1];
  for (uint32_t I = 1; I <= Places; ++I)
    StartOf[I] += StartOf[I - 1];
  Order.resize(StartOf[Places]);
  Answers.resize(Sms.size());
  for (uint32_t I : Active) {
    const std::vector<L2Request> &Requests = Sms[I].requests();
    Answers[I].resize(Requests.size());
    for (uint32_t R = 0; R != Requests.size(); ++R)
      Order[StartOf[PlaceOf(Requests[R])]++] = {I, R};
  }
  constexpr size_t Ahead = 12;
  for (size_t At = 0; At != Order.size(); ++At) {
    if (At + Ahead < Order.size()) {
      const auto &[I, R] = Order[At + Ahead];
      L2->prefetch(I * Part.SmStride, Sms[I].requests()[R]);
    }
    const auto &[I, R] = Order[At];
    Answers[I][R] = L2->serve(I * Part.SmStride, Sms[I].requests()[R]);
  }
  for (uint32_t I : Active)
    Sms[I].answer(Answers[I]);
}

std::string Simulation::run() {
  if (std::string Wrong = startFirstWave(); !Wrong.empty())
    return Wrong;
  const Cycle Span = std::min(SmModel::MostSpan, Options.L2.LatencyCycles);
  while (true) {
    if (std::string Wrong = refill(); !Wrong.empty())
      return Wrong;
    Cycle Begin = NeverCycle;
    for (const SmModel &Sm : Sms)
      Begin = std::min(Begin, Sm.nextEvent());
    if (Begin == NeverCycle)
      return "";
    Begin = std::max(Begin, Now);
    if (Begin > NeverCycle - (1 << 20))
      return "the launch takes more than two billion cycles; simulate fewer "
             "waves";
    Now = Begin + Span;
    Active.clear();
    for (uint32_t I = 0; I != Sms.size(); ++I)
      if (Sms[I].nextEvent() < Now) {
        Active.push_back(I);
        Sms[I].run(Begin, Now);
      }
    if (!Problem.empty())
      return Problem;
    serve(Begin, Now);
  }
}

void Simulation::report(SimulationResult &R) const {
  // The first wave starts with cold caches and stands for itself, when others
  // were seen that stand for the rest.
  const double All = double(Part.AllBlocks);
  double Cold = 1, Warm = 1;
  if (!Part.all() && BlocksRun[1] != 0) {
    Cold =
        double(Part.ColdBlocks) / double(std::max<uint64_t>(1, BlocksRun[0]));
    Warm = (All - double(Part.ColdBlocks)) / double(BlocksRun[1]);
  } else if (!Part.all() && BlocksRun[0] != 0) {
    Cold = All / double(BlocksRun[0]);
  }
  R.Sites.assign(SiteCount, {});
  for (size_t I = 0; I != SiteCount; ++I) {
    R.Sites[I].add(Rows[I], Cold);
    R.Sites[I].add(Rows[SiteCount + I], Warm);
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

} // namespace

SimulationResult reuse::simulate(TraceSource &Source,
                                 const CacheOptions &Options,
                                 const SimulationSettings &Settings) {
  SimulationResult R;
  if (R.Error = validate(Options); !R.Error.empty())
    return R;
  if (R.Error = residency(Options, Source.shape(), R.Room); !R.Error.empty())
    return R;
  const uint64_t AllBlocks = Source.shape().blocks();
  const uint64_t Wave = uint64_t(R.Room.BlocksPerSm) * Options.Sm.Count;
  R.Waves = (AllBlocks + Wave - 1) / Wave;
  const SampleSettings &Wanted = Settings.Sampling;
  Footprint Touched;
  if (Wanted.MostAccesses != 0 || Wanted.Waves != 0 || Wanted.SmStride > 1)
    if (R.Error = Touched.addCorners(Source); !R.Error.empty())
      return R;
  R.Simulated = planSample(Wanted, AllBlocks, Wave, Touched.accessesPerBlock(),
                           Options.Sm.Count);
  while (true) {
    Simulation S(Source, Options, Settings, R.Room, R.Simulated);
    R.Error = S.run();
    if (R.Error.empty()) {
      S.report(R);
      break;
    }
    if (!S.outOfMemory() || R.Simulated.SmStride >= Options.Sm.Count)
      return R;
    R.Simulated.SmStride = std::min(2 * R.Simulated.SmStride, Options.Sm.Count);
  }
  if (!R.Simulated.all() && Touched.accessesPerBlock() > 0)
    R.Bounded = boundMisses(R.Sites, Touched.lines(), Options);
  R.SampleText = R.Simulated.describe(R.Bounded);
  for (const Traffic &T : R.Sites)
    R.Total += T;
  return R;
}
