//===- Diagnostics.h - Findings as an editor shows them ---------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_DIAGNOSTICS_H
#define WARPWISE_ANALYZER_LSP_DIAGNOSTICS_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include "llvm/Support/JSON.h"

#include <functional>
#include <memory>
#include <string>

namespace warpwise::lsp {

class Sources;

/// The address of a rule's page, or empty.
using PageOf = std::function<std::string(const std::string &Rule)>;

/// Makes Diagnostics of the protocol, for one document.
class DiagnosticWriter {
public:
  /// \p Uri is that of \p File, as the editor spells it. \p Read gives the
  /// texts that the user may see.
  DiagnosticWriter(std::string Uri, std::string File, advice::SourceText Read,
                   PageOf Page);
  ~DiagnosticWriter();

  /// Its reason, the remedy, and the other places of the same cause are related
  /// information.
  llvm::json::Value finding(const advice::Finding &F);
  /// Of a kernel that was not analysed, and other things to know.
  llvm::json::Value information(const Place &Where, const std::string &Message);
  /// Of a comment that has no effect.
  llvm::json::Value unnecessary(const advice::Note &Comment);
  /// The Range of what stands at a place.
  llvm::json::Value rangeOf(const Place &Where);

private:
  llvm::json::Value related(const Place &Where, const std::string &Message);

  std::unique_ptr<Sources> From;
  PageOf Page;
};

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_DIAGNOSTICS_H
