//===- SharedObjects.h - __shared__ objects with constructors ---*- C++ -*-===//
//
// nvcc accepts "__shared__ cuda::barrier<...> b;" and leaves the constructor
// out with a warning; for Clang it is an error, and every later use of the
// object is lost with it. So such a unit is parsed a second time, in which the
// default constructors of the classes at fault count as trivial.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_SHAREDOBJECTS_H
#define WARPWISE_ANALYZER_FRONTEND_SHAREDOBJECTS_H

#include "analyzer/frontend/ErrorCollector.h"

#include "llvm/ADT/StringMap.h"

#include <set>
#include <string>

namespace clang {
class CXXRecordDecl;
class Sema;
class TagDecl;
} // namespace clang

namespace warpwise::frontend {

class SharedObjects {
public:
  /// Learns the classes of the shared variables that \p Errors complains of.
  /// True when there is a new one, so that another parse will do better.
  bool learn(const std::vector<CompileError> &Errors);

  /// To be called for every class that \p Actions completes.
  void completed(clang::TagDecl &Tag, clang::Sema &Actions);

  /// Gives the constructors their nature back: for other objects of these
  /// classes they have to be called.
  void restore();

private:
  bool isLearnt(const clang::CXXRecordDecl &Class) const;

  /// Qualified names by simple name, which is the cheap one to ask for.
  llvm::StringMap<std::set<std::string>> Classes;
  std::vector<clang::FunctionDecl *> Changed;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_SHAREDOBJECTS_H
