//===- Fixes.h - check --fix ------------------------------------*- C++ -*-===//
//
// Tries the rewrites of findings on texts in memory, through the analysis that
// found them, and writes those that hold.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_FIXES_H
#define WARPWISE_ANALYZER_TOOL_FIXES_H

#include "analyzer/fix/Trial.h"
#include "analyzer/tool/Session.h"

#include <functional>
#include <string>
#include <vector>

namespace warpwise::tool {

/// What the reports of a session's units come to.
using Gather = std::function<fix::Analysed(const std::vector<UnitReport> &)>;

/// Tries the rewrites of \p Findings. Those in files that \p IsLeftOut stay
/// out. The result is the texts to write.
llvm::Expected<fix::Texts>
tryFixes(const Session &S, const std::vector<UnitReport> &Reports,
         fix::Analysed &Found, const Summary &Summarize, const Gather &Together,
         const std::function<bool(const std::string &File)> &IsLeftOut,
         const advice::SourceText &Read, bool MayNotGain);

/// Writes the files. False after an error, which has been printed; then the
/// files after the one at fault are as they were.
bool writeFixes(const fix::Texts &Edited);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_FIXES_H
