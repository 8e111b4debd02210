//===- Fingerprint.h - A finding, recognised in later runs ------*- C++ -*-===//
//
// A place is known by its rule, its file and the text of its line, not by the
// line's number: code above it may come and go. Neither do the numbers of the
// message count, which change with the GPU.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_FINGERPRINT_H
#define WARPWISE_ANALYZER_ADVICE_FINGERPRINT_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace warpwise::advice {

/// Gives each place of \p Findings its fingerprint: "1f3a...:2" is the second
/// place in the file with that rule and that text. \p Findings are all of a
/// run, as joinCauses() makes them; \p NameOf gives a path as it is the same in
/// every checkout.
void setFingerprints(
    std::vector<Finding> &Findings, const SourceText &Read,
    const std::function<std::string(const std::string &Path)> &NameOf);

/// Removes the findings all places of which an earlier run knew, and returns
/// how many they were. One with a new place stays.
size_t removeKnown(std::vector<Finding> &Findings,
                   const std::set<std::string> &Known);

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_FINGERPRINT_H
