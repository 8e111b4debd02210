//===- DeclaredArrays.cpp -------------------------------------------------===//

#include "analyzer/frontend/DeclaredArrays.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/frontend/IndexRange.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"

#include <map>
#include <optional>
#include <tuple>

using namespace clang;

namespace warpwise::frontend {
namespace {

/// One variable of the AST: an instance of a DeclaredArray.
struct Instance {
  const VarDecl *Variable;
  DeclaredArray Array;
};

/// Names of functions that take an element's address and nothing but the
/// element.
bool isAtomic(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() &&
         Callee->getName().starts_with("atomic");
}

class Finder : public AstWalk {
public:
  Finder(ASTContext &Context, const BlockOf &MostThreads)
      : AstWalk({.Instantiations = true}), Context(Context),
        Sources(Context.getSourceManager()), MostThreads(MostThreads) {}

  bool visit(Decl *D) override {
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->doesThisDeclarationHaveABody() && !F->isDependentContext() &&
        (F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>()))
      addSharedOf(*F);
    if (const auto *V = dyn_cast<VarDecl>(D);
        V && V->hasAttr<CUDAConstantAttr>() && V->isFileVarDecl() &&
        !V->isStaticDataMember() && !V->getDescribedVarTemplate() &&
        !V->getType()->isDependentType())
      addConstant(*V);
    return true;
  }

  /// lookInto() does, which knows the way to a use.
  bool enters(const Stmt *) override { return false; }

  std::vector<DeclaredArray> take() {
    using Key = std::tuple<std::string, unsigned, std::string>;
    std::map<Key, DeclaredArray> Merged;
    for (Instance &I : Found) {
      const Key At{I.Array.Where.File, I.Array.Where.Line, I.Array.Name};
      const auto [Entry, New] = Merged.try_emplace(At, I.Array);
      if (New)
        continue;
      DeclaredArray &Known = Entry->second;
      if (Known.WhyRowsStay.empty())
        Known.WhyRowsStay = I.Array.WhyRowsStay;
      if (Known.WhyConstantStays.empty())
        Known.WhyConstantStays = I.Array.WhyConstantStays;
      if (Known.WhyOfThread.empty())
        Known.WhyOfThread = I.Array.WhyOfThread;
    }
    std::vector<DeclaredArray> All;
    for (auto &[At, Array] : Merged)
      All.push_back(std::move(Array));
    return All;
  }

private:
  std::string lineOf(const Stmt *S) const {
    return "in line " + std::to_string(placeOf(S->getBeginLoc(), Sources).Line);
  }

  /// Name, place and extents; nothing for what is no array of known size.
  std::optional<DeclaredArray> describe(const VarDecl &V) const {
    DeclaredArray Array;
    Array.Name = V.getName().str();
    Array.Where = placeOf(V.getLocation(), Sources);
    Array.Where.Column = 0;
    QualType Type = V.getType();
    while (const auto *A = Context.getAsConstantArrayType(Type)) {
      Array.Extents.push_back(A->getSize().getZExtValue());
      Type = A->getElementType();
    }
    if (Array.Extents.empty() || Type->isIncompleteType() ||
        Type->isArrayType())
      return std::nullopt;
    Array.ElementBytes = Context.getTypeSizeInChars(Type).getQuantity();
    return Array;
  }

  void addConstant(const VarDecl &V) {
    auto Array = describe(V);
    if (!Array)
      return;
    Array->WhyRowsStay = "it is constant memory";
    const auto *Says = V.getAttr<CUDAConstantAttr>();
    const SourceRange Written =
        Sources.getExpansionRange(Says->getRange()).getAsRange();
    std::string Text;
    const auto Word =
        spanOf({Written.getBegin(), Written.getBegin()}, Context, Text);
    if (!Word || Text != "__constant__")
      Array->WhyConstantStays = "a macro declares it";
    else if (V.getPreviousDecl() || V.getMostRecentDecl() != &V ||
             V.hasExternalStorage())
      Array->WhyConstantStays = "it is declared in several places";
    else if (Context.getLangOpts().GPURelocatableDeviceCode &&
             V.isExternallyVisible())
      Array->WhyConstantStays =
          "other files may use it (relocatable device code)";
    else
      Array->Constant = *Word;
    Found.push_back({&V, std::move(*Array)});
  }

  //===--- Shared arrays --------------------------------------------------===//

