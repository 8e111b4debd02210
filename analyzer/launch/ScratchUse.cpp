//===- ScratchUse.cpp - Device memory of one kernel only ------------------===//

#include "analyzer/launch/ScratchUse.h"

#include "analyzer/ast/AstWalk.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace warpwise::launch {
namespace {

/// Functions whose first argument is the memory, or where its address goes, and
/// that neither show nor keep it.
bool allocatesOrFills(const FunctionDecl *Callee) {
  static const llvm::StringSet<> Names = {
      "cudaMalloc",        "cudaMallocAsync",
      "cudaMallocManaged", "cudaMallocFromPoolAsync",
      "cudaMemset",        "cudaMemsetAsync",
      "cudaMemcpy",        "cudaMemcpyAsync",
      "cudaFree",          "cudaFreeAsync"};
  const IdentifierInfo *Name = Callee ? Callee->getIdentifier() : nullptr;
  return Name && Names.contains(Name->getName());
}

/// The variable that \p E names, or whose address it takes.
const DeclRefExpr *variableIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  return dyn_cast<DeclRefExpr>(E);
}

/// Looks for uses of a variable that may tell others of it.
class OtherUses : public AstWalk {
public:
  OtherUses(const VarDecl *Pointer, const Decl *Kernel)
      : Pointer(Pointer), Kernel(Kernel) {}

private:
  const VarDecl *Pointer;
  const Decl *Kernel;
  /// Mentions that are seen to be harmless from around them.
  llvm::SmallPtrSet<const DeclRefExpr *, 8> Harmless;

  bool visit(Stmt *S) override {
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(S)) {
      if (const Decl *Its = Launch->getCalleeDecl();
          Its && Its->getCanonicalDecl() == Kernel)
        for (const Expr *Argument : Launch->arguments())
          if (const DeclRefExpr *Its = variableIn(Argument))
            Harmless.insert(Its);
    } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
      if (Call->getNumArgs() > 0 && allocatesOrFills(Call->getDirectCallee()))
        if (const DeclRefExpr *Its = variableIn(Call->getArg(0)))
          Harmless.insert(Its);
    } else if (const auto *Mention = dyn_cast<DeclRefExpr>(S)) {
      return Mention->getDecl() != Pointer || Harmless.contains(Mention);
    }
    return true;
  }
};

/// Whether \p Start makes a pointer that nobody else has: memory that a
/// function has allocated, or none.
bool isFresh(const Expr *Start) {
  if (!Start)
    return true;
  Start = Start->IgnoreParenCasts();
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, IntegerLiteral>(Start))
    return true;
  const auto *Call = dyn_cast<CallExpr>(Start);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && !isa<CXXMethodDecl>(Callee);
}

} // namespace

bool isScratch(const CUDAKernelCallExpr *Launch, unsigned Number) {
  const Decl *Kernel = Launch->getCalleeDecl();
  if (!Kernel || Number >= Launch->getNumArgs())
    return false;
  const auto *Name =
      dyn_cast<DeclRefExpr>(Launch->getArg(Number)->IgnoreParenCasts());
  const auto *Pointer = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!Pointer || !Pointer->hasLocalStorage() || isa<ParmVarDecl>(Pointer) ||
      !Pointer->getType()->isPointerType() || !isFresh(Pointer->getInit()))
    return false;
  auto *Function = dyn_cast<FunctionDecl>(
      const_cast<DeclContext *>(Pointer->getDeclContext()));
  return Function &&
         OtherUses(Pointer, Kernel->getCanonicalDecl()).walk(Function);
}

} // namespace warpwise::launch
