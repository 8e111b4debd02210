//===- HostEvaluator.h - Evaluates host expressions -------------*- C++ -*-===//
//
// Expressions of the host code over the abstract domain of Value.h. Statements
// and the bodies of functions are HostWalk's, the CUDA runtime is
// RuntimeModel's; both reach the evaluator through this interface.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H

#include "analyzer/launch/HostSettings.h"
#include "analyzer/launch/HostState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <set>

namespace warpwise::launch {

/// One active call of a function.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  /// Variables by their memory, references by what they refer to.
  llvm::DenseMap<const clang::ValueDecl *, Address> Bindings;
  /// What a lambda's body calls by the name of the captured variable.
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Captures;
  std::optional<Address> This;
  /// Memory of variables, freed when the call returns.
  std::vector<ObjectId> Variables;
  /// Memory of temporaries, freed at the end of the statement.
  std::vector<ObjectId> Temporaries;
  /// Where `return` leaves its value.
  ObjectId Result = 0;
  /// The states of all paths that have returned.
  std::optional<HostState> Returned;
};

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
  /// As in Launch.
  bool AfterGap = false;
};

class HostEvaluator {
public:
  explicit HostEvaluator(HostSettings Settings)
      : Settings(std::move(Settings)) {}
  virtual ~HostEvaluator() = default;

  const HostSettings Settings;
  HostState State;
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
  /// A new object that nothing frees.
  Address makeAllocation();
  /// The same, but only known to hold what a device pointer points to.
  Address makeDeviceAllocation();
  bool isDeviceMemory(ObjectId Object) const {
    return DeviceObjects.contains(Object);
  }
  /// A doubt for one reason, the same each time for the same reason.
  DoubtSet getDoubt(const void *Reason);

  /// Memory that holds \p Text and a zero until something is written to it.
  Address makeString(llvm::StringRef Text);
  /// The characters from \p From up to a zero; empty when not all are known.
  std::optional<std::string> readString(Address From);

  uint64_t getSize(clang::QualType Type) const;
  /// Address of a named field of the record type \p Type; empty when it has
  /// no such field.
  std::optional<std::pair<Address, clang::QualType>>
  findField(Address Base, clang::QualType Type, llvm::StringRef Name);

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

protected:
  clang::ASTContext *Active = nullptr;
  Frame *Current = nullptr;
  llvm::DenseMap<const clang::VarDecl *, Address> Globals;
  ObjectId LastObject = 0;
  /// The current path has called a function that does not return.
  bool PathEnded = false;
  /// Walks to see what no default path shows.
  bool EveryBranch = false;
  /// Names the execution of what is walked: its calls and iterations, or not
  /// what stands for several.
  uint64_t Context = 0;
  unsigned Repeated = 0;
  Forks AllForks;
  /// The conditions that the expression under evaluation depends on.
  ForkNumber Touched = 0;

  /// The side of a condition that this walk takes for granted.
  std::optional<unsigned> decide(const clang::Stmt *Where, unsigned Sides);
  /// The current path is on side \p Side of a condition.
  void turn(const clang::Stmt *Where, unsigned Side);
  /// The same, where a condition with the value \p Condition is not certain. A
  /// side that is not the default contradicts what is in doubt.
  void turn(const clang::Stmt *Where, const Value &Condition, bool Holds);
  HostState meet(const HostState *Before, HostState A, const HostState &B,
                 DoubtSet Reason);

  Address offsetTo(Address Base, const clang::FieldDecl *Field);
  /// Not known for virtual bases.
  Address offsetToBase(Address Derived, const clang::CXXRecordDecl *Class,
                       const clang::CXXBaseSpecifier *Base);
  Address locateVariable(const clang::ValueDecl *Variable);
  /// Empty memory for a variable of the current frame.
  Address bindNew(const clang::VarDecl *Variable);

private:
  llvm::DenseSet<ObjectId> DeviceObjects;
  /// What an object holds until State says otherwise.
  llvm::DenseMap<ObjectId, std::string> Texts;
  llvm::DenseMap<const clang::Expr *, Address> Literals;
  llvm::DenseMap<const void *, unsigned> DoubtNumbers;

  ForkKey keyOf(const clang::Stmt *Where) const;
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

/// Integer, real and comparison operators. \p Type is the operands' common
/// type, \p Result that of the expression.
Value applyBinary(clang::ASTContext &Context, clang::BinaryOperatorKind Op,
                  const Value &Left, const Value &Right, clang::QualType Type,
                  clang::QualType Result);

/// The low 64 bits of \p V: values of the type uint64_t from 2^63 on are
/// negative ones here.
int64_t wrapTo64(const llvm::APSInt &V);

/// \p V as the type's width and sign hold it.
int64_t wrapInteger(const clang::ASTContext &Context, int64_t V,
                    clang::QualType Type);

/// Whether the value is true; empty when it is not known.
std::optional<bool> holdsTrue(const Value &V);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTEVALUATOR_H
