//===- HostIndex.cpp - Which host functions can lead to a launch ----------===//
//
// Visits bodies only below declarations outside system headers: CUDA's and the
// standard library's headers are most of a translation unit and launch nothing.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostIndex.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/launch/VectorUse.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warpwise::launch {

bool isDeviceOnly(const FunctionDecl *Function) {
  return Function->hasAttr<CUDAGlobalAttr>() ||
         (Function->hasAttr<CUDADeviceAttr>() &&
          !Function->hasAttr<CUDAHostAttr>());
}

bool isLaunch(const CallExpr *Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return true;
  const FunctionDecl *Callee = Call->getDirectCallee();
  const IdentifierInfo *Name = Callee ? Callee->getIdentifier() : nullptr;
  return Name && (Name->getName().starts_with("cudaLaunchKernel") ||
                  Name->getName() == "cudaLaunchCooperativeKernel" ||
                  Name->getName() == "cudaGraphAddKernelNode");
}

class HostIndexVisitor : public AstWalk {
  HostIndex &Index;
  HostIndex::Facts *Current = nullptr;

public:
  explicit HostIndexVisitor(HostIndex &Index)
      : AstWalk({.Instantiations = true, .Types = false}), Index(Index) {}

  bool walkFunction(FunctionDecl *D,
                    llvm::function_ref<bool()> Inside) override {
    enter(D);
    Inside();
    std::tie(Current, Skipping, Returned) = Stack.pop_back_val();
    return true;
  }

  // Bodies of device functions and templates hold nothing for the host.
  bool enters(const Stmt *) override { return Current && !Skipping; }

  bool visit(Stmt *S) override {
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      if (isLaunch(Call))
        Current->Launches.push_back(Call);
      if (isa<CUDAKernelCallExpr>(Call))
        LaunchedByName = Call->getCallee()->IgnoreParenImpCasts();
      noteWrites(Call);
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl())) {
        use(Function);
        if (Function->hasAttr<CUDAGlobalAttr>() && Ref != LaunchedByName)
          Index.AddressTaken.insert(Function->getCanonicalDecl());
      }
    } else if (const auto *Member = dyn_cast<MemberExpr>(S)) {
      if (const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl()))
        use(Method);
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
      use(Construct->getConstructor());
      // An object passed by reference may be written behind it.
      const CXXConstructorDecl *Callee = Construct->getConstructor();
      for (unsigned I = 0; I != Construct->getNumArgs(); ++I) {
        noteWriteToGlobal(Construct->getArg(I));
        if (I < Callee->getNumParams() && mayWriteTo(Callee, I))
          Index.Members.noteWrite(Construct->getArg(I), nullptr);
      }
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(S)) {
      if (Binary->isAssignmentOp())
        noteWrite(Binary->getLHS(), Binary->getOpcode() == BO_Assign
                                        ? Binary->getRHS()
                                        : nullptr);
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(S)) {
      if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)
        noteWrite(Unary->getSubExpr());
    } else if (const auto *Declares = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declares->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D))
          noteReference(Variable->getType(), Variable->getInit());
    } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
      noteReference(Returned, Return->getRetValue());
    }
    return true;
  }

