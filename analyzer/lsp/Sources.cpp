//===- Sources.cpp - Where things are in files ----------------------------===//

#include "analyzer/lsp/Sources.h"

#include "analyzer/lsp/Uri.h"

#include <algorithm>

namespace warpwise::lsp {

using namespace mlir::lsp;

std::string Sources::uriOf(const std::string &Path) const {
  return Path == File ? Uri : fileUri(Path);
}

const Lines *Sources::linesOf(const std::string &Path) {
  const auto [At, New] = Known.try_emplace(Path);
  if (New)
    if (auto Text = Read(Path))
      At->second = std::make_unique<Source>(std::move(*Text));
  return At->second ? &At->second->In : nullptr;
}

Range Sources::rangeOf(const Place &Where) {
  if (const Lines *Its = linesOf(Where.File))
    return Its->expressionAt(Where);
  return Range(Position(int(std::max(Where.Line, 1u)) - 1, 0));
}

} // namespace warpwise::lsp
