//===- SourceIndex.h - What only the source text can tell -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_FRONTEND_SOURCEINDEX_H
#define WARPWISE_ANALYZER_FRONTEND_SOURCEINDEX_H

#include "analyzer/source/Place.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace warpwise::frontend {

struct SourceIndex {
  /// For copies by assignment of a class whose right-hand side starts on
  /// another line: from the place of the operator, which Clang's debug
  /// information names, to the start of the right-hand side, which nvcc's line
  /// table names. So findings stand on the line that a profiler shows.
  std::map<access::Place, access::Place> Moved;
  /// Accesses of several lines: from the place that Clang's debug information
  /// names to those on other lines that nvcc's line table may name (see
  /// LineTable.h). In a template the type decides which of them it is.
  std::map<access::Place, std::vector<access::Place>> InLineTable;
  /// The index of a subscript as it is written, by the place where the
  /// subscript expression starts.
  std::map<access::Place, std::string> Subscripts;
};

/// Reads the user's own declarations.
SourceIndex indexSource(clang::ASTContext &Context);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_SOURCEINDEX_H
