//===- SourceIndex.cpp - What only the source text can tell ---------------===//

#include "analyzer/frontend/SourceIndex.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/frontend/LineTable.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

class Indexer : public AstWalk {
  ASTContext &Context;
  const SourceManager &Sources;
  SourceIndex &Into;

public:
  Indexer(ASTContext &Context, SourceIndex &Into)
      : Context(Context), Sources(Context.getSourceManager()), Into(Into) {}

  bool visit(Stmt *S) override {
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
        Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
      noteAssignment(*Call);
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S))
      noteSubscript(*Subscript);
    noteLines(*S);
    return true;
  }

private:
  /// \p Whole is on another line in nvcc's line table if it accesses memory.
  void noteLines(const Stmt &Whole) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(&Whole)) {
      if (Unary->getOpcode() == UO_Deref)
        noteLine(*Unary, *Unary);
      else if (Unary->isIncrementDecrementOp())
        noteLine(*Unary, *Unary->getSubExpr());
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(&Whole);
               Binary && Binary->isAssignmentOp()) {
      noteLine(*Binary, *Binary->getLHS());
      if (Binary->getOpcode() == BO_Assign && Binary->isTypeDependent())
        noteLine(*Binary, *Binary->getRHS());
    } else if (isa<ArraySubscriptExpr, MemberExpr, CXXDependentScopeMemberExpr,
                   ConditionalOperator>(Whole)) {
      noteLine(cast<Expr>(Whole), cast<Expr>(Whole));
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Whole)) {
      // A copy is made where what is copied was found, or, of a value that was
      // made before, where it goes.
      if (Call->getOperator() == OO_Equal && Call->getNumArgs() == 2) {
        const bool IsMade = Call->getArg(1)->IgnoreImplicit()->isPRValue();
        noteLine(*Call, *Call->getArg(IsMade ? 0 : 1));
        if (Call->isTypeDependent())
          noteLine(*Call, *Call->getArg(IsMade ? 1 : 0));
      }
    } else if (const auto *Made = dyn_cast<CXXConstructExpr>(&Whole)) {
      if (Made->getNumArgs() == 1 &&
          Made->getConstructor()->isCopyOrMoveConstructor())
        noteLine(*Made, *Made->getArg(0));
    }
  }

  /// What Clang has at \p Whole is where \p Accessed is for nvcc.
  void noteLine(const Expr &Whole, const Expr &Accessed) {
    const auto lineOf = [&](SourceLocation At) {
      return Sources.getExpansionLineNumber(At);
    };
    // Nearly all accesses stand on one line.
    const unsigned Line = lineOf(Whole.getExprLoc());
    if (lineOf(Accessed.getBeginLoc()) == Line &&
        lineOf(Accessed.getEndLoc()) == Line)
      return;
    const SourceLocation There = lineTableLocation(Accessed, Context);
    if (There.isInvalid() || lineOf(There) == Line)
      return;
    const access::Place From = frontend::placeOf(Whole.getExprLoc(), Sources);
    access::Place To = frontend::placeOf(There, Sources);
    if (From.File != To.File)
      return;
    std::vector<access::Place> &Others = Into.InLineTable[From];
    if (!llvm::is_contained(Others, To))
      Others.push_back(std::move(To));
  }

  void noteAssignment(const CXXOperatorCallExpr &Call) {
    // What was made before is put where it belongs once that is found.
    if (Call.getArg(1)->IgnoreImplicit()->isPRValue())
      return;
    const access::Place From =
        frontend::placeOf(Call.getOperatorLoc(), Sources);
    const access::Place To =
        frontend::placeOf(Call.getArg(1)->getBeginLoc(), Sources);
    if (From.Line != To.Line && From.File == To.File)
      Into.Moved[From] = To;
  }

  void noteSubscript(const ArraySubscriptExpr &Subscript) {
    // All that a macro spells stands where it is used, and of its text the
    // compiler shows what the last argument was.
    for (SourceLocation Begin = Subscript.getBeginLoc(); Begin.isMacroID();
         Begin = Sources.getImmediateSpellingLoc(Begin))
      if (!Sources.isMacroArgExpansion(Begin))
        return;
    const llvm::StringRef Text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Subscript.getIdx()->getSourceRange()),
        Sources, Context.getLangOpts());
    Into.Subscripts.try_emplace(
        frontend::placeOf(Subscript.getBeginLoc(), Sources), Text.str());
  }
};

bool isDeviceCode(const Decl *D) {
  return D->hasAttr<CUDADeviceAttr>() || D->hasAttr<CUDAGlobalAttr>();
}

/// Shows an Indexer the lambdas for the device that host code makes.
class DeviceLambdas : public AstWalk {
  Indexer &Into;

public:
  explicit DeviceLambdas(Indexer &Into) : Into(Into) {}

  bool enters(const Stmt *S) override {
    const auto *Lambda = dyn_cast<LambdaExpr>(S);
    if (!Lambda || !isDeviceCode(Lambda->getCallOperator()))
      return true;
    Into.walk(Lambda->getCallOperator());
    return false;
  }
};

/// Visits the device functions in \p D; host code has nothing else to tell.
void visit(Decl *D, Indexer &Visitor) {
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
    visit(Template->getTemplatedDecl(), Visitor);
  } else if (isa<FunctionDecl>(D)) {
    if (isDeviceCode(D))
      Visitor.walk(D);
    else
      DeviceLambdas(Visitor).walk(D);
  } else if (auto *Template = dyn_cast<ClassTemplateDecl>(D)) {
    visit(Template->getTemplatedDecl(), Visitor);
  } else if (isa<NamespaceDecl, CXXRecordDecl, LinkageSpecDecl>(D)) {
    for (Decl *Inner : cast<DeclContext>(D)->decls())
      visit(Inner, Visitor);
  }
}

} // namespace

SourceIndex indexSource(ASTContext &Context) {
  SourceIndex Index;
  Indexer Visitor(Context, Index);
  const SourceManager &Sources = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
      visit(D, Visitor);
  return Index;
}

} // namespace warpwise::frontend
