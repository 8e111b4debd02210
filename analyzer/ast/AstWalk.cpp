//===- AstWalk.cpp - Walks through Clang's tree ---------------------------===//

#include "analyzer/ast/AstWalk.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwise {

class AstWalk::Visitor : public RecursiveASTVisitor<Visitor> {
  using Base = RecursiveASTVisitor<Visitor>;
  AstWalk &Walk;

public:
  explicit Visitor(AstWalk &Walk) : Walk(Walk) {}

  bool shouldVisitTemplateInstantiations() const {
    return Walk.Its.Instantiations;
  }
  bool shouldVisitImplicitCode() const { return Walk.Its.ImplicitCode; }

  bool VisitDecl(Decl *D) { return Walk.visit(D); }
  bool VisitStmt(Stmt *S) { return Walk.visit(S); }

  bool TraverseStmt(Stmt *S, DataRecursionQueue *Queue = nullptr) {
    return !S || !Walk.enters(S) || Base::TraverseStmt(S, Queue);
  }
  bool TraverseTypeLoc(TypeLoc Type) {
    return !Walk.Its.Types || Base::TraverseTypeLoc(Type);
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc Name) {
    return !Walk.Its.Types || Base::TraverseNestedNameSpecifierLoc(Name);
  }

  bool TraverseFunctionDecl(FunctionDecl *D) {
    return Walk.walkFunction(D, [&] { return Base::TraverseFunctionDecl(D); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *D) {
    return Walk.walkFunction(D, [&] { return Base::TraverseCXXMethodDecl(D); });
  }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *D) {
    return Walk.walkFunction(
        D, [&] { return Base::TraverseCXXConstructorDecl(D); });
  }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *D) {
    return Walk.walkFunction(
        D, [&] { return Base::TraverseCXXDestructorDecl(D); });
  }
  bool TraverseCXXConversionDecl(CXXConversionDecl *D) {
    return Walk.walkFunction(
        D, [&] { return Base::TraverseCXXConversionDecl(D); });
  }
};

bool AstWalk::walk(Decl *Root) { return Visitor(*this).TraverseDecl(Root); }

bool AstWalk::walkUsers(ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  return llvm::all_of(Context.getTranslationUnitDecl()->decls(), [&](Decl *D) {
    return Sources.isInSystemHeader(
               Sources.getExpansionLoc(D->getLocation())) ||
           walk(D);
  });
}

} // namespace warpwise
