//===- DeclaredPointer.h - A kernel's pointer argument ----------*- C++ -*-===//
//
// Plain data: where the name of a pointer argument stands, so that a rewrite
// can qualify it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_SOURCE_DECLAREDPOINTER_H
#define WARPWISE_ANALYZER_SOURCE_DECLAREDPOINTER_H

#include "analyzer/source/DeclaredArray.h"

#include <string>

namespace warpwise {

struct DeclaredPointer {
  std::string Name;
  Place Kernel; ///< whose argument it is; no column, as debug information
  Span At;      ///< its name, as it is written; no length where a macro did
  bool IsRestricted = false;
};

} // namespace warpwise

#endif // WARPWISE_ANALYZER_SOURCE_DECLAREDPOINTER_H
