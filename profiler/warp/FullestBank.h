//===- FullestBank.h - How often groups meet in one bank --------*- C++ -*-===//
//
// A request to shared memory takes as long as its fullest bank. The probability
// that no bank has more than k words is a coefficient of a product of
// generating functions, one for each bank.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_WARP_FULLESTBANK_H
#define WARPWISE_PROFILER_WARP_FULLESTBANK_H

#include "profiler/warp/RandomRequest.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace warpwise::warp {

/// Where the elements of an object lie in the banks. An element that is wider
/// than a bank takes several side by side: such a set is one bin.
struct BankMap {
  uint64_t Bins = 1;
  /// Neighbours in one bank word; and elements of a bin that come out of it
  /// in one pass.
  uint64_t PerWord = 1, PerPass = 1;

  /// Nothing where the elements lie in no such order.
  static std::optional<BankMap> of(const RequestLaw &Law,
                                   const RandomRequest &R);
  /// How many bins have so many of \p Elements.
  std::map<uint64_t, uint64_t> fill(uint64_t Elements) const;
  uint64_t passesOfFullestBin(uint64_t Elements) const;
};

/// Expected passes for \p Groups of lanes that are served together, those with
/// one word at once: the most distinct words in a bin.
double expectedPasses(const BankMap &Map, std::optional<uint64_t> Elements,
                      unsigned Groups);

/// Expected turns of an atomic: the most lanes in a bin.
double expectedTurns(const BankMap &Map, std::optional<uint64_t> Elements,
                     const std::vector<uint32_t> &Groups);

/// True when so many sizes of groups are mixed that their series is long.
bool hasManySizes(const std::vector<uint32_t> &Groups);

} // namespace warpwise::warp

#endif // WARPWISE_PROFILER_WARP_FULLESTBANK_H
