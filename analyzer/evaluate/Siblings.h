//===- Siblings.h - Accesses that share sectors -----------------*- C++ -*-===//
//
// in[2 * i] and in[2 * i + 1] each use half of their sectors, and together all
// of them: what one leaves the next one takes from L1. So accesses through one
// base whose addresses differ by constants are judged together. So are the
// rounds of a loop that the compiler writes out, which are such accesses too.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SIBLINGS_H
#define WARPWISE_ANALYZER_EVALUATE_SIBLINGS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include <array>
#include <span>
#include <vector>

namespace warpwise::access {

/// What a site and its siblings move, in one round of them.
struct SiblingSums {
  double Requests = 0; ///< executions that were looked at, weighted
  double Sectors = 0, IdealSectors = 0;
  double Rounds = 0; ///< in which they were made: a member may make several
  double Joined = 0; ///< requests of all members
  /// Of these, as many as ask for something else: a load that is made again in
  /// the same round need not be.
  double Different = 0;
};

/// Finds the siblings among the requests of a run.
class Siblings {
public:
  using Addresses = std::array<uint64_t, WarpLanes>;

  Siblings(const Program &Code, const profile::RequestLaw &Law);

  /// The requests of another warp follow.
  void startWarp();
  /// A request whose addresses are known.
  void request(uint32_t Site, const Addresses &A, uint32_t Active,
               double Weight);
  /// The lanes leave basic block \p Number.
  void endOfBlock(uint32_t Number);

  const SiblingSums &of(uint32_t Site) const { return Sums[Site]; }
  /// The number of the sibling group of a site, or -1.
  std::optional<unsigned> groupOf(uint32_t Site) const;
  /// What a lane accessed in one round of a loop, another accesses in the next:
  /// a window that slides over the data, such as a stencil's.
  bool slides(uint32_t Site) const { return Windows[Site].Slides; }
  /// Of a site in a loop, the share of its rounds in which the lanes access
  /// what they did in the round before.
  double repeats(uint32_t Site) const;
  void scale(double Factor);
  /// Takes what \p Other knows of \p Site.
  void take(uint32_t Site, const Siblings &Other);

private:
  struct Request {
    uint32_t Site;
    uint32_t Active;
    uint32_t Order; ///< of the requests that are joined together
    double Weight;
    Addresses At;
  };
  /// What a site in a loop accessed last.
  struct Window {
    uint32_t Active = 0;
    Addresses At{};
    unsigned Comparisons = 0, Same = 0;
    bool Slides = false;
  };
  struct Segment {
    unsigned Sites = 0;
    /// Executions and requests that will still be looked at.
    unsigned Executions = 0, Requests = 0;
    bool Unrolled = false;
    /// The rounds of the loop are no siblings of each other.
    bool RoundByRound = false;
  };

  const Program &Code;
  const profile::RequestLaw &Law;
  std::vector<SiblingSums> Sums;
  /// By site: the site whose addresses differ from its own by a constant in
  /// every request so far (the lowest such number), or NoSlot.
  std::vector<uint32_t> Leader;
  std::vector<Window> Windows;
  std::vector<Segment> Segments;
  std::vector<Request> InBlock;
  /// By loop that is written out; of others always empty.
  std::vector<std::vector<Request>> InLoop;
  std::vector<int32_t> OpenLoops; ///< those of them that hold requests

  static bool differByConstant(const Request &A, const Request &B);
  void compareRounds(uint32_t Site, const Addresses &A, uint32_t Active);
  bool walksFar(std::span<const Request> OfSite) const;
  void join(std::vector<Request> &Requests);
  void joinSegment(std::span<Request> Requests);
  void joinRounds(std::span<Request> Requests, unsigned Rounds);
  void chooseLeaders(std::span<const Request> Requests);
  void forget(uint32_t Group);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SIBLINGS_H
