//===- BlockWords.h - Who of a block accesses which words -------*- C++ -*-===//
//
// Listens to the requests of one block to its shared memory. Two things hang on
// which threads come to the same words between two barriers: whether a thread
// has the words that it carries through a loop to itself (CarriedWords.h), and
// how much of what a thread loads the thread next to it loads as well.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_BLOCKWORDS_H
#define WARPWISE_ANALYZER_EVALUATE_BLOCKWORDS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/WarpInterpreter.h"
#include "analyzer/launch/facts/LaunchFacts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwise::access {

class BlockWords : public RequestSink {
public:
  BlockWords(const Program &Code, const launch::Dim3 &Block);

  /// There is nothing to listen for.
  bool isEmpty() const { return Carried.empty() && !HasWindows; }
  /// What follows is warp \p Warp of the block. All of them have to follow
  /// before anything is asked.
  void startWarp(unsigned Warp);
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;
  void barrier() override { ++Epoch; }

  /// Whether the words of \p Site, a carried one, are accessed by one thread
  /// each, and are the same for no other access of that thread.
  bool isOwn(uint32_t Site) const;

  /// See Cost::LoadedBeside. By site.
  std::vector<std::array<double, 3>> loadedBeside() const;

private:
  /// A granule of an array, by number, after so many barriers.
  using Granule = std::pair<uint64_t, unsigned>;
  struct Owner {
    unsigned Thread;
    int Word; ///< Site::CarriedWord, or -1
    bool IsShared = false;
  };
  struct Load {
    uint32_t Site;
    unsigned Thread, Epoch;
    uint64_t At;
  };

  const Program &Code;
  const launch::Dim3 Block;
  bool HasWindows = false;
  /// Arrays with carried words, and the bytes of their granules: what all
  /// accesses to them are multiples of.
  llvm::SmallDenseMap<const llvm::Value *, unsigned, 4> Carried;
  /// Those of them where somebody else gets to a carried word, or may.
  llvm::SmallPtrSet<const llvm::Value *, 4> Disputed;
  llvm::DenseMap<Granule, Owner> Owners;
  std::vector<Load> Loads;
  unsigned Warp = 0, Epoch = 0;

  bool isInWindow(const Site &S) const;
  void own(const Site &S, const LaneValue &Address, uint32_t Active);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_BLOCKWORDS_H
