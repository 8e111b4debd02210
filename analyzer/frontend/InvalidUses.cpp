//===- InvalidUses.cpp - Does a function rest on broken code? -------------===//

#include "analyzer/frontend/InvalidUses.h"

#include "analyzer/ast/AstWalk.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warpwise::frontend {

/// Looks through one function and stops at the first invalid use.
class InvalidUseVisitor : public AstWalk {
public:
  InvalidUseVisitor(InvalidUses &Uses,
                    llvm::SmallVectorImpl<const FunctionDecl *> &Lambdas)
      : AstWalk({.ImplicitCode = true}), Uses(Uses), Lambdas(Lambdas) {}

  std::optional<InvalidUse> Found;

  bool visit(Stmt *S) override {
    const auto *Node = dyn_cast<Expr>(S);
    if (!Node)
      return true;
    if (Node->containsErrors())
      return report(Node->getExprLoc(), nullptr);
    if (const NamedDecl *Broken = Uses.brokenPart(Node->getType()))
      return report(Node->getExprLoc(), Broken);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Node))
      return visitUse(Ref->getLocation(), *Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(Node))
      return visitUse(Member->getMemberLoc(), *Member->getMemberDecl());
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Node))
      return visitUse(Construct->getLocation(), *Construct->getConstructor());
    return true;
  }

  bool visit(Decl *D) override {
    const auto *Variable = dyn_cast<VarDecl>(D);
    return !Variable || visitUse(Variable->getLocation(), *Variable);
  }

private:
  bool visitUse(SourceLocation Where, const ValueDecl &Value) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Value);
        Method && Method->getParent()->isLambda())
      Lambdas.push_back(Method);
    if (const NamedDecl *Broken = Uses.brokenPart(Value.getType()))
      return report(Where, Broken);
    return Uses.isBroken(Value) ? report(Where, &Value) : true;
  }

  bool report(SourceLocation Where, const NamedDecl *Used) {
    Found = InvalidUse{Where, Used};
    return false;
  }

  InvalidUses &Uses;
  llvm::SmallVectorImpl<const FunctionDecl *> &Lambdas;
};

std::optional<InvalidUse>
InvalidUses::findIn(const FunctionDecl &Function,
                    llvm::SmallVectorImpl<const FunctionDecl *> &Lambdas) {
  if (Function.isInvalidDecl())
    return InvalidUse{Function.getLocation(), &Function};
  if (const NamedDecl *Broken = brokenPart(Function.getReturnType()))
    return InvalidUse{Function.getLocation(), Broken};
  if (Function.getReturnType()->isUndeducedType())
    return InvalidUse{Function.getLocation(), &Function};
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
    if (const NamedDecl *Broken = brokenPart(*Method->getParent()))
      return InvalidUse{Function.getLocation(), Broken};
  InvalidUseVisitor Visitor(*this, Lambdas);
  // Parameters, constructor initialisers and the body; not the redeclarations.
  Visitor.walk(const_cast<FunctionDecl *>(&Function));
  // Clang often loses an expression over a broken class behind a pointer.
  if (Visitor.Found && !Visitor.Found->Used)
    for (const ParmVarDecl *Parameter : Function.parameters())
      if (QualType Pointee = Parameter->getType()->getPointeeType();
          !Visitor.Found->Used && !Pointee.isNull())
        Visitor.Found->Used = brokenPart(Pointee);
  return Visitor.Found;
}

bool InvalidUses::isBroken(const VarDecl &Variable) {
  return Variable.isInvalidDecl() ||
         (Variable.hasInit() && Variable.getInit() &&
          Variable.getInit()->containsErrors()) ||
         brokenPart(Variable.getType());
}

bool InvalidUses::isBroken(const ValueDecl &Value) {
  if (const auto *Variable = dyn_cast<VarDecl>(&Value))
    return isBroken(*Variable);
  if (const auto *Function = dyn_cast<FunctionDecl>(&Value)) {
    if (Function->getReturnType()->isUndeducedType())
      return true;
    // An instantiation is invalid when its body is; it can still be called.
    if (Function->isTemplateInstantiation())
      return Function->getType()->containsErrors();
  }
  return Value.isInvalidDecl();
}

/// The typedef or class by value in \p Type that is broken. Behind a pointer
/// only a typedef counts: a class there is met again where it is dereferenced,
/// but "Unknown *p" with a typedef turned int would index in steps of 4.
const NamedDecl *InvalidUses::brokenPart(QualType Type) {
  bool ByValue = true;
  while (!Type.isNull()) {
    if (const auto *Alias = Type->getAs<TypedefType>()) {
      if (Alias->getDecl()->isInvalidDecl())
        return Alias->getDecl();
      Type = Alias->desugar();
    } else if (Type->isPointerType() || Type->isReferenceType()) {
      Type = Type->getPointeeType();
      ByValue = false;
    } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
      Type = Array->getElementType();
    } else {
      const RecordDecl *Record = Type->getAsRecordDecl();
      return ByValue && Record ? brokenPart(*Record) : nullptr;
    }
  }
  return nullptr;
}

const NamedDecl *InvalidUses::brokenPart(const RecordDecl &Record) {
  const RecordDecl *Definition = Record.getDefinition();
  if (!Definition || Definition->isDependentContext())
    return Record.isInvalidDecl() ? &Record : nullptr;
  auto [Known, IsNew] = Records.try_emplace(Definition, nullptr);
  if (!IsNew)
    return Known->second;

  const NamedDecl *Broken = nullptr;
  if (Definition->isInvalidDecl() ||
      StrayErrors.anyWithin(Definition->getSourceRange()))
    Broken = Definition;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Definition))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (!Broken)
        Broken = brokenPart(Base.getType());
  for (const FieldDecl *Field : Definition->fields())
    if (!Broken)
      Broken = Field->isInvalidDecl() ? Field : brokenPart(Field->getType());
  // The recursion may have moved the table, so Known is no longer good.
  Records[Definition] = Broken;
  return Broken;
}

} // namespace warpwise::frontend
