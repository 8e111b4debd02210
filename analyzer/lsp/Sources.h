//===- Sources.h - Where things are in files --------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_SOURCES_H
#define WARPWISE_ANALYZER_LSP_SOURCES_H

#include "analyzer/advice/Suppression.h"
#include "analyzer/lsp/Positions.h"

#include <map>
#include <memory>
#include <string>

namespace warpwise::lsp {

/// Places in files that the user may see, as the protocol has them. Texts are
/// read once.
class Sources {
public:
  /// \p Uri is that of \p File, as the editor spells it. \p Read gives the
  /// texts.
  Sources(std::string Uri, std::string File, advice::SourceText Read)
      : Uri(std::move(Uri)), File(std::move(File)), Read(std::move(Read)) {}

  std::string uriOf(const std::string &Path) const;
  /// What stands at the place; its line where the text cannot be had.
  mlir::lsp::Range rangeOf(const Place &Where);
  /// Null where the text cannot be had.
  const Lines *linesOf(const std::string &Path);

private:
  struct Source {
    explicit Source(std::string Its) : Text(std::move(Its)), In(Text) {}
    std::string Text;
    Lines In;
  };

  std::string Uri, File;
  advice::SourceText Read;
  std::map<std::string, std::unique_ptr<Source>> Known;
};

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_SOURCES_H
