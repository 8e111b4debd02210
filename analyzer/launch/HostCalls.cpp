//===- HostCalls.cpp - Calls of host functions ----------------------------===//
//
// Functions of the user's files are walked with the values they are called
// with; of system headers only what is small and computes (constexpr functions,
// constructors of plain structs, min and max). A function without a body may
// change what it gets a pointer to, and may call the functions it is given.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostWalk.h"
#include "analyzer/launch/Layout.h"
#include "analyzer/launch/RuntimeModel.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace warpwise::launch {

constexpr size_t MaxDepth = 24;
constexpr size_t MaxRecursion = 3;

HostWalk::Within::Within(HostWalk &Walk, const Stmt *Call)
    : Walk(Walk), Context(Walk.Branches.Context),
      Depth(Walk.Branches.Frames.size()), Touched(Walk.Touched) {
  Walk.Branches.Context = llvm::hash_combine(Context, Call);
  std::vector<uint64_t> &Frames = Walk.Branches.Frames;
  Frames.push_back(llvm::hash_combine(Frames.back(), Call));
}

HostWalk::Within::Within(HostWalk &Walk, const Stmt *Loop, unsigned Iteration)
    : Walk(Walk), Context(Walk.Branches.Context),
      Depth(Walk.Branches.Frames.size()), Touched(Walk.Touched) {
  Walk.Branches.Context = llvm::hash_combine(Context, Loop, Iteration);
}

/// Of iterators, for one: their operators only compute.
static bool takesPlainValues(const FunctionDecl *Callee) {
  return llvm::all_of(Callee->parameters(), [](const ParmVarDecl *Parameter) {
    const QualType Type = Parameter->getType().getNonReferenceType();
    const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
    return !Class || (Class->hasDefinition() && Class->isTriviallyCopyable());
  });
}

static bool isSmallLibraryFunction(const FunctionDecl *Callee) {
  static const llvm::StringSet<> Names = {
      "min", "max",   "swap",     "move",      "forward",
      "abs", "clamp", "exchange", "addressof", "get"};
  if (Callee->isConstexpr())
    return true;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee)) {
    const CXXRecordDecl *Parent = Method->getParent();
    return Parent->hasDefinition() && Parent->isTriviallyCopyable();
  }
  if (Callee->isOverloadedOperator())
    return takesPlainValues(Callee);
  const IdentifierInfo *Name = Callee->getIdentifier();
  return Name && (Names.contains(Name->getName()) ||
                  Name->getName().starts_with("make_"));
}

HostWalk::Body HostWalk::describeBody(const FunctionDecl *Callee) const {
  const FunctionDecl *Definition = nullptr;
  Callee = Index.findFunction(Callee);
  if (!Callee->hasBody(Definition) || isDeviceOnly(Definition) ||
      Definition->isDependentContext() || Definition->isInvalidDecl())
    return {};
  const SourceManager &Sources = Definition->getASTContext().getSourceManager();
  bool IsSystem = Sources.isInSystemHeader(
      Sources.getExpansionLoc(Definition->getLocation()));
  if (IsSystem && !isSmallLibraryFunction(Definition))
    return {};
  return {Definition, !IsSystem};
}

HostWalk::Body HostWalk::findBody(const FunctionDecl *Callee) {
  if (!Callee)
    return {};
  auto [It, IsNew] = Bodies.try_emplace(Callee);
  if (IsNew)
    It->second = describeBody(Callee);
  size_t Recursion =
      llvm::count_if(Stack, [&, B = It->second](const ActiveCall *F) {
        return F->Function == B.Definition;
      });
  if (Stack.size() >= MaxDepth && It->second.Definition && It->second.IsUsers)
    TooDeep = true;
  return Stack.size() < MaxDepth && Recursion < MaxRecursion ? It->second
                                                             : Body();
}

