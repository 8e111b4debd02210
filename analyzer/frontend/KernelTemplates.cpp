//===- KernelTemplates.cpp ------------------------------------------------===//

#include "analyzer/frontend/KernelTemplates.h"

#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwise::frontend {

static bool isUnusedKernel(const FunctionTemplateDecl &Template) {
  const FunctionDecl *Pattern = Template.getTemplatedDecl();
  return Pattern->hasAttr<CUDAGlobalAttr>() &&
         Pattern->isThisDeclarationADefinition() &&
         llvm::none_of(Template.specializations(),
                       [](const FunctionDecl *Instance) {
                         return Instance->isDefined();
                       });
}

/// Kernels cannot be members of classes, so namespaces are all there is to
/// look into.
static void visit(const DeclContext &Context, const SourceManager &Sources,
                  std::vector<KernelTemplate> &Found) {
  for (const Decl *D : Context.decls()) {
    if (isa<NamespaceDecl, LinkageSpecDecl>(D)) {
      visit(*cast<DeclContext>(D), Sources, Found);
      continue;
    }
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    if (Template && isUnusedKernel(*Template) &&
        !Sources.isInSystemHeader(
            Sources.getExpansionLoc(Template->getLocation())))
      Found.push_back({Template->getQualifiedNameAsString(),
                       placeOf(Template->getLocation(), Sources)});
  }
}

std::vector<KernelTemplate> unusedKernelTemplates(ASTContext &Context) {
  std::vector<KernelTemplate> Found;
  visit(*Context.getTranslationUnitDecl(), Context.getSourceManager(), Found);
  return Found;
}

} // namespace warpwise::frontend
