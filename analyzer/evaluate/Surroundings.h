//===- Surroundings.h - Who uses the rest of a sector -----------*- C++ -*-===//
//
// A request that moves more sectors than its bytes would fill leaves bytes of
// them unused. What to do about it hangs on who uses those: the same lanes a
// round later, another access, another warp, another block, or nobody. So the
// neighbourhood is run once more, and what it touches is compared with the
// sectors of the request.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SURROUNDINGS_H
#define WARPWISE_ANALYZER_EVALUATE_SURROUNDINGS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace warpwise::access {

/// Listens to the requests of one block twice, and then to those of blocks
/// beside it: first for the sectors of the sites in question, then for all that
/// is used of them.
class Surroundings : public RequestSink {
public:
  /// A site in question, and how much of its sectors is used as it is, from 0
  /// to 1, with its siblings and by it alone.
  struct Question {
    uint32_t Site = 0;
    double Used = 0, UsedAlone = 0;
  };

  Surroundings(const Program &Code, const profile::RequestLaw &Law,
               std::vector<Question> About);

  enum class Stage { Sectors, OwnBlock, OtherBlocks };
  /// What follows is warp \p Warp.
  void start(Stage Now, unsigned Warp);
  /// Every site in question has been seen, each in a warp of its own choice.
  bool isComplete() const;
  /// Warps of the stage are left out: who is not seen may use the sectors.
  void cutShort() { IsCutShort = true; }
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;

  /// Who uses most of what the site of question \p N leaves.
  Neighbour answer(size_t N) const;

private:
  static constexpr unsigned NoWarp = ~0u;
  /// Parts of a sector that one question is about, as bits.
  struct Watched {
    uint32_t Question;
    uint32_t Own = 0, Warp = 0;
  };
  struct Sector {
    llvm::SmallVector<Watched, 1> By;
    /// By loads, and by what else there is.
    std::array<uint32_t, 2> Block{}, Grid{};
  };

  const Program &Code;
  const profile::RequestLaw &Law;
  const std::vector<Question> Questions;
  std::vector<int32_t> QuestionOf; ///< by site, or -1
  std::vector<unsigned> WarpOf;    ///< by question: where it was seen
  std::vector<unsigned> Requests;  ///< by question: that were taken down
  std::vector<uint8_t> Seen;       ///< by site: in the block
  std::vector<Sector> Sectors;
  llvm::DenseMap<uint64_t, uint32_t> IndexOf; ///< into Sectors
  Stage Current = Stage::Sectors;
  unsigned Warp = 0;
  bool IsCutShort = false;

  void takeDown(uint32_t Question, uint64_t Number, uint32_t Used);
  bool mayBeUsedElsewhere(uint32_t Site) const;
  void compare(const Site &S, uint64_t Number, uint32_t Used);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SURROUNDINGS_H