Value HostWalk::call(const CallExpr *Call) {
  if (PathEnded || Abandoned || !Current)
    return Value();
  if (const auto *Kernel = dyn_cast<CUDAKernelCallExpr>(Call)) {
    launchKernel(Kernel);
    return Value();
  }
  const FunctionDecl *Callee = Call->getDirectCallee();
  llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
  std::optional<Address> This;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    if (Object && Object->getType()->isPointerType()) {
      Value Pointer = evaluate(Object);
      This = Pointer.getAddress() ? *Pointer.getAddress() : Address();
    } else if (Object) {
      This = locate(Object);
    }
  } else if (isa<CXXOperatorCallExpr>(Call) && Callee &&
             isa<CXXMethodDecl>(Callee) &&
             !cast<CXXMethodDecl>(Callee)->isStatic()) {
    This = locate(Arguments[0]);
    Arguments = Arguments.drop_front();
  }
  if (!Callee) {
    Value Pointer = evaluate(Call->getCallee());
    if (const FunctionSet *Functions = Pointer.getFunctions();
        Functions && Functions->size() == 1)
      Callee = Functions->front();
  }
  if (Callee && !isa<CXXMethodDecl>(Callee))
    if (std::optional<Value> V = modelLaunchCall(*this, Call, Callee))
      return *V;
  return callFunction(Call, Callee, This, Arguments);
}

Value HostWalk::callFunction(const Stmt *Call, const FunctionDecl *Callee,
                             std::optional<Address> This,
                             llvm::ArrayRef<const Expr *> Arguments) {
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && This && isVector(Method->getParent()))
    return modelVectorCall(*this, Method, *This, Arguments);
  Body Found = findBody(Callee);
  if (Callee && !Found.IsUsers)
    if (std::optional<Value> V = modelCall(*this, Callee, Arguments))
      return *V;
  if (!Found.Definition)
    return callUnknown(Callee, This, Arguments);
  ActiveCall New;
  New.This = This;
  bindArguments(Found.Definition, New, Arguments);
  if (PathEnded || Abandoned)
    return Value();
  const Within Here(*this, Call);
  return enterFunction(Found.Definition, New);
}

void HostWalk::bindArguments(const FunctionDecl *Callee, ActiveCall &New,
                             llvm::ArrayRef<const Expr *> Arguments) {
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    if (I >= Callee->getNumParams()) {
      evaluate(Arguments[I]);
      continue;
    }
    const ParmVarDecl *Parameter = Callee->getParamDecl(I);
    if (Parameter->getType()->isReferenceType()) {
      New.Bindings[Parameter] = locate(Arguments[I]);
      continue;
    }
    Address Place = Objects.make();
    construct(Place, Arguments[I], Parameter->getType());
    New.Bindings[Parameter] = Place;
    New.Variables.push_back(Place.Object);
  }
}

