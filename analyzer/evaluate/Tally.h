//===- Tally.h - Sums over the requests of a run ----------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_TALLY_H
#define WARPWISE_ANALYZER_EVALUATE_TALLY_H

#include "analyzer/evaluate/PatternCosts.h"
#include "analyzer/evaluate/Siblings.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include <array>
#include <vector>

namespace warpwise::access {

/// Weighted sums over all requests of one site.
struct SiteTally {
  double Requests = 0, Lanes = 0;
  unsigned FirstWarp = 0; ///< see Cost::First
  uint32_t FirstMask = 0;
  double Sectors = 0, IdealSectors = 0;
  double Wavefronts = 0, IdealWavefronts = 0, ConflictFreeWavefronts = 0;
  double WideWavefronts = 0; ///< see Tally::Costs::Wide
  double JoinedWavefronts = 0;
  double Words = 0;
  double SwapRounds = 0;
  double Lines = 0, LinePasses = 0;
  /// Where in the period of the costs requests begin, in bytes, as far as costs
  /// can hang on it. Blocks with the same sum are as far apart as makes no
  /// difference, so that others are, too.
  double Phases = 0;
  /// The headline number over the lanes that take part for certain.
  double CertainCost = 0;
  /// Requests with an active lane whose address is unknown, and why.
  double UnknownRequests = 0;
  uint32_t UnknownFrom = 0;
  /// Of these, the ones whose lanes have rows of their own, and what they cost
  /// if no index leads out of its row: sectors, likely and at least.
  double RowRequests = 0, RowSectors = 0, LeastRowSectors = 0;
  /// Requests with a lane that may be switched off.
  double SpeculativeRequests = 0;
  bool AssumedAddress = false;
  bool AssumedStep = false; ///< how far lanes lie apart is made up
  bool RoundStep = false;   ///< or changes from round to round of a loop
  bool LoadedByAll = false; ///< the address rests on a value from memory
  bool Copied = false;      ///< ... that the host code has copied there
  bool Indexed = false;     ///< on one of each lane's own
  /// On a place that an atomic returned or that votes were counted for.
  bool HandedOut = false;
  /// Taken from a run that did not have the likely numbers.
  bool Filled = false;
  /// Warps that made at least one request, weighted.
  double Warps = 0;
  uint64_t Evaluated = 0; ///< requests, not weighted
  unsigned WorstCost = 0, LeastCost = ~0u;
  LanePattern Worst;
};

/// The sink of a run. Costs are computed once for each different pattern in a
/// row: most requests repeat the one before at another address.
class Tally : public RequestSink {
public:
  Tally(const Program &Code, const profile::RequestLaw &Law);

  /// What follows is warp \p Warp and counts \p Weight times.
  void startWarp(unsigned Warp, double Weight);
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;
  void repeat(double Times) override;
  void barrier() override;
  void endOfBlock(uint32_t Block) override;
  void passOver(uint32_t Block) override;

  const SiteTally &site(uint32_t N) const { return Sites[N]; }
  /// How often warps ran each block of the program, weighted.
  const std::vector<double> &blockRuns() const { return BlockRuns; }
  /// How often warps went through each of them switched off, weighted.
  const std::vector<double> &blocksPassed() const { return BlocksPassed; }
  /// BlockCode::ChainSteps of the slowest warp of each thread block, summed up
  /// over thread blocks with their weight.
  double chainSteps() const;
  /// Of these, BlockCode::GatheredSteps.
  double gatheredSteps() const;
  /// Of the thread blocks, the share that has next to nothing to do.
  double idleBlocks() const;
  /// Takes the sums of \p Other for the sites that have none here.
  void takeUnreached(const Tally &Other);
  /// The same, and for those that half of the lanes missed because of the
  /// numbers that stand for unknown ones.
  void fillGaps(const Tally &Other);
  /// Whether sites that hang on made-up numbers miss most of their lanes.
  bool hasThinSites() const;
  /// Multiplies all sums, after the weight of a first block became known.
  void scale(double Factor);
  /// All sums but those of siblings, which do not look at all requests: equal
  /// ones count the same.
  std::vector<double> sums() const;

  const Siblings &siblings() const { return Related; }

private:
  struct Costs {
    unsigned Sectors = 0, IdealSectors = 0, Wavefronts = 0, IdealWavefronts = 0,
             ConflictFree = 0, Words = 0, Certain = 0, Lines = 0,
             LinePasses = 0, SwapRounds = 0;
    /// Of where in the period the request begins: what its costs hang on.
    uint64_t PhaseMask = 0;
    /// Where one access can serve several rounds (Site::MostRoundsAtOnce), the
    /// wavefronts of one that serves as many as it can, at most: its phases do
    /// not join. They have not in a loop (attention-paged of HeCBench, 8 passes
    /// of LDS.128 for two words by turns), and have in a kernel of one request
    /// (4).
    unsigned Wide = 0;
    /// The same for as many rounds as one access is likely to serve
    /// (Site::RoundsAtOnce).
    unsigned Joined = 0;
  };
  struct LastRequest {
    PatternCosts<Costs> Pattern;
    uint64_t Epoch = 0;
    bool IsKnown = false;
  };
  /// The addresses of the last store into a space.
  struct LastStore {
    std::array<uint64_t, WarpLanes> Addresses{};
    uint32_t Active = 0;
    unsigned Bytes = 0;
    uint64_t Epoch = 0;
  };

  const Program &Code;
  const profile::RequestLaw &Law;
  const uint64_t PhaseMask; ///< costs repeat when addresses move by one more
  std::vector<SiteTally> Sites;
  std::vector<double> BlockRuns, BlocksPassed;
  /// Of a thread block that stands for several, or of one.
  struct Chain {
    double Weight, Steps, Gathered;
    bool MakesRequests;
  };
  std::vector<Chain> Chains; ///< but for the last block
  double ChainOfBlock = 0, ChainOfWarp = 0;
  double GatheredOfBlock = 0, GatheredOfWarp = 0; ///< of these
  bool BlockMakesRequests = false;
  std::vector<LastRequest> Last;
  std::vector<uint64_t> SeenInWarp; ///< number of the last warp, by site
  Siblings Related;
  /// Counts the events after which memory may hold something else: stores,
  /// atomics and barriers. Those of global memory at 0, of shared at 1.
  std::array<uint64_t, 2> Epochs{1, 1};
  std::array<LastStore, 2> Stores;
  uint64_t WarpNumber = 0;
  unsigned Warp = 0;
  double WarpWeight = 1, Weight = 1;

  void take(size_t Site, const Tally &Other);
  Costs costOf(const Site &S, const std::array<uint64_t, WarpLanes> &Addresses,
               uint32_t Active, uint32_t Speculative) const;
  /// True when a compiler would have the result of this load in a register: the
  /// same load, or a store to the same addresses, came before it and nothing
  /// since can have changed the memory.
  bool isInRegister(uint32_t Site, const std::array<uint64_t, WarpLanes> &A,
                    uint32_t Active) const;
  void noteChange(const Site &S, const std::array<uint64_t, WarpLanes> &A,
                  uint32_t Active);
  void keepWorst(uint32_t Site,
                 const std::array<uint64_t, WarpLanes> &Addresses,
                 uint32_t Active, const Costs &Cost);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_TALLY_H
