//===- LaunchCalls.cpp - Launch functions of the CUDA runtime -------------===//
//
// cudaLaunchKernel and its relatives take what `<<<>>>` takes, but in arrays of
// pointers and structs.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/Layout.h"
#include "analyzer/launch/RuntimeModel.h"

using namespace clang;

namespace warpwise::launch {

namespace {

class LaunchCall {
public:
  LaunchCall(HostEvaluator &Evaluator, const CallExpr *Call)
      : Evaluator(Evaluator), Call(Call) {
    Site.Call = Call;
  }

  bool run(StringRef Name);

private:
  HostEvaluator &Evaluator;
  const CallExpr *Call;
  LaunchSite Site;

  void setKernels(const Value &V) {
    if (const FunctionSet *Functions = V.getFunctions())
      Site.Kernels = *Functions;
  }
  void setArguments(const Value &Array);
  void setConfiguration(const Expr *Pointer);
  void setNode(const Expr *Pointer);
  Value loadField(Address Base, QualType Type, StringRef Name);
};

} // namespace

/// Reads `void *Arguments[]` with the types of the kernel's parameters.
void LaunchCall::setArguments(const Value &Array) {
  const Address *First = Array.getAddress();
  if (!First || Site.Kernels.empty())
    return;
  QualType Pointer = Evaluator.context().VoidPtrTy;
  auto Size = static_cast<int64_t>(sizeOf(Evaluator.context(), Pointer));
  int64_t Index = 0;
  for (const ParmVarDecl *Parameter : Site.Kernels.front()->parameters()) {
    Value Place = Evaluator.load(First->advance(Index++ * Size), Pointer);
    Site.Arguments.push_back(
        Place.getAddress()
            ? Evaluator.load(*Place.getAddress(), Parameter->getType())
            : Value());
  }
}

Value LaunchCall::loadField(Address Base, QualType Type, StringRef Name) {
  auto Field = findField(Base, Type, Name);
  return Field ? Evaluator.load(Field->first, Field->second) : Value();
}

void LaunchCall::setConfiguration(const Expr *Pointer) {
  Value V = Evaluator.evaluate(Pointer);
  QualType Type = Pointer->getType()->getPointeeType();
  if (!V.getAddress() || Type.isNull())
    return;
  Site.Grid = loadField(*V.getAddress(), Type, "gridDim");
  Site.Block = loadField(*V.getAddress(), Type, "blockDim");
  Site.SharedBytes = loadField(*V.getAddress(), Type, "dynamicSmemBytes");
}

void LaunchCall::setNode(const Expr *Pointer) {
  Value V = Evaluator.evaluate(Pointer);
  QualType Type = Pointer->getType()->getPointeeType();
  if (!V.getAddress() || Type.isNull())
    return;
  Address Base = *V.getAddress();
  setKernels(loadField(Base, Type, "func"));
  Site.Grid = loadField(Base, Type, "gridDim");
  Site.Block = loadField(Base, Type, "blockDim");
  Site.SharedBytes = loadField(Base, Type, "sharedMemBytes");
  setArguments(loadField(Base, Type, "kernelParams"));
}

bool LaunchCall::run(StringRef Name) {
  unsigned Count = Call->getNumArgs();
  auto Evaluate = [&](unsigned I) {
    return Evaluator.evaluate(Call->getArg(I));
  };
  if (Name == "cudaLaunchKernelEx" && Count >= 2) {
    setConfiguration(Call->getArg(0));
    setKernels(Evaluate(1));
    for (unsigned I = 2; I < Count; ++I)
      Site.Arguments.push_back(Evaluate(I));
  } else if (Name == "cudaLaunchKernelExC" && Count == 3) {
    setConfiguration(Call->getArg(0));
    setKernels(Evaluate(1));
    setArguments(Evaluate(2));
  } else if ((Name == "cudaLaunchKernel" ||
              Name == "cudaLaunchCooperativeKernel") &&
             Count >= 4) {
    setKernels(Evaluate(0));
    Site.Grid = Evaluate(1);
    Site.Block = Evaluate(2);
    setArguments(Evaluate(3));
    Site.SharedBytes = Count > 4 ? Evaluate(4) : Value(int64_t(0));
  } else if (Name == "cudaGraphAddKernelNode" && Count >= 5) {
    setNode(Call->getArg(Count - 1));
  } else {
    return false;
  }
  Evaluator.launch(Site);
  return true;
}

std::optional<Value> modelLaunchCall(HostEvaluator &Evaluator,
                                     const CallExpr *Call,
                                     const FunctionDecl *Callee) {
  const IdentifierInfo *Name = Callee->getIdentifier();
  if (Name && LaunchCall(Evaluator, Call).run(Name->getName()))
    return Value(int64_t(0));
  return std::nullopt;
}

} // namespace warpwise::launch
