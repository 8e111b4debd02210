//===- CopyPlaces.cpp - Where nvcc says that a struct is copied -----------===//

#include "analyzer/access/CopyPlaces.h"

#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warpwise::access {
namespace {

class CopyFinder : public RecursiveASTVisitor<CopyFinder> {
  const SourceManager &Sources;
  std::map<Place, Place> &Moved;

public:
  CopyFinder(const SourceManager &Sources, std::map<Place, Place> &Moved)
      : Sources(Sources), Moved(Moved) {}

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    if (Call->getOperator() != OO_Equal || Call->getNumArgs() != 2)
      return true;
    const Place From = frontend::placeOf(Call->getOperatorLoc(), Sources);
    const Place To = frontend::placeOf(Call->getArg(1)->getBeginLoc(), Sources);
    if (From.Line != To.Line && From.File == To.File)
      Moved[From] = To;
    return true;
  }
};

} // namespace

std::map<Place, Place> copyPlaces(ASTContext &Context) {
  std::map<Place, Place> Moved;
  const SourceManager &Sources = Context.getSourceManager();
  CopyFinder Finder(Sources, Moved);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
      Finder.TraverseDecl(D);
  return Moved;
}

} // namespace warpwise::access
