//===- ConflictGroups.h - Lines that compete for the same ways --*- C++ -*-===//
//
// Group testing: of random lines, fewer than the cache holds, so that only a
// full set can evict one, take the smallest set that does not fit. It is one
// line more than a set of the cache has ways, whatever is replaced and however
// lines map to sets. A line belongs to that set if, loaded into it when it is
// full, it evicts one of the others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_CONFLICTGROUPS_H
#define WARPWISE_PROFILER_INFERENCE_CONFLICTGROUPS_H

#include "profiler/inference/FitTest.h"

namespace warpwise::inference {

/// One set of the cache. All numbers are of lines.
struct ConflictGroup {
  std::vector<uint64_t> Lines;  ///< one more than fit: the ways and one more
  std::vector<uint64_t> Others; ///< of the sample, in the same set
  unsigned ways() const { return unsigned(Lines.size()) - 1; }
};

struct ConflictGroups {
  std::vector<ConflictGroup> Groups;
  /// Of the sample, in none of these sets.
  std::vector<uint64_t> Strangers;
  /// Every line of the sample is in one of the sets.
  bool Complete = false;
  std::string Unknown; ///< why there are no groups
};

class ConflictSearch {
public:
  ConflictSearch(FitTest &Test, uint64_t LineBytes, uint64_t CapacityLines,
                 uint64_t Seed = 1);

  /// Up to \p Most sets, and which lines of a sample belong to each.
  ConflictGroups find(unsigned Most);

  enum class Belongs { No, Yes, Unclear };
  /// Whether each of \p Lines, none of which is one of the group's first ways,
  /// is in the set of \p G.
  std::vector<Belongs> classify(const ConflictGroup &G,
                                std::span<const uint64_t> Lines);

  /// \p Count different lines of the probe's array, or all.
  std::vector<uint64_t> randomLines(uint64_t Count);
  uint64_t lines() const { return AllLines; }

private:
  bool fits(std::span<const uint64_t> Lines, unsigned Calls = 1);
  /// As many of the first \p Lines as do not fit, or none if all do.
  std::vector<uint64_t> overfullPrefix(std::span<const uint64_t> Lines);
  std::vector<uint64_t> suspects(std::span<const uint64_t> Overfull);
  /// The smallest part of \p Overfull that does not fit.
  std::vector<uint64_t> reduce(std::vector<uint64_t> Overfull);
  std::optional<ConflictGroup> nextGroup(std::vector<uint64_t> &Sample);
  /// Whether the set of \p G is none of \p Known.
  bool isNew(const ConflictGroup &G, std::span<const ConflictGroup> Known);
  void takeMembers(ConflictGroup &G, std::vector<uint64_t> &Sample);

  FitTest &Test;
  uint64_t LineBytes, CapacityLines, AllLines;
  std::mt19937_64 Random;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_CONFLICTGROUPS_H
