//===- DeclaredPointers.cpp -----------------------------------------------===//

#include "analyzer/frontend/DeclaredPointers.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <utility>

using namespace clang;

namespace warpwise::frontend {
namespace {

class Finder : public AstWalk {
  ASTContext &Context;

public:
  std::map<std::pair<Place, std::string>, DeclaredPointer> Found;

  explicit Finder(ASTContext &Context)
      : AstWalk({.Instantiations = true, .Types = false}), Context(Context) {}

  /// No kernel is inside a function.
  bool walkFunction(FunctionDecl *F, llvm::function_ref<bool()>) override {
    if (F->doesThisDeclarationHaveABody() && F->hasAttr<CUDAGlobalAttr>() &&
        !F->isDependentContext())
      for (const ParmVarDecl *P : F->parameters())
        if (P->getType()->isPointerType() && P->getIdentifier())
          add(*F, *P);
    return true;
  }

private:
  void add(const FunctionDecl &F, const ParmVarDecl &P) {
    DeclaredPointer Pointer;
    Pointer.Name = P.getName().str();
    Pointer.Kernel = placeOf(F.getLocation(), Context.getSourceManager());
    Pointer.Kernel.Column = 0;
    Pointer.IsRestricted = P.getType().isRestrictQualified();
    std::string Text;
    if (const auto Name =
            spanOf({P.getLocation(), P.getLocation()}, Context, Text);
        Name && Text == Pointer.Name)
      Pointer.At = *Name;
    Found.try_emplace({Pointer.Kernel, Pointer.Name}, Pointer);
  }
};

} // namespace

std::vector<DeclaredPointer> declaredPointers(ASTContext &Context) {
  Finder Its(Context);
  Its.walkUsers(Context);
  std::vector<DeclaredPointer> All;
  for (auto &[Key, Pointer] : Its.Found)
    All.push_back(std::move(Pointer));
  llvm::sort(All, [](const DeclaredPointer &A, const DeclaredPointer &B) {
    return A.At < B.At;
  });
  return All;
}

} // namespace warpwise::frontend
