//===- UnitOptions.h - What a unit is analysed with -------------*- C++ -*-===//
//
// For all who analyse, whatever their command line looks like.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_UNITOPTIONS_H
#define WARPWISE_ANALYZER_TOOL_UNITOPTIONS_H

#include "analyzer/pipeline/Analyze.h"
#include "profiler/profile/Profile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace warpwise::tool {

/// A block shape for the kernels whose name matches a glob.
using BlockOverride = std::pair<std::string, launch::Dim3>;

/// "KERNEL=32x8" or "32x8x2", the value of --block.
llvm::Expected<BlockOverride> parseBlock(llvm::StringRef Text);

/// What \p Device says of the machine that runs the code.
pipeline::AnalyzeOptions optionsFor(const profile::Profile &Device);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_UNITOPTIONS_H
