//===- HostEvaluator.h - Evaluates host expressions -------------*- C++ -*-===//
//
// Expressions of the host code over the abstract domain of Value.h, in the call
// that is active. Which objects there are is HostObjects' to know, what a path
// has written to them HostState's, which side of a condition it takes
// HostBranches'. Statements and the bodies of functions are HostWalk's, the
// CUDA runtime is RuntimeModel's; both reach the evaluator through this
// interface.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H

#include "analyzer/launch/ActiveCall.h"
#include "analyzer/launch/HostBranches.h"
#include "analyzer/launch/HostObjects.h"
#include "analyzer/launch/HostSettings.h"
#include "analyzer/launch/HostState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <set>

namespace warpwise::launch {

/// A launch as the host code states it.
struct LaunchSite {
  const clang::CallExpr *Call = nullptr;
  FunctionSet Kernels;
  Value Grid, Block, SharedBytes;
  /// In the order of the kernel's parameters.
  std::vector<Value> Arguments;
  /// The conditions on the way, and the calls.
  Path Taken;
  uint64_t CalledFrom = 0;
  /// Turn::Callers of the functions that have not returned yet.
  std::vector<uint64_t> Frames;
  /// As in Launch.
  bool AfterGap = false;
};

class HostEvaluator {
public:
  explicit HostEvaluator(HostSettings Settings)
      : Settings(std::move(Settings)) {}
  virtual ~HostEvaluator() = default;

  const HostSettings Settings;
  /// Of the path that is walked.
  HostState State;
  HostObjects Objects;
  HostBranches Branches;
  /// Kernels that an occupancy function was asked about and that Settings does
  /// not know, by mangled name.
  std::set<std::string> WantedKernels;

  /// The translation unit whose code is being walked.
  clang::ASTContext &context() const { return *Active; }

  /// The value of any expression; the content of a place for an lvalue.
  Value evaluate(const clang::Expr *E);
  /// The place of an lvalue; {0, nullopt} when it is not known. Class-type
  /// rvalues get a temporary.
  Address locate(const clang::Expr *E);
  /// Initialises memory of type \p Type.
  void construct(Address Place, const clang::Expr *Init, clang::QualType Type);

  Value load(Address From, clang::QualType Type);
  void store(Address To, clang::QualType Type, const Value &V);

  /// A new object that lives as long as the current statement.
  Address makeTemporary();
  /// The characters from \p From up to a zero; empty when not all are known.
  std::optional<std::string> readString(Address From);

  /// A global's initial value is in doubt when something may write it.
  virtual bool isWrittenSomewhere(const clang::VarDecl &Global) const = 0;
  /// The declaration that has the initial value, which may be another unit's;
  /// the same for all declarations of a variable.
  virtual const clang::VarDecl *
  findVariable(const clang::VarDecl *Declared) const = 0;
  /// The name of a kernel in device code.
  virtual const std::string &nameKernel(const clang::FunctionDecl *Kernel) = 0;
  virtual Value call(const clang::CallExpr *Call) = 0;
  virtual void callConstructor(const clang::CXXConstructExpr *Construct,
                               Address This) = 0;
  virtual void launch(const LaunchSite &Site) = 0;
  /// Evaluates arguments of a function without a body: what it gets pointers
  /// to may change.
  virtual void passToUnknown(const clang::FunctionDecl *Callee,
                             llvm::ArrayRef<const clang::Expr *> Arguments) = 0;

protected:
  clang::ASTContext *Active = nullptr;
  ActiveCall *Current = nullptr;
  llvm::DenseMap<const clang::VarDecl *, Address> Globals;
  /// The current path has called a function that does not return.
  bool PathEnded = false;
  /// The conditions that the expression under evaluation depends on.
  ForkNumber Touched = 0;
  /// What conditions have said does not count.
  bool IgnoresLimits = false;

  /// What has no name in State gets another one from here on.
  void forgetNames();
  /// These objects' lives end, and those of the elements of containers in them.
  void endLives(std::vector<ObjectId> &Dead);
  Address locateVariable(const clang::ValueDecl *Variable);
  /// Empty memory for a variable of the current frame.
  Address bindNew(const clang::VarDecl *Variable);

private:
  llvm::DenseMap<const clang::Expr *, Address> Literals;
  UnknownNumber Unknowns = 0; ///< that have a name
  /// What is in places that nobody has written to.
  llvm::DenseMap<std::pair<ObjectId, int64_t>, SharedQuotient> UnknownAt;
  /// Members of objects that are not known, and what methods say of them. That
  /// they may change in between does not matter where no more than likely
  /// numbers come of it.
  std::map<std::vector<uintptr_t>, SharedQuotient> UnknownFor;

  /// Whether it is a number that is not known, nor what it is computed from.
  static bool isNamable(const Value &V, clang::QualType Type);
  SharedQuotient newUnknown();
  SharedQuotient unknownAt(Address Place);
  /// Null where \p E may be something else the next time.
  SharedQuotient unknownFor(const clang::Expr *E);

  Value evaluateKind(const clang::Expr *E);
  Value evaluateCast(const clang::CastExpr *Cast);
  Value convert(const Value &V, clang::QualType From, clang::QualType To);
  Value evaluateUnary(const clang::UnaryOperator *Op);
  Value evaluateIncrement(const clang::UnaryOperator *Op);
  Value evaluateBinary(const clang::BinaryOperator *Op);
  Value evaluateAssignment(const clang::BinaryOperator *Op);
  Value evaluateLogical(const clang::BinaryOperator *Op);
  Value evaluateConditional(const clang::AbstractConditionalOperator *Op);
  Value evaluateUncertain(const clang::ConditionalOperator *Op,
                          const Value &Condition);
  Value evaluateNew(const clang::CXXNewExpr *New);
  Value evaluateLambda(const clang::LambdaExpr *Lambda);
  Value evaluateRecord(const clang::Expr *E);
  /// What an expression with an error in it may have written is unknown.
  void forgetWritten(const clang::Expr *Broken);
  Value evaluateConstant(const clang::Expr *E);
  Value evaluateReference(const clang::DeclRefExpr *Ref);
  Value movePointer(const Value &Pointer, const Value &Steps,
                    clang::QualType Pointee, int Sign);
  Value subtractPointers(const Value &Left, const Value &Right,
                         clang::QualType Pointee);
  Address locateMember(const clang::MemberExpr *Member);
  Address locateBase(const clang::CastExpr *Cast, Address Derived);
  Address locateGlobal(const clang::VarDecl *Variable);
  void constructList(Address Place, const clang::InitListExpr *List,
                     clang::QualType Type);
  void constructZero(Address Place, clang::QualType Type, unsigned &Budget);
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H