  /// The shared arrays of one function, while its uses of them are looked at.
  struct Function {
    IndexRanges Ranges;
    std::map<const VarDecl *, DeclaredArray> Arrays;
  };

  void addSharedOf(const FunctionDecl &F) {
    Function Here{IndexRanges(Context, *F.getBody(), MostThreads(F)), {}};
    collect(*F.getBody(), Here);
    if (Here.Arrays.empty())
      return;
    std::vector<const Stmt *> Way;
    lookInto(F.getBody(), Way, Here);
    for (auto &[V, Array] : Here.Arrays)
      Found.push_back({V, std::move(Array)});
  }

  void collect(const Stmt &S, Function &Here) {
    if (const auto *Declared = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declared->decls()) {
        const auto *V = dyn_cast<VarDecl>(D);
        if (V && V->hasAttr<CUDASharedAttr>() && !V->hasExternalStorage())
          addShared(*V, Here);
        else if (V && V->hasLocalStorage() && V->hasInit() &&
                 V->getInit()->isConstantInitializer(Context,
                                                     /*ForRef=*/false))
          addTable(*V, *Declared);
      }
    for (const Stmt *Child : S.children())
      if (Child)
        collect(*Child, Here);
  }

  void addShared(const VarDecl &V, Function &Here) {
    auto Array = describe(V);
    if (!Array)
      return;
    Array->WhyConstantStays = "it is shared memory";
    std::vector<ArrayTypeLoc> Written;
    for (TypeLoc T = V.getTypeSourceInfo()->getTypeLoc();
         auto A = T.getAsAdjusted<ArrayTypeLoc>(); T = A.getElementLoc())
      Written.push_back(A);
    std::optional<Span> Extent;
    if (Written.size() == Array->Extents.size() && Written.back().getSizeExpr())
      Extent = spanOf(Written.back().getSizeExpr()->getSourceRange(), Context,
                      Array->RowExtentText);
    if (Array->Extents.size() < 2)
      Array->WhyRowsStay = "it has one row";
    else if (Extent)
      Array->RowExtent = *Extent;
    else
      Array->WhyRowsStay = "a macro or another type declares its size";
    Here.Arrays.emplace(&V, std::move(*Array));
  }

  /// Of all threads it can be, as it holds the same for all of them and none
  /// may change it.
  void addTable(const VarDecl &V, const DeclStmt &Declared) {
    auto Array = describe(V);
    const auto *F = dyn_cast<FunctionDecl>(V.getDeclContext());
    if (!Array || !F)
      return;
    Array->WhyRowsStay = Array->WhyConstantStays = "it is a thread's own";
    std::string Text;
    const auto Word =
        spanOf({Declared.getBeginLoc(), Declared.getBeginLoc()}, Context, Text);
    if (!Word)
      Array->WhyOfThread = "a macro declares it";
    else if (V.hasAttrs())
      // nvcc rejects "static [[maybe_unused]] const", which Clang takes.
      Array->WhyOfThread = "it has attributes";
    else if (!Context.getBaseElementType(V.getType()).isConstQualified())
      Array->WhyOfThread = "it is not declared const";
    else if (!Declared.isSingleDecl())
      Array->WhyOfThread = "others are declared with it";
    else if (F->isConstexpr())
      Array->WhyOfThread = "its function is constexpr";
    else if (F->hasAttr<CUDAHostAttr>())
      Array->WhyOfThread = "the host runs its function, too";
    else {
      Array->FirstWord = *Word;
      Array->FirstWordText = Text;
    }
    Found.push_back({&V, std::move(*Array)});
  }

  void object(DeclaredArray &Array, std::string Why) {
    if (Array.WhyRowsStay.empty())
      Array.WhyRowsStay = std::move(Why);
  }

  /// \p Way: the statements around \p S, outermost first.
  void lookInto(const Stmt *S, std::vector<const Stmt *> &Way, Function &Here) {
    if (const auto *Use = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()))
        if (const auto At = Here.Arrays.find(V); At != Here.Arrays.end())
          judge(*Use, Way, At->second, Here.Ranges);
    // The methods of a class that is defined here see the arrays, too.
    if (const auto *Declared = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declared->decls())
        if (isa<CXXRecordDecl>(D))
          for (auto &[V, Array] : Here.Arrays)
            object(Array, "a class is defined beside it " + lineOf(S));
    Way.push_back(S);
    for (const Stmt *Child : S->children())
      if (Child)
        lookInto(Child, Way, Here);
    Way.pop_back();
  }

