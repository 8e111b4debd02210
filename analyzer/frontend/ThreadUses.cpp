//===- ThreadUses.cpp -----------------------------------------------------===//

#include "analyzer/frontend/ThreadUses.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/frontend/IndexRange.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <set>

using namespace clang;
using llvm::StringRef;

namespace warpwise::frontend {
namespace {

/// Parts of the names of a library's functions by which the lanes of a warp
/// talk to each other: whom they meet there hangs on the order of threads.
constexpr StringRef TalkInWarp[] = {"shfl",     "ballot", "_any",  "_all",
                                    "match",    "reduce", "redux", "activemask",
                                    "syncwarp", "mma",    "elect", "lane"};

class Uses : public AstWalk {
  const ASTContext &Context;
  ThreadIndices &Into;
  const FunctionDecl &Kernel;
  std::set<SourceLocation> Whole, OfAxis; ///< where it says threadIdx
  std::set<Span> X, Y;
  std::vector<const FunctionDecl *> Called;

public:
  Uses(const ASTContext &Context, const FunctionDecl &Kernel,
       ThreadIndices &Into)
      : AstWalk({.Instantiations = true, .Types = false}), Context(Context),
        Into(Into), Kernel(Kernel), Called{&Kernel} {}

  void collect() {
    llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
    while (!Called.empty() && Into.Obstacle.empty()) {
      const FunctionDecl *F = Called.back();
      Called.pop_back();
      if (!Seen.insert(F->getCanonicalDecl()).second)
        continue;
      const auto Own = X.size() + Y.size();
      walk(const_cast<FunctionDecl *>(F));
      if (F != &Kernel && X.size() + Y.size() != Own)
        refuse("'" + F->getNameAsString() + "' uses threadIdx, too");
    }
    for (SourceLocation At : OfAxis)
      Whole.erase(At);
    if (!Whole.empty())
      refuse("threadIdx is used as a whole");
    Into.X.assign(X.begin(), X.end());
    Into.Y.assign(Y.begin(), Y.end());
  }

private:
  void refuse(const std::string &Why) {
    if (Into.Obstacle.empty())
      Into.Obstacle = Why;
  }

  bool visit(Stmt *S) override {
    if (const auto *Property = dyn_cast<MSPropertyRefExpr>(S))
      noteAxis(*Property, Property->getMemberLoc(), Property->getBaseExpr());
    else if (const auto *Member = dyn_cast<MemberExpr>(S))
      noteAxis(*Member, Member->getMemberLoc(), Member->getBase());
    else if (const auto *Use = dyn_cast<DeclRefExpr>(S);
             Use && Use->getDecl()->getIdentifier() &&
             Use->getDecl()->getName() == "threadIdx")
      Whole.insert(Use->getLocation());
    else if (const auto *Call = dyn_cast<CallExpr>(S))
      noteCall(*Call);
    else if (isa<AsmStmt>(S))
      refuse("what its assembly does is not known");
    return true;
  }

  void noteAxis(const Expr &E, SourceLocation At, const Expr *Base) {
    const auto Axis = builtinAxis(&E, "threadIdx");
    if (!Axis)
      return;
    OfAxis.insert(Base->getExprLoc());
    if (*Axis > 1)
      return;
    std::string Text;
    const auto Letter = spanOf({At, At}, Context, Text);
    if (!Letter || Letter->Length != 1)
      return refuse("a macro writes threadIdx");
    (*Axis == 0 ? X : Y).insert(*Letter);
  }

  void noteCall(const CallExpr &Call) {
    const FunctionDecl *F = Call.getDirectCallee();
    if (!F)
      return refuse("it calls what is not known");
    const std::string Name = F->getNameAsString();
    if (StringRef(Name).starts_with("__fetch_builtin_"))
      return; // threadIdx.x itself
    const SourceManager &Sources = Context.getSourceManager();
    const bool IsLibrarys =
        F->getBuiltinID() != 0 || Sources.isInSystemHeader(F->getLocation());
    if (IsLibrarys && llvm::any_of(TalkInWarp, [&](StringRef Part) {
          return StringRef(Name).contains(Part);
        }))
      return refuse("the lanes of a warp talk to each other ('" + Name + "')");
    if (IsLibrarys &&
        F->getDeclContext()->getRedeclContext()->isTranslationUnit())
      return;
    if (IsLibrarys && F->isInStdNamespace())
      return;
    const FunctionDecl *Body = nullptr;
    if (IsLibrarys || !F->hasBody(Body))
      return refuse("what '" + Name + "' does is not known");
    Called.push_back(Body);
  }
};

class Finder : public AstWalk {
  ASTContext &Context;

public:
  std::map<Place, ThreadIndices> Found;

  explicit Finder(ASTContext &Context)
      : AstWalk({.Instantiations = true, .Types = false}), Context(Context) {}

  /// No kernel is inside a function.
  bool walkFunction(FunctionDecl *F, llvm::function_ref<bool()>) override {
    const SourceManager &Sources = Context.getSourceManager();
    if (!F->doesThisDeclarationHaveABody() || !F->hasAttr<CUDAGlobalAttr>() ||
        F->isDependentContext() || Sources.isInSystemHeader(F->getLocation()))
      return true;
    Place Where = placeOf(F->getLocation(), Sources);
    Where.Column = 0;
    ThreadIndices &Its = Found[Where];
    Its.Kernel = Where;
    Uses(Context, *F, Its).collect();
    return true;
  }
};

} // namespace

std::vector<ThreadIndices> threadUses(ASTContext &Context) {
  Finder Its(Context);
  Its.walkUsers(Context);
  std::vector<ThreadIndices> All;
  for (auto &[Where, Indices] : Its.Found)
    All.push_back(std::move(Indices));
  return All;
}

} // namespace warpwise::frontend
