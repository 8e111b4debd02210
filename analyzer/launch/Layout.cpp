//===- Layout.cpp - Which bytes a type and its members are ----------------===//

#include "analyzer/launch/Layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace warpwise::launch {

uint64_t sizeOf(const ASTContext &Context, QualType Type) {
  // What nearly all loads and stores are of; nothing else has to be asked.
  if (const clang::Type *Its = Type.getCanonicalType().getTypePtr();
      isa<PointerType>(Its) ||
      (isa<BuiltinType>(Its) && Its->isArithmeticType()))
    return Context.getTypeSize(Its) / Context.getCharWidth();
  if (Type->isReferenceType())
    Type = Context.getPointerType(Type.getNonReferenceType());
  if (Type->isDependentType() || Type->isUndeducedType() ||
      Type->isPlaceholderType() || Type->isIncompleteType() ||
      Type->isFunctionType() || !Type->isConstantSizeType())
    return 0;
  if (const RecordDecl *Decl = Type->getAsRecordDecl();
      Decl && Decl->isInvalidDecl())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

Address offsetTo(Address Base, const FieldDecl *Field) {
  const RecordDecl *Parent = Field->getParent();
  if (Field->isBitField() || Parent->isInvalidDecl() ||
      !Parent->isCompleteDefinition() || Parent->isDependentContext())
    return Nowhere;
  const ASTRecordLayout &Layout =
      Field->getASTContext().getASTRecordLayout(Parent);
  return Base.advance(
      static_cast<int64_t>(Layout.getFieldOffset(Field->getFieldIndex()) / 8));
}

Address offsetToBase(Address Derived, const CXXRecordDecl *Class,
                     const CXXBaseSpecifier *Base) {
  const CXXRecordDecl *Parent = Base->getType()->getAsCXXRecordDecl();
  if (!Class || !Parent || Base->isVirtual() || Class->isInvalidDecl() ||
      !Class->hasDefinition())
    return Nowhere;
  const ASTRecordLayout &Layout =
      Class->getASTContext().getASTRecordLayout(Class);
  return Derived.advance(Layout.getBaseClassOffset(Parent).getQuantity());
}

std::optional<std::pair<Address, QualType>>
findField(Address Base, QualType Type, llvm::StringRef Name) {
  const RecordDecl *Decl = Type->getAsRecordDecl();
  Decl = Decl ? Decl->getDefinition() : nullptr;
  if (!Decl)
    return std::nullopt;
  for (const FieldDecl *Field : Decl->fields())
    if (Field->getName() == Name)
      return std::pair(offsetTo(Base, Field), Field->getType());
  return std::nullopt;
}

} // namespace warpwise::launch
