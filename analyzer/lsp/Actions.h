//===- Actions.h - Rewrites as an editor offers them ------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_ACTIONS_H
#define WARPWISE_ANALYZER_LSP_ACTIONS_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <utility>

namespace warpwise::lsp {

/// A finding and the Diagnostic that was made of it.
using Shown = std::pair<const advice::Finding *, llvm::json::Value>;

/// CodeActions of the protocol for the rewrites of \p Findings that are
/// offered: one for each, with the "range" of its diagnostic besides, and one
/// for all of them together. \p Uri is that of \p File, as the editor spells
/// it.
llvm::json::Array codeActions(llvm::ArrayRef<Shown> Findings,
                              const std::string &Uri, const std::string &File,
                              const advice::SourceText &Read);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_ACTIONS_H
