//===- LaunchList.h - Merges and thins out launches -------------*- C++ -*-===//
//
// A host loop can launch a kernel a thousand times. This keeps the different
// launches once each, names those that are alternatives and, of too many, keeps
// some from the whole sequence.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H
#define WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H

#include "analyzer/launch/facts/LaunchFacts.h"

#include <map>
#include <unordered_map>

namespace warpwise::launch {

/// A side of a condition that leads to a launch.
struct Choice {
  /// A statement, or a parameter.
  const void *Condition = nullptr;
  unsigned Side = 0;
  std::string Text; ///< "n is 1", "n > 1000"
  /// What the other side of an `if` says: "n is not 1", "n <= 1000".
  std::string Opposite;
  /// The side that is left when a variable does not have a value, or a
  /// condition does not hold.
  bool IsOtherwise = false;
  /// The side where a variable has one value.
  bool IsSpecial = false;

  bool operator==(const Choice &Other) const {
    return Condition == Other.Condition && Side == Other.Side;
  }
};

/// A launch that the walk came to.
struct SeenLaunch {
  Launch Facts;
  unsigned Order = 0; ///< position in the source
  /// On the path that the program takes by default.
  bool IsLikely = true;
  /// From a walk that does not know what the program does before: whatever says
  /// more goes before it.
  bool IsVague = false;
  /// That walk is made for one value of a parameter.
  std::optional<Choice> Case;
  std::vector<Choice> Choices;
};

class LaunchList {
public:
  void add(SeenLaunch Seen);

  /// In source order, in a loop in the order of the walk; general ones before
  /// special ones. \p Together: of those that are too many one more says what
  /// they have in common. \p Notes gets a sentence for each such kernel.
  std::vector<Launch> take(unsigned MaxPerKernel, bool Together,
                           std::vector<std::string> &Notes);

private:
  struct Entry : SeenLaunch {
    size_t Sequence = 0;
  };
  std::vector<Entry> Entries;
  std::unordered_multimap<size_t, size_t> ByHash;
  /// What is left out, by kernel.
  std::map<std::string, Entry> Rest;

  void leaveOut(Entry E);
  void removeCovered();
  void thinOut(unsigned MaxPerKernel, bool Together);
  void name();
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LAUNCHLIST_H