void HostWalk::bindUnknown(const FunctionDecl *Callee, ActiveCall &New) {
  const IdentifierInfo *Name = Callee->getIdentifier();
  for (const ParmVarDecl *Parameter : Callee->parameters()) {
    Address Place = Objects.make();
    New.Bindings[Parameter] = Place;
    New.Variables.push_back(Place.Object);
    unsigned Index = Parameter->getFunctionScopeIndex();
    QualType Type = Parameter->getType();
    if (Given && Given->Function == Callee && Given->Parameter == Index)
      store(Place, Type, Value(Given->Value));
    else if (!(Name && Name->getName() == "main" &&
               bindCommandLine(Parameter, Place)))
      State.forget(Place.Object);
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (Method && Method->isInstance())
    bindObject(Method, New);
}

/// The object of a method that nobody calls. One that is made now gets what its
/// constructor writes; of another one it is known what its members hold that
/// hold one value in all of the program, unless another file sets them.
void HostWalk::bindObject(const CXXMethodDecl *Method, ActiveCall &New) {
  const Address Place = Objects.make();
  State.forget(Place.Object);
  if (!isa<CXXConstructorDecl>(Method) &&
      !storeMembers(Method->getParent(), Place))
    return;
  New.This = Place;
  New.Variables.push_back(Place.Object);
}

/// False when nothing is known of the members of the object at \p Place.
bool HostWalk::storeMembers(const CXXRecordDecl *Class, Address Place) {
  bool IsAny = false;
  for (const auto &[To, Its] : Index.getMembers().of(Class)) {
    const FieldDecl *Last = To.Part ? To.Part : To.Member;
    Address Of = offsetTo(Place, To.Member);
    if (To.Part)
      Of = offsetTo(Of, To.Part);
    store(Of, Last->getType(), Value(*Its, Branches.getDoubt(To.Member)));
    IsAny = true;
  }
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (const CXXRecordDecl *Its = Base.getType()->getAsCXXRecordDecl())
      IsAny |= storeMembers(Its, offsetToBase(Place, Class, &Base));
  return IsAny;
}

/// main's parameters. False when the value stays unknown.
bool HostWalk::bindCommandLine(const ParmVarDecl *Parameter, Address Place) {
  const QualType Type = Parameter->getType();
  const unsigned Index = Parameter->getFunctionScopeIndex();
  if (!Settings.CommandLine) {
    if (Index == 0)
      store(Place, Type, Value(int64_t(1), Branches.getDoubt(Parameter)));
    return Index == 0;
  }
  std::vector<std::string> Words = {"./program"};
  llvm::append_range(Words, *Settings.CommandLine);
  if (Index == 0) {
    store(Place, Type, Value(static_cast<int64_t>(Words.size())));
    return true;
  }
  if (Index != 1 || !Type->isPointerType())
    return false;
  const Address Array = Objects.make();
  const uint64_t Size = sizeOf(context(), Type);
  for (size_t I = 0; I != Words.size(); ++I)
    store(Array.advance(I * Size), Type->getPointeeType(),
          Value(Objects.makeText(Words[I])));
  store(Array.advance(Words.size() * Size), Type->getPointeeType(),
        Value(int64_t(0)));
  store(Place, Type, Value(Array));
  return true;
}

bool HostWalk::initializeMembers(const CXXConstructorDecl *Constructor) {
  const CXXRecordDecl *Class = Constructor->getParent();
  for (const CXXCtorInitializer *Init : Constructor->inits()) {
    Address This = *Current->This;
    if (const FieldDecl *Field = Init->getMember()) {
      construct(offsetTo(This, Field), Init->getInit(), Field->getType());
    } else if (Init->isDelegatingInitializer()) {
      construct(This, Init->getInit(), context().getRecordType(Class));
    } else if (Init->isBaseInitializer()) {
      QualType Type(Init->getBaseClass(), 0);
      for (const CXXBaseSpecifier &Base : Class->bases())
        if (context().hasSameUnqualifiedType(Base.getType(), Type))
          construct(offsetToBase(This, Class, &Base), Init->getInit(), Type);
    }
    endStatement();
    if (PathEnded || Abandoned)
      return false;
  }
  return true;
}

Value HostWalk::enterFunction(const FunctionDecl *Callee, ActiveCall &New) {
  // What is walked to learn what a loop changes shows no launch to anybody.
  if (!Silent)
    Entered.insert(Callee->getCanonicalDecl());
  New.Function = Callee;
  New.Result = Objects.make().Object;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
      Method && Method->getParent()->isLambda()) {
    llvm::DenseMap<const ValueDecl *, FieldDecl *> Captures;
    FieldDecl *This = nullptr;
    Method->getParent()->getCaptureFields(Captures, This);
    New.Captures = std::move(Captures);
  }
  ActiveCall *Caller = std::exchange(Current, &New);
  ASTContext *CallerUnit = std::exchange(Active, &Callee->getASTContext());
  JumpTarget *OuterBreak = std::exchange(BreakTarget, nullptr);
  JumpTarget *OuterContinue = std::exchange(ContinueTarget, nullptr);
  HostState Entry;
  Entry.Contradicted = State.Contradicted;
  Entry.Likely = State.Likely;
  Stack.push_back(&New);
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Callee);
  bool Falls = (!Constructor || initializeMembers(Constructor)) &&
               walk(Callee->getBody());
  Stack.pop_back();
  Current = Caller;
  Active = CallerUnit;
  BreakTarget = OuterBreak;
  ContinueTarget = OuterContinue;
  if (New.Returned && !Abandoned) {
    State = Falls ? Branches.meet(nullptr, std::move(*New.Returned), State,
                                  Branches.getDoubt(Callee))
                  : std::move(*New.Returned);
    // Which return was taken does not outlive the call.
    State.Likely = Entry.Likely;
    Falls = true;
  }
  PathEnded = !Falls && !Abandoned;
  QualType Type = Callee->getReturnType();
  Value Result = Type->isVoidType() ? Value() : load({New.Result, 0}, Type);
  Objects.takeElementsOf(New.Variables);
  // Elements of a container that is returned live on with the caller.
  New.Variables.push_back(New.Result);
  State.remove(New.Variables);
  endLives(New.Temporaries);
  return Result;
}

