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
  std::vector<std::optional<Unstaged>> resolve() const;

private:
  /// Stands for what did not come from memory, such as the zeros around an
  /// image.
  static constexpr uint64_t Nowhere = ~uint64_t(0);
  using Lanes = std::array<uint64_t, WarpLanes>;
  /// A store into shared memory of what sites have loaded, as it is.
  struct Copy {
    uint32_t Store = 0;
    Lanes From{}; ///< of the last load of each lane
    uint32_t Loaded = 0;
  };
  /// A request to a shared array, and after how many barriers it was made.
  /// (Each warp begins anew to count them.)
  struct Request {
    uint32_t Site;
    unsigned Warp, Epoch;
    uint32_t Active;
    std::array<uint32_t, WarpLanes> At; ///< from Array::Base
  };
  struct Store : Request {
    Lanes From;
  };
  /// What a block does with a shared array.
  struct Array {
    uint64_t Base = 0;       ///< where its first request went, of 4 GiB
    unsigned Granule = 4;    ///< bytes that it is followed in
    bool HoldsOther = false; ///< nothing is said of it
    std::vector<Store> Stores;
    std::vector<Request> Loads;
  };
  class Contents;
  class Requests;

  const Program &Code;
  const profile::RequestLaw &Law;
  std::vector<Copy> Copies;
  std::vector<int32_t> CopyOf; ///< by site: of a store, or -1
  std::vector<Array> Arrays;
  std::vector<int32_t> ArrayOf; ///< by site of shared memory, or -1
  /// By site of a load: the copies that it feeds.
  std::vector<llvm::SmallVector<uint32_t, 1>> Feeds;
  unsigned Warp = 0, Epoch = 0;

  void findArrays();
  void findCopies();
  bool note(Array &To, Request &R, uint32_t Site, const LaneValue &Address,
            uint32_t Active) const;
  bool resolve(const Array &Its, std::vector<Requests> &Sites) const;
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_STAGEDWORDS_H