  /// Looks at one use of an array: a subscript for each of its extents, each
  /// but the first within the row, and then a value that is read or written.
  void judge(const DeclRefExpr &Use, const std::vector<const Stmt *> &Way,
             DeclaredArray &Array, IndexRanges &Ranges) {
    if (!Array.WhyRowsStay.empty())
      return;
    const Stmt *Inner = &Use;
    auto At = Way.rbegin();
    const auto next = [&]() -> const Stmt * {
      while (At != Way.rend() && isa<ParenExpr>(*At))
        Inner = *At++;
      return At == Way.rend() ? nullptr : *At;
    };
    for (size_t Axis = 0; Axis != Array.Extents.size(); ++Axis) {
      const auto *Decay = dyn_cast_or_null<ImplicitCastExpr>(next());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return object(Array, "it is used as a whole " + lineOf(&Use));
      Inner = *At++;
      const auto *Subscript = dyn_cast_or_null<ArraySubscriptExpr>(next());
      if (!Subscript || Subscript->getBase()->IgnoreParens() !=
                            cast<Expr>(Inner)->IgnoreParens())
        return object(Array, "a pointer into it is used " + lineOf(&Use));
      Inner = *At++;
      if (Axis == 0)
        continue; // what lies outside is outside of the array
      const auto Index = Ranges.of(Subscript->getIdx());
      if (!Index || Index->Low < 0 ||
          uint64_t(Index->High) >= Array.Extents[Axis])
        return object(Array, "that the index stays in its row is not proven " +
                                 lineOf(Subscript));
    }
    if (!isValue(Way.rend() - At, Way, Inner))
      object(Array, "the address of its element is used " + lineOf(&Use));
  }

  /// Whether the element \p Inner, with \p Depth statements around it, is only
  /// read or written there.
  static bool isValue(std::ptrdiff_t Depth,
                      const std::vector<const Stmt *> &Way, const Stmt *Inner) {
    for (auto At = Way.rend() - Depth; At != Way.rend(); Inner = *At++) {
      const Stmt *Around = *At;
      if (isa<ParenExpr>(Around))
        continue;
      if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Around)) {
        if (Cast->getCastKind() == CK_LValueToRValue)
          return true;
        if (Cast->getCastKind() != CK_NoOp)
          return false;
        continue;
      }
      if (const auto *Member = dyn_cast<MemberExpr>(Around)) {
        if (Member->getType()->isArrayType())
          return false;
        // A method is one of the element's own.
        if (isa<CXXMethodDecl>(Member->getMemberDecl()))
          return true;
        continue;
      }
      if (const auto *Binary = dyn_cast<BinaryOperator>(Around))
        return Binary->isAssignmentOp() && Binary->getLHS() == Inner;
      if (const auto *Unary = dyn_cast<UnaryOperator>(Around)) {
        if (Unary->isIncrementDecrementOp())
          return true;
        return Unary->getOpcode() == UO_AddrOf && isOfAtomic(At + 1, Way);
      }
      // Operators and copies of a class see one element.
      const auto *Copy = dyn_cast<CXXConstructExpr>(Around);
      return isa<CXXOperatorCallExpr>(Around) ||
             (Copy && Copy->getConstructor()->isCopyOrMoveConstructor());
    }
    return false;
  }

  using Outwards = std::vector<const Stmt *>::const_reverse_iterator;

  static bool isOfAtomic(Outwards At, const std::vector<const Stmt *> &Way) {
    while (At != Way.rend() && isa<ParenExpr, ImplicitCastExpr>(*At))
      ++At;
    const auto *Call = At == Way.rend() ? nullptr : dyn_cast<CallExpr>(*At);
    return Call && isAtomic(Call->getDirectCallee());
  }

  ASTContext &Context;
  const SourceManager &Sources;
  const BlockOf &MostThreads;
  std::vector<Instance> Found;
};

} // namespace

std::vector<DeclaredArray> declaredArrays(ASTContext &Context,
                                          const BlockOf &MostThreads) {
  Finder Visitor(Context, MostThreads);
  Visitor.walkUsers(Context);
  return Visitor.take();
}

} // namespace warpwise::frontend
