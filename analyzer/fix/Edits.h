//===- Edits.h - Rewrites as texts of files ---------------------*- C++ -*-===//
//
// Puts rewrites that do not get in each other's way together, and makes the
// texts that the files would have.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FIX_EDITS_H
#define WARPWISE_ANALYZER_FIX_EDITS_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::fix {

/// The new text of each file that changes, by its path.
using Texts = std::map<std::string, std::string>;

/// The changes of all rewrites of \p Findings that are offered, each once, by
/// file and offset. A rewrite that overlaps one before it is withheld.
std::vector<advice::Replacement>
collectChanges(std::vector<advice::Finding> &Findings);

/// The files with \p Changes made, which do not overlap. The error says which
/// file does not read as it did when it was analysed.
llvm::Expected<Texts>
applyChanges(const std::vector<advice::Replacement> &Changes,
             const advice::SourceText &Read);

/// \p Changes of a text in which \p Made, sorted, were made before, as changes
/// of the text without them. Nothing where one touches what was made.
std::optional<std::vector<advice::Replacement>>
changesOfOriginal(const std::vector<advice::Replacement> &Changes,
                  const std::vector<advice::Replacement> &Made);

} // namespace warpwise::fix

#endif // WARPWISE_ANALYZER_FIX_EDITS_H
