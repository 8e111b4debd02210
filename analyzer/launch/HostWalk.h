//===- HostWalk.h - Walks host functions up to their launches ---*- C++ -*-===//
//
// Statements, calls and paths. A condition that is known decides; one that is
// not makes both sides be walked and joined; one that is known but in doubt
// (a default) makes its side count and the other be looked at for launches.
// Loops run while their condition is known, up to a cap, and are then continued
// by extrapolation.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTWALK_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTWALK_H

#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/HostIndex.h"
#include "analyzer/launch/VectorUse.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace warpwise::launch {

class HostWalk : public HostEvaluator {
public:
  using Sink = std::function<void(const LaunchSite &Site)>;

  HostWalk(const HostIndex &Index, HostSettings Settings, Sink OnLaunch)
      : HostEvaluator(std::move(Settings)), Index(Index),
        OnLaunch(std::move(OnLaunch)) {}

  /// A value that the walk of a root gives to one of its parameters.
  struct Forced {
    const clang::FunctionDecl *Function = nullptr;
    unsigned Parameter = 0;
    int64_t Value = 0;

    bool operator==(const Forced &) const = default;
  };

  /// Walks \p Function with unknown arguments, but argc 1 for main.
  /// \p EveryBranch: also looks into branches that are never taken.
  /// \p Chosen decides conditions that are not known; outlives the walk.
  void walkRoot(const clang::FunctionDecl *Function, bool EveryBranch,
                const Forced *Given = nullptr,
                const Decisions *Chosen = nullptr);
  /// The conditions of the last walk.
  const Forks &forks() const { return Branches.forks(); }
  /// Statements that all walks together have taken.
  unsigned steps() const { return Steps; }

  bool wasEntered(const clang::FunctionDecl *Function) const {
    return Entered.contains(Function->getCanonicalDecl());
  }
  /// Launches behind conditions that are constant and false.
  const llvm::SmallPtrSetImpl<const clang::CUDAKernelCallExpr *> &dead() const {
    return Dead;
  }
  /// Whether the last walk ended at its limit.
  bool wasAbandoned() const { return Abandoned || TooDeep; }
  /// Values of parameters that case labels name but no walk has seen:
  /// `switch (BlockSize) { case 512: k<512><<<...>>>`.
  std::vector<Forced> takeCaseValues() { return std::move(CaseValues); }

  /// What the side of a condition says of a parameter, if it gives it a value.
  const Forced *assumedAt(const Turn &T) const {
    const auto Found = Assumptions.find({T.Where, T.Side});
    return Found == Assumptions.end() ? nullptr : &Found->second;
  }

  bool isWrittenSomewhere(const clang::VarDecl &Global) const override {
    return Index.isWritten(&Global);
  }
  const clang::VarDecl *
  findVariable(const clang::VarDecl *Declared) const override {
    return Index.findVariable(Declared);
  }
  const std::string &nameKernel(const clang::FunctionDecl *Kernel) override {
    return Index.names().get(Kernel);
  }
  Value call(const clang::CallExpr *Call) override;
  void callConstructor(const clang::CXXConstructExpr *Construct,
                       Address This) override;
  void launch(const LaunchSite &Site) override;
  void passToUnknown(const clang::FunctionDecl *Callee,
                     llvm::ArrayRef<const clang::Expr *> Arguments) override;

private:
  /// Where `break` or `continue` lands.
  struct JumpTarget {
    std::optional<HostState> Arrived;
    const HostState *Before = nullptr;
  };
  /// A function that is worth walking.
  struct Body {
    const clang::FunctionDecl *Definition = nullptr;
    /// Not of a system header.
    bool IsUsers = false;
  };
  struct Loop {
    const clang::Stmt *Statement = nullptr;
    const clang::Expr *Condition = nullptr;
    const clang::Expr *Step = nullptr;
    llvm::SmallVector<const clang::Stmt *, 2> Parts;
    bool TestsFirst = true;
  };
  using Side = llvm::function_ref<bool()>;

  const HostIndex &Index;
  Sink OnLaunch;
  std::vector<ActiveCall *> Stack;
  llvm::DenseSet<const clang::FunctionDecl *> Entered;
  llvm::SmallPtrSet<const clang::CUDAKernelCallExpr *, 8> Dead;
  llvm::DenseMap<const clang::FunctionDecl *, Body> Bodies;
  std::vector<Forced> CaseValues;
  std::map<std::pair<const clang::Stmt *, unsigned>, Forced> Assumptions;
  const Forced *Given = nullptr;
  JumpTarget *BreakTarget = nullptr, *ContinueTarget = nullptr;
  /// Walks only to learn what a loop changes.
  bool Silent = false;
  /// The step limit was reached: unwind to where it was set.
  bool Abandoned = false;
  bool TooDeep = false; ///< calls of the user's were not followed
  unsigned Steps = 0, StepLimit = 0;
  bool InBoundedLoop = false;
  /// How often all walks together gave up on a loop that cannot launch.
  llvm::DenseMap<const clang::Stmt *, unsigned> GivenUp;
  llvm::DenseMap<const clang::Stmt *, std::vector<VectorChange>> VectorChanges;
  /// Iterations were left out before the one that is walked.
  bool AfterGap = false;

