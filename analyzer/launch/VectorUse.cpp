//===- VectorUse.cpp - What host code does with std::vector ---------------===//
//
// By name: the methods' bodies differ from library to library.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/VectorUse.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace warpwise::launch {

bool isVector(const CXXRecordDecl *Class) {
  const auto *Specialization =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class);
  const IdentifierInfo *Name =
      Specialization ? Specialization->getIdentifier() : nullptr;
  if (!Name || Name->getName() != "vector" ||
      !Specialization->isInStdNamespace())
    return false;
  const TemplateArgumentList &Arguments = Specialization->getTemplateArgs();
  return Arguments.size() != 0 &&
         Arguments[0].getKind() == TemplateArgument::Type &&
         !Arguments[0].getAsType()->isBooleanType();
}

bool changesSize(const CXXMethodDecl *Method) {
  static const llvm::StringSet<> Harmless = {
      "at",   "back",    "begin",  "data",          "end",    "front",
      "rend", "reserve", "rbegin", "shrink_to_fit", "~vector"};
  if (Method->isConst() || Method->isStatic() ||
      isa<CXXConstructorDecl, CXXDestructorDecl>(Method) ||
      Method->getOverloadedOperator() == OO_Subscript)
    return false;
  const IdentifierInfo *Name = Method->getIdentifier();
  return !Name || !Harmless.contains(Name->getName());
}

namespace {

class ChangeFinder {
public:
  std::vector<VectorChange> Found;
  /// Iterations differ in which of their statements they come to.
  bool HasJumps = false;

  void visit(const Stmt *S, bool IsConditional);

private:
  void visitCall(const CallExpr *Call, bool IsConditional);
  void visitArguments(const FunctionDecl *Callee,
                      llvm::ArrayRef<const Expr *> Arguments,
                      bool IsConditional);
};

} // namespace

void ChangeFinder::visitArguments(const FunctionDecl *Callee,
                                  llvm::ArrayRef<const Expr *> Arguments,
                                  bool IsConditional) {
  for (unsigned I = 0; I != Arguments.size(); ++I) {
    if (I >= Callee->getNumParams())
      return;
    const QualType Type = Callee->getParamDecl(I)->getType();
    if (Type->isReferenceType() && !Type->getPointeeType().isConstQualified() &&
        isVector(Arguments[I]->getType()->getAsCXXRecordDecl()))
      Found.push_back({Arguments[I], IsConditional, /*IsArgument=*/true});
  }
}

void ChangeFinder::visitCall(const CallExpr *Call, bool IsConditional) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return;
  llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const Expr *Object = nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    Object = Member->getImplicitObjectArgument();
  } else if (Method && !Method->isStatic() && isa<CXXOperatorCallExpr>(Call)) {
    Object = Arguments[0];
    Arguments = Arguments.drop_front();
  }
  if (Object && Method && isVector(Method->getParent()) && changesSize(Method))
    Found.push_back({Object, IsConditional});
  visitArguments(Callee, Arguments, IsConditional);
}

void ChangeFinder::visit(const Stmt *S, bool IsConditional) {
  if (!S)
    return;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    visitCall(Call, IsConditional);
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
    visitArguments(Construct->getConstructor(),
                   {Construct->getArgs(), Construct->getNumArgs()},
                   IsConditional);
  HasJumps |= isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt>(S);
  const bool IsPlain = isa<CompoundStmt, ExprWithCleanups>(S);
  for (const Stmt *Child : S->children())
    visit(Child, IsConditional || !IsPlain);
}

std::vector<VectorChange> findVectorChanges(const Stmt *Loop) {
  ChangeFinder Finder;
  for (const Stmt *Child : Loop->children())
    Finder.visit(Child, false);
  if (Finder.HasJumps)
    for (VectorChange &Change : Finder.Found)
      Change.IsConditional = true;
  llvm::erase_if(Finder.Found, [](const VectorChange &Change) {
    return Change.IsArgument && !Change.IsConditional;
  });
  return std::move(Finder.Found);
}

} // namespace warpwise::launch
