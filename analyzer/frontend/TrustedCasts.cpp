//===- TrustedCasts.cpp - Casts to vectors mean it ------------------------===//

#include "analyzer/frontend/TrustedCasts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

/// Whether the object \p E is part of a variable that each thread has.
bool isOfThread(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return false;
      E = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase()->IgnoreParenImpCasts();
      if (!E->getType()->isArrayType())
        return false;
    } else {
      break;
    }
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Variable && Variable->hasLocalStorage() &&
         !Variable->hasAttr<CUDASharedAttr>() &&
         !Variable->getType()->isReferenceType();
}

/// The same for what the pointer \p E leads to.
bool leadsToThread(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E);
      Address && Address->getOpcode() == UO_AddrOf)
    return isOfThread(Address->getSubExpr());
  return E->getType()->isArrayType() && isOfThread(E);
}

class Truster {
  ASTContext &Context;

public:
  explicit Truster(ASTContext &Context) : Context(Context) {}

  void visit(Stmt *Root) {
    SmallVector<Stmt *, 32> Pending = {Root};
    while (!Pending.empty())
      for (Stmt *&Child : Pending.pop_back_val()->children()) {
        if (!Child)
          continue;
        if (auto *Cast = dyn_cast<ExplicitCastExpr>(Child))
          Child = trusted(*Cast);
        Pending.push_back(Child);
      }
  }

private:
  bool isAlignedMore(QualType To, QualType From) const {
    return !To->isDependentType() && !To->isIncompleteType() &&
           !To->isFunctionType() && !From->isIncompleteType() &&
           !From->isFunctionType() &&
           Context.getTypeAlignInChars(To) > Context.getTypeAlignInChars(From);
  }

  /// Functions may come here twice.
  static bool isHidden(const Expr *E) {
    const auto *Pair = dyn_cast<BinaryOperator>(E);
    return Pair && Pair->getOpcode() == BO_Comma;
  }

  Expr *trusted(ExplicitCastExpr &Cast) const {
    Expr *From = Cast.getSubExpr();
    if (isHidden(From))
      return &Cast;
    if (Cast.getCastKind() == CK_BitCast && Cast.getType()->isPointerType() &&
        From->getType()->isPointerType()) {
      if (isAlignedMore(Cast.getType()->getPointeeType(),
                        From->getType()->getPointeeType()) &&
          !leadsToThread(From))
        Cast.setSubExpr(hidden(From));
    } else if (Cast.getCastKind() == CK_LValueBitCast) {
      if (isAlignedMore(Cast.getType(), From->getType()) && !isOfThread(From))
        return throughPointer(Cast, From);
    }
    return &Cast;
  }

  /// "(0, Pointer)": Clang does not look behind a comma for a declaration.
  Expr *hidden(Expr *Pointer) const {
    const SourceLocation At = Pointer->getExprLoc();
    auto *Zero =
        IntegerLiteral::Create(Context, llvm::APInt(32, 0), Context.IntTy, At);
    return BinaryOperator::Create(Context, Zero, Pointer, BO_Comma,
                                  Pointer->getType(), VK_PRValue, OK_Ordinary,
                                  At, FPOptionsOverride());
  }

  /// "*(To *)(0, &Object)" in place of "(To &)Object".
  Expr *throughPointer(const ExplicitCastExpr &Cast, Expr *Object) const {
    const SourceLocation At = Object->getExprLoc();
    const QualType To = Context.getPointerType(Cast.getType());
    Expr *Address = UnaryOperator::Create(
        Context, Object, UO_AddrOf, Context.getPointerType(Object->getType()),
        VK_PRValue, OK_Ordinary, At, /*CanOverflow=*/false,
        FPOptionsOverride());
    Expr *Pointer = CStyleCastExpr::Create(
        Context, To, VK_PRValue, CK_BitCast, hidden(Address), nullptr,
        FPOptionsOverride(), Context.getTrivialTypeSourceInfo(To, At), At, At);
    return UnaryOperator::Create(Context, Pointer, UO_Deref, Cast.getType(),
                                 VK_LValue, OK_Ordinary, At,
                                 /*CanOverflow=*/false, FPOptionsOverride());
  }
};

} // namespace

void trustCasts(FunctionDecl &Function) {
  if (Stmt *Body = Function.getBody(); Body && !Function.isDependentContext())
    Truster(Function.getASTContext()).visit(Body);
}

} // namespace warpwise::frontend