  /// The walk is in a call, or in an iteration, until the end of a scope.
  class Within;

  // All walk functions return whether control reaches the end.
  bool walk(const clang::Stmt *S);
  bool walkExpression(const clang::Expr *E);
  bool walkCompound(const clang::CompoundStmt *Compound);
  bool walkDeclarations(const clang::DeclStmt *S);
  void declare(const clang::VarDecl *Variable);
  bool walkReturn(const clang::ReturnStmt *Return);
  bool walkJump(JumpTarget *Target);
  bool walkTry(const clang::CXXTryStmt *Try);
  bool walkIf(const clang::IfStmt *If);
  bool walkSwitch(const clang::SwitchStmt *Switch);
  bool walkCase(const clang::SwitchStmt *Switch, const Value &Selector,
                size_t Start, JumpTarget &Exits);
  bool walkStatementLoop(const clang::Stmt *S);
  bool walkRange(const clang::CXXForRangeStmt *For);

  bool fork(const Value &Condition, const clang::Stmt *Statement, Side Then,
            Side Else);
  void refine(const clang::Expr *Condition, bool Holds);
  /// \p NamesCase: the program has a case of its own for this value.
  void assume(const clang::Expr *Variable, int64_t Equals,
              bool NamesCase = true);
  void arrive(JumpTarget &Target, HostState From, DoubtSet Reason);

  unsigned stepsFor(const Loop &L) const;
  bool walkLoop(const Loop &L);
  bool iterate(const Loop &L);
  /// \p Conditions gets the doubts about how often it runs, and their forks.
  void noteDead(const clang::Stmt *S);
  Value test(const Loop &L);
  bool walkTimes(const Loop &L, Value &Conditions);
  void walkUnknownTimes(const Loop &L, ForkNumber LostAt);
  void walkOthers(const Loop &L, const HostState &Entry,
                  const Value &Conditions);
  void peekInto(const Loop &L, DoubtSet Doubts);
  bool skipAhead(const Loop &L, const HostState &Older, const HostState &Old);
  /// What ran an unknown number of times since \p Before wrote to one element
  /// after the other, of which the walk has seen only the first.
  void forgetElements(const HostState &Before);
  /// The vectors whose sizes a loop changes in iterations that are not walked;
  /// \p All: also in each iteration.
  void forgetVectors(const Loop &L, bool All);
  void endStatement();

  Value callFunction(const clang::Stmt *Call, const clang::FunctionDecl *Callee,
                     std::optional<Address> This,
                     llvm::ArrayRef<const clang::Expr *> Arguments);
  Value enterFunction(const clang::FunctionDecl *Callee, ActiveCall &New);
  void bindArguments(const clang::FunctionDecl *Callee, ActiveCall &New,
                     llvm::ArrayRef<const clang::Expr *> Arguments);
  void bindUnknown(const clang::FunctionDecl *Callee, ActiveCall &New);
  void bindObject(const clang::CXXMethodDecl *Method, ActiveCall &New);
  bool storeMembers(const clang::CXXRecordDecl *Class, Address Place);
  bool bindCommandLine(const clang::ParmVarDecl *Parameter, Address Place);
  bool initializeMembers(const clang::CXXConstructorDecl *Constructor);
  Value callUnknown(const clang::FunctionDecl *Callee,
                    std::optional<Address> This,
                    llvm::ArrayRef<const clang::Expr *> Arguments);
  void doubt(ObjectId Object, DoubtSet Reason);
  void doubtElements(ObjectId Object, DoubtSet Reason);
  void callBack(const clang::Expr *Argument, const Value &V);
  Body describeBody(const clang::FunctionDecl *Callee) const;
  Body findBody(const clang::FunctionDecl *Callee);
  void launchKernel(const clang::CUDAKernelCallExpr *Call);
  void forgetCopies(const LaunchSite &Site);
};

class HostWalk::Within {
public:
  /// A call, for which the caller goes on later.
  Within(HostWalk &Walk, const clang::Stmt *Call);
  /// The iteration of a loop that has number \p Iteration.
  Within(HostWalk &Walk, const clang::Stmt *Loop, unsigned Iteration);
  Within(const Within &) = delete;
  Within &operator=(const Within &) = delete;
  ~Within() {
    Walk.Branches.Context = Context;
    Walk.Branches.Frames.resize(Depth);
    Walk.Touched = Touched;
  }

private:
  HostWalk &Walk;
  const uint64_t Context;
  const size_t Depth;
  const ForkNumber Touched;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTWALK_H
