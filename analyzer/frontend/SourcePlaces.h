//===- SourcePlaces.h - Clang's locations as plain places -------*- C++ -*-===//
//
// The one rule by which a location in a Clang parse becomes the place that a
// user reads: where a macro was used rather than written, as an absolute path.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H
#define WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H

#include "analyzer/source/DeclaredArray.h"
#include "analyzer/source/Place.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class SourceLocation;
class SourceManager;
class SourceRange;
} // namespace clang

namespace warpwise::frontend {

access::Place placeOf(clang::SourceLocation Location,
                      const clang::SourceManager &Sources);

/// The bytes of \p Tokens and what they are, if they stand in a file of the
/// user's as they are and not in a macro.
std::optional<Span> spanOf(clang::SourceRange Tokens,
                           const clang::ASTContext &Context, std::string &Text);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_SOURCEPLACES_H
