//===- LinkerNames.cpp - Names that link translation units ----------------===//

#include "analyzer/launch/LinkerNames.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace warpwise::launch {

static GlobalDecl globalDecl(const NamedDecl *Declaration) {
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Declaration))
    return GlobalDecl(Constructor, Ctor_Complete);
  if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(Declaration))
    return GlobalDecl(Destructor, Dtor_Complete);
  if (const auto *Function = dyn_cast<FunctionDecl>(Declaration))
    return Function->hasAttr<CUDAGlobalAttr>()
               ? GlobalDecl(Function, KernelReferenceKind::Kernel)
               : GlobalDecl(Function);
  return GlobalDecl(cast<VarDecl>(Declaration));
}

const std::string &LinkerNames::get(const NamedDecl *Declaration) {
  std::string &Name = Known[Declaration];
  if (!Name.empty())
    return Name;
  ASTContext &Context = Declaration->getASTContext();
  std::unique_ptr<MangleContext> &Mangler = Manglers[&Context];
  if (!Mangler)
    Mangler.reset(Context.createMangleContext());
  if (Mangler->shouldMangleDeclName(Declaration)) {
    llvm::raw_string_ostream Out(Name);
    Mangler->mangleName(globalDecl(Declaration), Out);
  } else {
    Name = Declaration->getName().str();
  }
  return Name;
}

} // namespace warpwise::launch
