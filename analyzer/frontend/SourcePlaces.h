//===- SourcePlaces.h - Clang's locations as plain places -------*- C++ -*-===//
//
// The one rule by which a location in a Clang parse becomes the place that a
// user reads: where a macro was used rather than written, as an absolute path.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H
#define WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H

#include "analyzer/source/Place.h"

namespace clang {
class SourceLocation;
class SourceManager;
} // namespace clang

namespace warpwise::frontend {

access::Place placeOf(clang::SourceLocation Location,
                      const clang::SourceManager &Sources);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H
