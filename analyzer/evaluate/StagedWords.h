//===- StagedWords.h - What shared memory holds as it came ------*- C++ -*-===//
//
// A block that copies a tile of global memory into shared memory and reads it
// there could read global memory itself. Listens to the requests of one block,
// follows which word of global memory lies where in shared memory, and counts
// what the loads of shared memory would cost if they went to where their words
// came from.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_STAGEDWORDS_H
#define WARPWISE_ANALYZER_EVALUATE_STAGEDWORDS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/RequestLaw.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpwise::access {

class StagedWords : public RequestSink {
public:
  StagedWords(const Program &Code, const profile::RequestLaw &Law);

  /// Nothing is staged: there is no need to listen.
  bool isEmpty() const { return Copies.empty(); }
  /// What follows is warp \p Warp of the block.
  void startWarp(unsigned Warp);
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;
  void barrier() override { ++Epoch; }

  /// What each load of shared memory would cost without the stage, by site.
  /// Unset where not all that lies in its array came from global memory as it
  /// is, or where somebody else's part of it was not seen.
  std::vector<std::optional<Unstaged>> resolve();

private:
  using Addresses = std::array<uint64_t, WarpLanes>;
  /// Stands for what did not come from memory, such as the zeros around an
  /// image.
  static constexpr uint64_t Nowhere = ~uint64_t(0);
  /// A store into shared memory of what sites have loaded, as it is.
  struct Copy {
    uint32_t Store = 0;
    Addresses From{}; ///< of the last load of each lane
    uint32_t Loaded = 0;
  };
  /// What was stored to a word of shared memory, and after how many barriers.
  struct Stored {
    unsigned Epoch;
    uint64_t From;
  };
  static bool isBefore(unsigned Epoch, const Stored &Each) {
    return Epoch < Each.Epoch;
  }
  struct Load {
    uint32_t Site;
    unsigned Warp, Epoch;
    uint32_t Active;
    Addresses At;
  };
  /// What was stored to each, in the order of the barriers. (Each warp begins
  /// anew to count them.)
  using Words = llvm::DenseMap<uint64_t, llvm::SmallVector<Stored, 1>>;

  const Program &Code;
  const profile::RequestLaw &Law;
  std::vector<Copy> Copies;
  std::vector<int32_t> CopyOf; ///< by site: of a store, or -1
  /// By site of a load: the copies that it feeds.
  std::vector<llvm::SmallVector<uint32_t, 1>> Feeds;
  llvm::DenseMap<const llvm::Value *, Words> Arrays;
  /// Shared arrays that hold something else, too.
  llvm::SmallPtrSet<const llvm::Value *, 4> Others;
  std::vector<Load> Loads;
  unsigned Warp = 0, Epoch = 0;

  void store(Copy &Its, const LaneValue &Address, uint32_t Active);
  std::optional<uint64_t> originOf(const Load &L, unsigned Lane) const;
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_STAGEDWORDS_H
