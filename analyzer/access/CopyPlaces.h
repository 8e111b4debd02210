//===- CopyPlaces.h - Where nvcc says that a struct is copied ---*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_ACCESS_COPYPLACES_H
#define WARPWISE_ANALYZER_ACCESS_COPYPLACES_H

#include "analyzer/access/AccessModel.h"

#include <map>

namespace clang {
class ASTContext;
}

namespace warpwise::access {

/// For assignments of class type whose right-hand side starts on another line:
/// from the place of the operator, which Clang's debug information names, to
/// the start of the right-hand side, which nvcc's line table names. So findings
/// stand on the line that a profiler shows.
std::map<Place, Place> copyPlaces(clang::ASTContext &Context);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_ACCESS_COPYPLACES_H
