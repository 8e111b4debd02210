//===- LaunchList.h - Merges and thins out launches -------------*- C++ -*-===//
//
// A host loop can launch a kernel a thousand times. This keeps the different
// launches once each and, of too many, some from the whole sequence.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H
#define WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H

#include "analyzer/launch/LaunchFacts.h"

#include <unordered_map>

namespace warpwise::launch {

class LaunchList {
public:
  /// \p Order: position of the launch in the source. \p Likely: on the path
  /// that the program takes by default.
  void add(Launch Seen, unsigned Order, bool Likely);

  /// In source order, in a loop in the order of the walk.
  std::vector<Launch> take(unsigned MaxPerKernel);

private:
  struct Entry {
    Launch Facts;
    unsigned Order = 0;
    size_t Sequence = 0;
    bool Likely = false;
  };
  std::vector<Entry> Entries;
  std::unordered_multimap<size_t, size_t> ByHash;

  void removeCovered();
  void thinOut(unsigned MaxPerKernel);
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H
