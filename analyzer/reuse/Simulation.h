//===- Simulation.h - A part of a launch, simulated -------------*- C++ -*-===//
//
// What Simulator.h decides to simulate: its blocks go to the SMs, the SMs run,
// and L2 answers them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SIMULATION_H
#define WARPWISE_ANALYZER_REUSE_SIMULATION_H

#include "analyzer/reuse/Chunks.h"
#include "analyzer/reuse/Dispatcher.h"
#include "analyzer/reuse/L2Model.h"
#include "analyzer/reuse/Simulator.h"
#include "analyzer/reuse/SmModel.h"

namespace warpwise::reuse {

/// Runs a sample of a launch. SMs run one after the other for a span that is
/// shorter than an answer of L2 takes; then L2 serves what they asked for in
/// the order of time, so that no SM sees an answer too late.
class Simulation : public PieceReader {
public:
  Simulation(TraceSource &Source, const CacheOptions &Options,
             const SimulationSettings &Settings, const Residency &Room,
             const Sample &Part);

  /// Returns an empty string or one sentence.
  std::string run();
  bool outOfMemory() const { return OutOfMemory; }
  /// Whether the last two of the windows that were simulated say the same. Not
  /// where traces came in pieces; then there is nothing to report.
  bool windowsAgree() const;
  bool hasPieces() const { return HasPieces; }
  void report(SimulationResult &R) const;

private:
  void makeProfiles();
  SmModel &smOf(unsigned Sm);
  std::string startFirstWave();
  std::string start(unsigned Sm, uint64_t Block, Cycle When);
  void countRequests(const Likeness *Like, const WarpCode &Code,
                     uint32_t FirstRow);
  void countLikeWarps(unsigned Place);
  void countLikeWarps() {
    for (unsigned Place = 0; Place != LikeWarps.size(); ++Place)
      countLikeWarps(Place);
  }
  std::string findEnd(uint64_t Block, size_t Warp);
  std::string checkMemory();
  const std::vector<uint64_t> *readNext(HeldTrace &Warp) override;
  std::string refill();
  Traffic sumOf(size_t Part) const;
  void runSms(Cycle Begin, Cycle End);
  void sortRequests(Cycle Begin, Cycle End);
  void serve();

  TraceSource &Source;
  const CacheOptions &Options;
  const SimulationSettings &Settings;
  const Residency &Room;
  const Sample Part;
  const size_t SiteCount;
  const SetIndex L1Index;
  /// The blocks of a chunk are counted together, or of windows all blocks.
  Chunks Parts;
  std::vector<Traffic> Rows; ///< by chunk, or window, and site
  TracePool Pool;
  Placement Blocks;
  std::optional<Dispatcher> Turns;
  std::vector<ReuseDistance> Profiles; ///< of L1, of some SMs
  std::optional<ReuseDistance> L2Profile;
  SmModel::SharedBySms Common;
  std::vector<bool> IsSimulated;                 ///< by SM
  std::vector<std::unique_ptr<SmModel>> ModelOf; ///< by SM; null: no block yet
  std::vector<std::pair<unsigned, SmModel *>> Sms; ///< those that had a block
  size_t ProfileStride = 1;
  std::optional<L2Model> L2;

  BlockTrace Scratch;
  LikeTraces Likes;
  /// By place of a model: where the warps that are like it are counted, and how
  /// many there are.
  std::array<std::pair<uint32_t, uint64_t>, LikeTraces::MostModels> LikeWarps =
      {};
  ResidentBlock Starting;
  WarpTrace Piece;
  WarpCode PieceCode;
  std::string Problem; ///< of readNext
  bool OutOfMemory = false;
  bool HasPieces = false; ///< some traces come in pieces
  Cycle Now = 0;
  uint64_t Accesses = 0, MostBytes = 0;
  std::vector<uint32_t> Active;   ///< of Sms, those that do something in a span
  std::vector<L2Request *> Asked; ///< in a span, by time
  std::vector<uint32_t> StartOf;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SIMULATION_H
