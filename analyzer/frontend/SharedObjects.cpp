//===- SharedObjects.cpp - __shared__ objects with constructors -----------===//

#include "analyzer/frontend/SharedObjects.h"

#include "analyzer/ast/AstWalk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

/// Finds the class of the variable at a location. In a template its type may
/// depend on the parameters; then it is the class template's own class.
class VariableClassFinder : public AstWalk {
public:
  explicit VariableClassFinder(SourceLocation Where) : Where(Where) {}

  const CXXRecordDecl *Found = nullptr;

  bool visit(Decl *D) override {
    const auto *Variable = dyn_cast<VarDecl>(D);
    if (!Variable || Variable->getLocation() != Where)
      return true;
    QualType Element =
        Variable->getASTContext().getBaseElementType(Variable->getType());
    Found = Element->getAsCXXRecordDecl();
    if (const auto *Special = Element->getAs<TemplateSpecializationType>();
        !Found && Special)
      if (auto *Template = dyn_cast_or_null<ClassTemplateDecl>(
              Special->getTemplateName().getAsTemplateDecl()))
        Found = Template->getTemplatedDecl();
    return false;
  }

private:
  SourceLocation Where;
};

} // namespace

bool SharedObjects::learn(const std::vector<CompileError> &Errors) {
  bool IsNew = false;
  for (const CompileError &Error : Errors) {
    if (Error.Kind != ErrorKind::SharedInitializer || Error.Owners.empty())
      continue;
    const FunctionDecl *Owner = Error.Owners.front();
    // The instantiation has lost the variable by now, the template has it.
    if (const FunctionDecl *Pattern = Owner->getTemplateInstantiationPattern())
      Owner = Pattern;
    VariableClassFinder Finder(Error.Where);
    Finder.walk(const_cast<FunctionDecl *>(Owner));
    if (Finder.Found && Finder.Found->getIdentifier())
      IsNew |= Classes[Finder.Found->getName()]
                   .insert(Finder.Found->getQualifiedNameAsString())
                   .second;
  }
  return IsNew;
}

bool SharedObjects::isLearnt(const CXXRecordDecl &Class) const {
  if (!Class.getIdentifier())
    return false;
  auto Known = Classes.find(Class.getName());
  return Known != Classes.end() &&
         Known->second.count(Class.getQualifiedNameAsString());
}

void SharedObjects::completed(TagDecl &Tag, Sema &Actions) {
  if (Classes.empty())
    return;
  auto *Class = dyn_cast<CXXRecordDecl>(&Tag);
  if (!Class || Class->isDependentContext() || !isLearnt(*Class))
    return;
  FunctionDecl *const Members[] = {Actions.LookupDefaultConstructor(Class),
                                   Actions.LookupDestructor(Class)};
  for (FunctionDecl *Member : Members) {
    if (!Member || Member->isTrivial())
      continue;
    Member->setTrivial(true);
    Changed.push_back(Member);
  }
}

void SharedObjects::restore() {
  for (FunctionDecl *Member : Changed)
    Member->setTrivial(false);
  Changed.clear();
}

} // namespace warpwise::frontend