void HostWalk::callConstructor(const CXXConstructExpr *Construct,
                               Address This) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  QualType Type = Construct->getType();
  llvm::ArrayRef<const Expr *> Arguments(Construct->getArgs(),
                                         Construct->getNumArgs());
  if (!Type->isRecordType() || PathEnded || Abandoned || !Current)
    return;
  if (isVector(Constructor->getParent()))
    return modelVectorConstruction(*this, Construct, This);
  const FunctionDecl *Body = findBody(Constructor).Definition;
  bool IsCopy = Constructor->isCopyOrMoveConstructor();
  if (IsCopy && !Arguments.empty() &&
      (!Body || Constructor->isTrivial() || Constructor->isDefaulted())) {
    const Address From = locate(Arguments[0]);
    store(This, Type, load(From, Type));
    separateVectors(*this, Type, From, This, Constructor->isMoveConstructor());
    return;
  }
  if (!Body) {
    callUnknown(Constructor, std::nullopt, Arguments);
    return;
  }
  callFunction(Construct, Constructor, This, Arguments);
}

/// Whether a function that takes \p Type can write through it.
static bool canWriteThrough(QualType Type) {
  if (!Type->isPointerType() && !Type->isReferenceType())
    return false;
  QualType Pointee = Type->getPointeeType();
  return !Pointee.isConstQualified() && !Pointee->isFunctionType();
}

/// The elements of containers that the object is, or points into, count as a
/// part of it: iterators are made to write through.
void HostWalk::doubtElements(ObjectId Object, DoubtSet Reason) {
  if (!Objects.haveElements())
    return;
  std::vector<ObjectId> Reached = {Object};
  for (size_t I = 0; I != Reached.size(); ++I)
    for (const ObjectId Pointee : State.pointeesOf(Reached[I]))
      if (Objects.isElements(Pointee) &&
          !llvm::is_contained(Reached, Pointee)) {
        State.doubt(Pointee, Reason);
        Reached.push_back(Pointee);
      }
}

void HostWalk::doubt(ObjectId Object, DoubtSet Reason) {
  State.doubt(Object, Reason);
  doubtElements(Object, Reason);
}

void HostWalk::passToUnknown(const FunctionDecl *Callee,
                             llvm::ArrayRef<const Expr *> Arguments) {
  callUnknown(Callee, std::nullopt, Arguments);
}

Value HostWalk::callUnknown(const FunctionDecl *Callee,
                            std::optional<Address> This,
                            llvm::ArrayRef<const Expr *> Arguments) {
  DoubtSet Reason = Branches.getDoubt(Callee);
  if (This && !(Callee && isa<CXXMethodDecl>(Callee) &&
                cast<CXXMethodDecl>(Callee)->isConst()))
    doubt(This->Object, Reason);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    const Expr *Argument = Arguments[I];
    bool IsDeclared = Callee && I < Callee->getNumParams();
    QualType Type =
        IsDeclared ? Callee->getParamDecl(I)->getType() : Argument->getType();
    Value V;
    if (Argument->isGLValue() || Argument->getType()->isRecordType()) {
      Address Place = locate(Argument);
      V = Value(Place);
      callBack(Argument, V);
      if (const CXXRecordDecl *Class =
              Argument->getType()->getAsCXXRecordDecl();
          Class && !isVector(Class))
        doubtElements(Place.Object, Reason);
      if (!Type->isReferenceType())
        continue;
    } else {
      V = evaluate(Argument);
      callBack(Argument, V);
    }
    // `...` of printf only reads, and that of scanf starts from nothing.
    const Address *Place = V.getAddress();
    if (Place && canWriteThrough(Type) &&
        (IsDeclared || !Callee || !Callee->isVariadic() ||
         Callee->getName().contains("scan"))) {
      doubt(Place->Object, Reason);
      State.forget(Objects.copiedTo(Place->Object));
    }
  }
  if (Callee && Callee->isNoReturn())
    PathEnded = true;
  return Value();
}

