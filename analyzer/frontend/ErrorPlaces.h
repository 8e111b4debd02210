//===- ErrorPlaces.h - Which errors lie within a range ----------*- C++ -*-===//
//
// A unit whose headers are missing has thousands of errors beside thousands of
// functions; to compare each with each would take longer than all else.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_ERRORPLACES_H
#define WARPWISE_ANALYZER_FRONTEND_ERRORPLACES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace clang {
class SourceManager;
}

namespace warpwise::frontend {

class ErrorPlaces {
public:
  /// Invalid ones are nowhere.
  ErrorPlaces(const clang::SourceManager &Sources,
              llvm::ArrayRef<clang::SourceLocation> Errors);

  /// The numbers of the errors that lie within \p Range, or in what is included
  /// there; in ascending order. Macros count where they are expanded.
  std::vector<unsigned> within(clang::SourceRange Range) const;
  bool anyWithin(clang::SourceRange Range) const {
    return !within(Range).empty();
  }

private:
  struct Entry {
    unsigned Offset; ///< in its file
    unsigned Error;
  };

  const clang::SourceManager &Sources;
  std::vector<clang::SourceLocation> Places; ///< by number
  /// Those in a file and in what it includes, by their offsets.
  llvm::DenseMap<clang::FileID, std::vector<Entry>> In;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_ERRORPLACES_H