private:
  bool Skipping = false;
  /// What stands before the last `<<<`, which is visited next.
  const Expr *LaunchedByName = nullptr;
  QualType Returned; ///< by the function that is walked
  llvm::SmallVector<std::tuple<HostIndex::Facts *, bool, QualType>, 4> Stack;

  void enter(FunctionDecl *D) {
    Stack.push_back({Current, Skipping, Returned});
    Returned = D->getReturnType();
    Skipping = isDeviceOnly(D) || D->isDependentContext();
    Current = nullptr;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(D);
        Constructor && !Skipping)
      for (const CXXCtorInitializer *Init : Constructor->inits())
        if (Init->isMemberInitializer() &&
            (Init->isWritten() || Init->isInClassMemberInitializer()))
          Index.Members.noteInitializer(Init->getMember(), Init->getInit());
    if (D->hasAttr<CUDAGlobalAttr>() && D->isThisDeclarationADefinition())
      Index.Kernels.push_back(D);
    if (!Skipping && D->isThisDeclarationADefinition() && D->hasBody()) {
      Index.Functions.push_back(D);
      Bodies.push_back(std::make_unique<HostIndex::Facts>());
      Current = Bodies.back().get();
      Owners.push_back(D);
    }
  }
  /// Whoever has the reference may write to the member.
  void noteReference(QualType Type, const Expr *To) {
    if (To && Type->isReferenceType() &&
        !Type->getPointeeType().isConstQualified())
      Index.Members.noteWrite(To, nullptr);
  }
  void use(const FunctionDecl *Function) {
    Current->Uses.push_back(Function->getCanonicalDecl());
  }
  /// Methods of a global object, and functions that get it, may write to it.
  void noteWrites(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const bool IsOperator = Method && isa<CXXOperatorCallExpr>(Call);
    if (Method && (Member || IsOperator) && !Method->isConst() &&
        (!isVector(Method->getParent()) || changesSize(Method)))
      noteWrite(Member ? Member->getImplicitObjectArgument() : Call->getArg(0),
                IsOperator && (Method->isCopyAssignmentOperator() ||
                               Method->isMoveAssignmentOperator())
                    ? Call->getArg(1)
                    : nullptr);
    for (unsigned I = IsOperator; Callee && I < Call->getNumArgs(); ++I) {
      if (I - IsOperator >= Callee->getNumParams())
        break;
      const QualType Type = Callee->getParamDecl(I - IsOperator)->getType();
      if (!mayWriteTo(Callee, I - IsOperator))
        continue;
      Index.Members.noteWrite(Call->getArg(I), nullptr);
      if (Type.getNonReferenceType()->isRecordType())
        noteWriteToGlobal(Call->getArg(I));
    }
  }
  /// Whether \p Parameter is a reference to what is not constant. A number that
  /// a template hands on ("T &&") is written where it ends, if at all.
  static bool mayWriteTo(const FunctionDecl *Callee, unsigned Parameter) {
    const QualType Type = Callee->getParamDecl(Parameter)->getType();
    const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern();
    const bool IsForwarded =
        Pattern && Parameter < Pattern->getNumParams() &&
        Pattern->getParamDecl(Parameter)->getType()->isRValueReferenceType() &&
        !Type.getNonReferenceType()->isRecordType();
    return Type->isReferenceType() && !IsForwarded &&
           !Type->getPointeeType().isConstQualified();
  }
  /// \p From is null where nobody knows what is written.
  void noteWrite(const Expr *Target, const Expr *From = nullptr) {
    Index.Members.noteWrite(Target, From);
    noteWriteToGlobal(Target);
  }
  void noteWriteToGlobal(const Expr *Target) {
    while (true) {
      Target = Target->IgnoreParenCasts();
      if (const auto *Member = dyn_cast<MemberExpr>(Target))
        Target = Member->getBase();
      else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Target))
        Target = Element->getBase();
      else
        break;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
      if (const auto *Variable = dyn_cast<VarDecl>(Ref->getDecl());
          Variable && Variable->hasGlobalStorage())
        Index.Written.insert(Variable->getCanonicalDecl());
  }

  std::vector<std::unique_ptr<HostIndex::Facts>> Bodies;
  std::vector<const FunctionDecl *> Owners;

public:
  void finish() {
    for (size_t I = 0; I < Owners.size(); ++I)
      Index.FactsOf[Owners[I]->getCanonicalDecl()] = std::move(*Bodies[I]);
  }
};

