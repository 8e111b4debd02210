//===- LaunchJson.h - Launches on their way between processes ---*- C++ -*-===//
//
// A translation unit that launches a kernel and the one that defines it are
// analysed by different processes; this is how the facts get across.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_LAUNCHJSON_H
#define WARPWISE_ANALYZER_TOOL_LAUNCHJSON_H

#include "analyzer/launch/facts/LaunchFacts.h"

#include "llvm/Support/JSON.h"

// In launch's namespace, where llvm::json looks for them.
namespace warpwise::launch {

llvm::json::Value toJSON(const Argument &A);
llvm::json::Value toJSON(const Launch &L);
bool fromJSON(const llvm::json::Value &From, Argument &A,
              llvm::json::Path Path);
bool fromJSON(const llvm::json::Value &From, Launch &L, llvm::json::Path Path);

/// Makes one object of contents that are equal, as they are in the process that
/// found \p Launches.
void shareContents(std::vector<Launch> &Launches);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_TOOL_LAUNCHJSON_H
