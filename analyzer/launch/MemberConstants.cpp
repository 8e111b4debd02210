//===- MemberConstants.cpp - Members that hold one value ------------------===//

#include "analyzer/launch/MemberConstants.h"

#include "analyzer/launch/Arithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <cassert>

using namespace clang;

namespace warpwise::launch {

static bool isInteger(const FieldDecl *Member) {
  return Member->getType()->isIntegralOrEnumerationType();
}

/// Whether nobody else can name it. What everybody can name, a list of
/// initializers or another file may set.
static bool isKept(const FieldDecl *Member) {
  return Member->getAccess() == AS_private ||
         Member->getAccess() == AS_protected;
}

/// The integer members of the record \p Type, which has no others.
static std::optional<llvm::SmallVector<const FieldDecl *, 4>>
partsOf(QualType Type) {
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->getNumBases() != 0 || Record->isUnion())
    return std::nullopt;
  llvm::SmallVector<const FieldDecl *, 4> Parts;
  for (const FieldDecl *Part : Record->fields()) {
    if (!isInteger(Part) || Part->isBitField())
      return std::nullopt;
    Parts.push_back(Part);
  }
  return Parts;
}

/// The constructor of dim3 that makes \p From out of three numbers; null where
/// it is not made so. (Another class may do with its arguments what it likes.)
static const CXXConstructExpr *dim3Of(const Expr *From) {
  while (true) {
    From = From->IgnoreImplicit();
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(From))
      From = Default->getExpr();
    else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(From))
      From = Cast->getSubExpr();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(From);
             Made && Made->getConstructor()->isCopyOrMoveConstructor())
      From = Made->getArg(0);
    else
      break;
  }
  const auto *Made = dyn_cast<CXXConstructExpr>(From);
  return Made && Made->getNumArgs() == 3 &&
                 Made->getConstructor()->getParent()->getName() == "dim3"
             ? Made
             : nullptr;
}

void MemberConstants::note(Path To, std::optional<int64_t> Value) {
  const auto [Known, IsNew] = Written[To.Member].try_emplace(To, Value);
  if (!IsNew && Known->second != Value)
    Known->second.reset();
}

void MemberConstants::noteAll(const FieldDecl *Member, const Expr *From) {
  const ASTContext &Context = Member->getASTContext();
  if (isInteger(Member))
    return note({Member}, constantOf(From, Context));
  const auto Parts = partsOf(Member->getType());
  if (!Parts)
    return;
  const CXXConstructExpr *Made = From ? dim3Of(From) : nullptr;
  assert((!Made || Made->getNumArgs() == Parts->size()) && "no dim3");
  for (size_t N = 0; N != Parts->size(); ++N)
    note({Member, (*Parts)[N]},
         constantOf(Made ? Made->getArg(unsigned(N)) : nullptr, Context));
}

void MemberConstants::noteWrite(const Expr *To, const Expr *From) {
  const FieldDecl *Part = nullptr;
  while (const auto *Its = dyn_cast<MemberExpr>(To->IgnoreParenCasts())) {
    const auto *Field = dyn_cast<FieldDecl>(Its->getMemberDecl());
    if (!Field)
      return;
    if (isKept(Field) && !Field->getParent()->isDependentContext()) {
      if (!Part)
        return noteAll(Field, From);
      return note({Field, Part}, constantOf(From, Field->getASTContext()));
    }
    Part = Field;
    To = Its->getBase();
  }
}

void MemberConstants::noteInitializer(const FieldDecl *Member,
                                      const Expr *From) {
  if (isKept(Member) && !Member->getParent()->isDependentContext())
    noteAll(Member, From);
}

MemberConstants::Values MemberConstants::of(const CXXRecordDecl *Class) const {
  Values Result;
  for (const FieldDecl *Member : Class->fields())
    if (const auto Its = Written.find(Member); Its != Written.end())
      for (const auto &[To, Value] : Its->second)
        if (Value)
          Result.insert({To, Value});
  return Result;
}

} // namespace warpwise::launch
