//===- EditorSettings.h - What an editor's user sets ------------*- C++ -*-===//
//
// The settings that a client of `warpwise lsp` sends: initializationOptions, or
// its section "warpwise" of the editor's own settings.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_EDITORSETTINGS_H
#define WARPWISE_ANALYZER_TOOL_EDITORSETTINGS_H

#include "analyzer/tool/Check.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace warpwise::tool {

/// Lets \p Settings go before what \p Into says: "gpu", "profile", "checks",
/// "headerFilter", "compileCommands", "cudaPath", "blocks" (["k=32x8"]),
/// "arguments" (["n=4096"]), "minGain". Others are not Warpwise's; an empty
/// text says nothing. The error names the setting that is wrong.
llvm::Error applySettings(const llvm::json::Value &Settings,
                          CheckOptions &Into);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_EDITORSETTINGS_H