void HostWalk::callBack(const Expr *Argument, const Value &V) {
  const FunctionDecl *Callee = nullptr;
  std::optional<Address> This;
  if (const FunctionSet *Functions = V.getFunctions()) {
    if (Functions->size() == 1)
      Callee = Functions->front();
  } else if (const CXXRecordDecl *Class =
                 Argument->getType()->getAsCXXRecordDecl();
             Class && Class->isLambda() && !Class->isGenericLambda()) {
    Callee = Class->getLambdaCallOperator();
    This = V.getAddress() ? std::optional(*V.getAddress()) : std::nullopt;
  }
  const FunctionDecl *Body = findBody(Callee).Definition;
  if (!Body || !Index.mayLaunch(Body))
    return;
  ActiveCall New;
  New.This = This;
  bindUnknown(Body, New);
  HostState Before = State;
  // Nobody knows how often it is called.
  ++Branches.Repeated;
  enterFunction(Body, New);
  --Branches.Repeated;
  State = PathEnded
              ? Before
              : Branches.meet(&Before, Before, State, Branches.getDoubt(Body));
  forgetElements(Before);
  PathEnded = false;
}

/// A kernel may store to whatever its arguments lead to and is not const.
void HostWalk::forgetCopies(const LaunchSite &Site) {
  const FunctionDecl *Kernel =
      Site.Kernels.size() == 1 ? Site.Kernels.front() : nullptr;
  const auto forget = [&](const Value &V) {
    const Address *Place = V.getAddress();
    const ObjectId Copied = Place ? Objects.copiedTo(Place->Object) : 0;
    if (State.has(Copied))
      State.forget(Copied);
  };
  for (unsigned I = 0; I != Site.Arguments.size(); ++I) {
    const Value &V = Site.Arguments[I];
    if (!Kernel || I >= Kernel->getNumParams() ||
        canWriteThrough(Kernel->getParamDecl(I)->getType()))
      forget(V);
    if (const Record *Members = V.getRecord())
      for (const Cell &C : **Members)
        forget(C.Content);
  }
}

void HostWalk::launch(const LaunchSite &Site) {
  if (Abandoned || PathEnded)
    return;
  const auto Leave = llvm::make_scope_exit([&] { forgetCopies(Site); });
  if (Silent)
    return;
  LaunchSite Placed = Site;
  Placed.AfterGap = AfterGap;
  Placed.Taken = State.Taken;
  Placed.CalledFrom = llvm::hash_combine(Branches.Frames.back(), Site.Call);
  Placed.Frames = Branches.Frames;
  OnLaunch(Placed);
}

void HostWalk::launchKernel(const CUDAKernelCallExpr *Call) {
  const CallExpr *Config = Call->getConfig();
  if (!Config || Config->getNumArgs() < 2)
    return;
  LaunchSite Site;
  Site.Call = Call;
  Value Kernels = evaluate(Call->getCallee());
  if (const FunctionSet *Functions = Kernels.getFunctions())
    Site.Kernels = *Functions;
  Site.Grid = evaluate(Config->getArg(0));
  Site.Block = evaluate(Config->getArg(1));
  Site.SharedBytes = Config->getNumArgs() > 2 ? evaluate(Config->getArg(2))
                                              : Value(int64_t(0));
  for (const Expr *Argument : Call->arguments())
    Site.Arguments.push_back(Argument->isGLValue() ? Value(locate(Argument))
                                                   : evaluate(Argument));
  launch(Site);
}

} // namespace warpwise::launch
