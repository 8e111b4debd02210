//===- Footprints.h - Which sectors are asked for again ---------*- C++ -*-===//
//
// Listens to the requests of one block and of the blocks beside it, and counts
// how often the same sectors are asked for: by the same warp, by the block, by
// the next block along each axis. From that follows what caches have to bring,
// as long as nothing is evicted. The first level of the constant caches is so
// small that it does evict; it is followed line by line.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_FOOTPRINTS_H
#define WARPWISE_ANALYZER_EVALUATE_FOOTPRINTS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpwise::access {

class Footprints : public RequestSink {
public:
  Footprints(const Program &Code, const profile::RequestLaw &Law);

  /// What follows is warp \p Warp of the block itself.
  void startOwn(unsigned Warp);
  /// What follows is warp \p Warp of the next block along \p Axis (0 to 2).
  void startBeside(unsigned Axis, unsigned Warp);
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;

  /// Of site \p N, unless no request of it with known addresses was seen.
  std::optional<Footprint> of(uint32_t N) const;

  /// See Cost::LoadedBeside; of loads of global memory, by site, when all warps
  /// of a block of the shape \p Block and the blocks beside it have run.
  std::vector<std::array<double, 3>>
  loadedBeside(const launch::Dim3 &Block) const;

private:
  static constexpr uint32_t Nobody = ~uint32_t(0);
  struct Sector {
    /// The sites that asked for it and that wrote it first.
    uint32_t FirstSite = Nobody, FirstWriter = Nobody;
    uint32_t Warps = 0; ///< that asked for it, as bits
    uint32_t Used = 0;
    /// What the next block along each axis uses of it.
    std::array<uint32_t, 3> UsedBeside{};
    /// Axes along which the next block asks for it and writes it, too.
    uint8_t Beside = 0, WrittenBeside = 0;
    bool IsReadFirst = false;
  };
  struct Hits {
    double All = 0, OfWarp = 0, OfOneWarp = 0;
    unsigned Warp = 0; ///< whose OfWarp is
  };
  struct Sums {
    double Asked = 0, Fresh = 0, Requests = 0, FreshRequests = 0;
    double LostLines = 0;
    std::array<double, Footprint().Again.size()> Again{};
    double Turns = 0; ///< atomics
    /// Atomics: sectors, and what of them these use themselves.
    llvm::DenseMap<uint64_t, uint32_t> OwnSectors{};
    /// Atomics that are loops: lanes by word, in all and of one warp at most.
    llvm::DenseMap<uint64_t, Hits> Swapped{};
  };

  /// A plain load of the block itself: which lanes ask for what, as a number.
  struct Request {
    uint32_t Site, Warp;
    uint64_t Key;
    /// Where lanes lie side by side: the request by which each lane would get
    /// what the one before it gets here.
    std::optional<uint64_t> Shifted;
  };

  /// The lines that one warp touches, in their order.
  class LineHistory {
  public:
    /// How many other lines the warp has touched since it last touched \p Line;
    /// unset if it never has.
    std::optional<unsigned> touch(uint64_t Line);
    /// Some \p Count that nobody knows.
    void touchOthers(unsigned Count);

  private:
    llvm::DenseMap<uint64_t, uint32_t> LastTouch; ///< by line
    /// Whether a touch is the last one of its line, as sums of a Fenwick tree.
    std::vector<uint32_t> Tree;

    uint32_t append();
    void forget(uint32_t Touch);
    unsigned upTo(uint32_t Touch) const;
  };

  /// The first level of the constant caches. Warps take their turns one after
  /// the other here; on a GPU those that keep step share what one of them has
  /// brought, others drive each other's lines out.
  class ConstantCache {
  public:
    explicit ConstantCache(unsigned Lines) : Room(Lines) {}

    /// Whether a line has to be brought.
    bool misses(uint64_t Line);
    bool holdsAll() const { return !HasLost; }

  private:
    size_t Room;
    std::vector<uint64_t> Held; ///< the last one wanted at the end
    bool HasLost = false;       ///< there was no room for some line
  };

  /// Of the sectors, those that one warp alone asked for.
  double aloneShare() const;
  static double foreignTurns(const Sums &Its);

  const Program &Code;
  const profile::RequestLaw &Law;
  llvm::DenseMap<uint64_t, uint32_t> IndexOf; ///< into Sectors, by number
  std::vector<Sector> Sectors;
  std::vector<Sums> Sites;
  std::vector<Request> Loads;
  /// What warps of the block, and of the next one along each axis, load.
  llvm::DenseSet<std::pair<uint64_t, uint32_t>> Loaded;
  std::array<llvm::DenseSet<std::pair<uint64_t, uint32_t>>, 3> LoadedNext;
  ConstantCache Constants;
  LineHistory History; ///< of the block's warp that runs
  int Axis = -1;       ///< of the block beside, or -1: the block itself
  std::array<bool, 3> WasBeside{};
  unsigned Warp = 0;

  bool writes(uint32_t Number) const {
    return Code.Sites[Number].Op != Operation::Load;
  }
  void noteLoad(uint32_t Number, const LaneValue &Address, uint32_t Known);
  void noteTurns(uint32_t Number, const LaneValue &Address, uint32_t Known);
  void noteSwaps(uint32_t Number, const LaneValue &Address, uint32_t Known);
  void readConstant(uint32_t Number, const LaneValue &Address, uint32_t Known);
  /// Returns whether this warp has asked for the sector before, and no other.
  bool own(Sums &Site, uint32_t Number, uint64_t SectorNumber, uint32_t Used,
           bool &IsFresh);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_FOOTPRINTS_H
