//===- SourceIndex.cpp - What only the source text can tell ---------------===//

#include "analyzer/frontend/SourceIndex.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

class Indexer : public AstWalk {
  ASTContext &Context;
  const SourceManager &Sources;
  SourceIndex &Into;

public:
  Indexer(ASTContext &Context, SourceIndex &Into)
      : Context(Context), Sources(Context.getSourceManager()), Into(Into) {}

  bool visit(Stmt *S) override {
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
        Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
      noteAssignment(*Call);
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S))
      noteSubscript(*Subscript);
    return true;
  }

private:
  void noteAssignment(const CXXOperatorCallExpr &Call) {
    const access::Place From =
        frontend::placeOf(Call.getOperatorLoc(), Sources);
    const access::Place To =
        frontend::placeOf(Call.getArg(1)->getBeginLoc(), Sources);
    if (From.Line != To.Line && From.File == To.File)
      Into.Moved[From] = To;
  }

  void noteSubscript(const ArraySubscriptExpr &Subscript) {
    const llvm::StringRef Text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Subscript.getIdx()->getSourceRange()),
        Sources, Context.getLangOpts());
    Into.Subscripts.try_emplace(
        frontend::placeOf(Subscript.getBeginLoc(), Sources), Text.str());
  }
};

bool isDeviceCode(const Decl *D) {
  return D->hasAttr<CUDADeviceAttr>() || D->hasAttr<CUDAGlobalAttr>();
}

/// Visits the device functions in \p D; host code has nothing to tell here.
void visit(Decl *D, Indexer &Visitor) {
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
    if (isDeviceCode(Template->getTemplatedDecl()))
      Visitor.walk(D);
  } else if (isa<FunctionDecl>(D)) {
    if (isDeviceCode(D))
      Visitor.walk(D);
  } else if (auto *Template = dyn_cast<ClassTemplateDecl>(D)) {
    visit(Template->getTemplatedDecl(), Visitor);
  } else if (isa<NamespaceDecl, CXXRecordDecl, LinkageSpecDecl>(D)) {
    for (Decl *Inner : cast<DeclContext>(D)->decls())
      visit(Inner, Visitor);
  }
}

} // namespace

SourceIndex indexSource(ASTContext &Context) {
  SourceIndex Index;
  Indexer Visitor(Context, Index);
  const SourceManager &Sources = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
      visit(D, Visitor);
  return Index;
}

} // namespace warpwise::frontend
