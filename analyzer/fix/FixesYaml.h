//===- FixesYaml.h - Rewrites as clang-tidy exports them --------*- C++ -*-===//
//
// What clang-apply-replacements and editors read: --export-fixes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FIX_FIXESYAML_H
#define WARPWISE_ANALYZER_FIX_FIXESYAML_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include <string>
#include <vector>

namespace warpwise::fix {

/// The findings whose rewrite is offered, each change once.
std::string writeFixes(const std::vector<advice::Finding> &Findings,
                       const std::string &BuildDirectory,
                       const advice::SourceText &Read);

} // namespace warpwise::fix

#endif // WARPWISE_ANALYZER_FIX_FIXESYAML_H