HostIndex::HostIndex(llvm::ArrayRef<ASTContext *> Units)
    : HasSeveralUnits(Units.size() > 1) {
  HostIndexVisitor Visitor(*this);
  for (ASTContext *Unit : Units) {
    const SourceManager &Sources = Unit->getSourceManager();
    for (Decl *D : Unit->getTranslationUnitDecl()->decls())
      if (D->getLocation().isValid() &&
          !Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
        Visitor.walk(D);
  }
  Visitor.finish();
  if (HasSeveralUnits)
    for (ASTContext *Unit : Units)
      collectDefinitions(*Unit);
  closeOverCalls();
}

void HostIndex::collectDefinitions(ASTContext &Unit) {
  for (const FunctionDecl *Function : Functions)
    if (&Function->getASTContext() == &Unit && Function->isExternallyVisible())
      Definitions.try_emplace(Names.get(Function), Function);
  const SourceManager &Sources = Unit.getSourceManager();
  llvm::SmallVector<const DeclContext *> Scopes = {
      Unit.getTranslationUnitDecl()};
  while (!Scopes.empty())
    for (const Decl *D : Scopes.pop_back_val()->decls()) {
      if (!D->getLocation().isValid() ||
          Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
        continue;
      if (isa<LinkageSpecDecl, NamespaceDecl>(D))
        Scopes.push_back(cast<DeclContext>(D));
      if (const auto *Variable = dyn_cast<VarDecl>(D);
          Variable && Variable->isExternallyVisible() &&
          Variable->isThisDeclarationADefinition())
        Variables.try_emplace(Names.get(Variable), Variable);
    }
}

const FunctionDecl *
HostIndex::findFunction(const FunctionDecl *Function) const {
  if (!HasSeveralUnits || Function->hasBody() ||
      !Function->isExternallyVisible() || Function->isDependentContext())
    return Function;
  const auto Found = Definitions.find(Names.get(Function));
  return Found == Definitions.end() ? Function : Found->second;
}

const FunctionDecl *HostIndex::link(const FunctionDecl *Function) const {
  return findFunction(Function->getCanonicalDecl())->getCanonicalDecl();
}

const VarDecl *HostIndex::findVariable(const VarDecl *Variable) const {
  if (HasSeveralUnits && Variable->isFileVarDecl() &&
      Variable->isExternallyVisible() && !Variable->hasDefinition() &&
      !Variable->getDeclContext()->isDependentContext()) {
    const auto Found = Variables.find(Names.get(Variable));
    if (Found != Variables.end())
      Variable = Found->second;
  }
  return Variable->getCanonicalDecl();
}

void HostIndex::closeOverCalls() {
  llvm::DenseMap<const FunctionDecl *, std::vector<const FunctionDecl *>> Users;
  std::vector<const FunctionDecl *> Work;
  for (const FunctionDecl *Function : Functions) {
    Function = Function->getCanonicalDecl();
    const Facts &F = FactsOf[Function];
    for (const FunctionDecl *Declared : F.Uses) {
      const FunctionDecl *Used = link(Declared);
      Users[Used].push_back(Function);
      if (Used != Function)
        Referenced.insert(Used);
    }
    if (!F.Launches.empty())
      Work.push_back(Function);
  }
  while (!Work.empty()) {
    const FunctionDecl *Function = Work.back();
    Work.pop_back();
    if (Launching.insert(Function).second)
      for (const FunctionDecl *User : Users.lookup(Function))
        Work.push_back(User);
  }
}

std::vector<const FunctionDecl *>
HostIndex::findPointees(const CUDAKernelCallExpr *Launch,
                        const ASTContext &Unit) const {
  QualType Type = Launch->getCallee()->getType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  std::vector<const FunctionDecl *> Result;
  for (const FunctionDecl *Kernel : Kernels)
    if (&Kernel->getASTContext() == &Unit && !Kernel->isDependentContext() &&
        AddressTaken.contains(Kernel->getCanonicalDecl()) &&
        Unit.hasSameType(Kernel->getType(), Type))
      Result.push_back(Kernel);
  return Result;
}

llvm::ArrayRef<const CallExpr *>
HostIndex::getLaunches(const FunctionDecl *Function) const {
  auto It = FactsOf.find(Function->getCanonicalDecl());
  if (It == FactsOf.end())
    return {};
  return It->second.Launches;
}

bool HostIndex::mayLaunch(const FunctionDecl *Function) const {
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Function);
      Method && Method->getParent()->isLambda())
    return true;
  return Launching.contains(link(Function));
}

bool HostIndex::mayLaunch(const Stmt *Statement) const {
  if (!Statement)
    return false;
  if (auto It = StatementMayLaunch.find(Statement);
      It != StatementMayLaunch.end())
    return It->second;
  bool May = false;
  if (const auto *Call = dyn_cast<CallExpr>(Statement))
    // A call through a pointer can reach anything.
    May = isLaunch(Call) || !Call->getDirectCallee();
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(Statement))
    May = isa<FunctionDecl>(Ref->getDecl()) &&
          mayLaunch(cast<FunctionDecl>(Ref->getDecl()));
  else if (const auto *Member = dyn_cast<MemberExpr>(Statement))
    May = isa<FunctionDecl>(Member->getMemberDecl()) &&
          mayLaunch(cast<FunctionDecl>(Member->getMemberDecl()));
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Statement))
    May = mayLaunch(Construct->getConstructor());
  for (const Stmt *Child : Statement->children())
    May = May || mayLaunch(Child);
  return StatementMayLaunch[Statement] = May;
}

bool HostIndex::isReferenced(const FunctionDecl *Function) const {
  return Referenced.contains(Function->getCanonicalDecl());
}

bool HostIndex::isWritten(const VarDecl *Global) const {
  if (Written.contains(Global->getCanonicalDecl()))
    return true;
  // Another unit may write what this one defines.
  return HasSeveralUnits && Global->isExternallyVisible() &&
         llvm::any_of(Written, [&](const VarDecl *Other) {
           return findVariable(Other) == Global->getCanonicalDecl();
         });
}

} // namespace warpwise::launch
