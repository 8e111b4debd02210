//===- Positions.h - Where something is, as editors count -------*- C++ -*-===//
//
// The protocol counts lines from 0 and columns in UTF-16 units; the analysis
// counts lines and bytes from 1.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_POSITIONS_H
#define WARPWISE_ANALYZER_LSP_POSITIONS_H

#include "analyzer/source/DeclaredArray.h"
#include "analyzer/source/Place.h"

#include "mlir/Tools/lsp-server-support/Protocol.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warpwise::lsp {

/// A text and where its lines begin. The text has to outlive it.
class Lines {
public:
  explicit Lines(llvm::StringRef Text);

  mlir::lsp::Position positionOf(size_t Offset) const;
  /// The nearest that there is.
  size_t offsetOf(mlir::lsp::Position Where) const;
  /// Of a place in this text, the nearest that there is.
  size_t offsetOf(const Place &Where) const;
  mlir::lsp::Range rangeOf(size_t Begin, size_t End) const;
  /// What stands at the place: an expression with its subscripts and calls, or
  /// an operator.
  mlir::lsp::Range expressionAt(const Place &Where) const;

private:
  llvm::StringRef line(size_t Number) const;

  llvm::StringRef Text;
  std::vector<size_t> Begins;
};

/// \p Text after \p Changes, one after the other.
void applyChanges(
    std::string &Text,
    const std::vector<mlir::lsp::TextDocumentContentChangeEvent> &Changes);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_POSITIONS_H
