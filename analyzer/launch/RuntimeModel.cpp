//===- RuntimeModel.cpp - Library functions the walk knows ----------------===//
//
// Device properties are those of the device that is modelled, if there is one.
// Else they get the values that every GPU since compute capability 3.5 has, in
// doubt; sizes that differ between GPUs stay unknown.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RuntimeModel.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/Layout.h"
#include "profiler/profile/RequestLaw.h"

#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <map>

using namespace clang;

namespace warpwise::launch {

namespace {

/// One call of a modelled function.
struct RuntimeCall {
  HostEvaluator &Evaluator;
  const FunctionDecl *Callee;
  llvm::ArrayRef<const Expr *> Arguments;
  StringRef Name;

  std::optional<Value> run();

private:
  std::optional<Value> runAllocation();
  std::optional<Value> runQuery();
  std::optional<Value> runMathematics();
  std::optional<Value> runMemory();
  std::optional<Value> runCopy();
  std::optional<Value> runTransfer();
  std::optional<Value> runOtherRuntime();
  std::optional<Value> runReference();

  DoubtSet getDoubt() const { return Evaluator.Branches.getDoubt("device"); }
  Value succeed() const { return Value(int64_t(0)); }
  void evaluateFrom(size_t First) const;
  /// What argument \p I points to, and its type.
  std::pair<Address, QualType> getTarget(size_t I) const;
  void storeTo(size_t I, const Value &V) const;
  Value getProperty(StringRef Member) const;
  void fillProperties(Address Place, QualType Type) const;
  int64_t getArchitecture() const;
};

} // namespace

void RuntimeCall::evaluateFrom(size_t First) const {
  for (size_t I = First; I < Arguments.size(); ++I)
    Evaluator.evaluate(Arguments[I]);
}

std::pair<Address, QualType> RuntimeCall::getTarget(size_t I) const {
  // `(void **)&Pointer` says nothing about the type, what is below it does.
  const Expr *E = Arguments[I]->IgnoreParenCasts();
  if (!E->getType()->isPointerType())
    E = Arguments[I];
  Value Pointer = Evaluator.evaluate(E);
  QualType Type = E->getType()->isPointerType() ? E->getType()->getPointeeType()
                                                : QualType();
  return {Pointer.getAddress() ? *Pointer.getAddress() : Address(), Type};
}

void RuntimeCall::storeTo(size_t I, const Value &V) const {
  auto [Place, Type] = getTarget(I);
  if (!Type.isNull())
    Evaluator.store(Place, Type, V);
}

std::optional<Value> RuntimeCall::runAllocation() {
  static const llvm::StringSet<> Sized = {
      "cudaMalloc",      "cudaMallocManaged", "cudaMallocHost",
      "cudaMallocAsync", "cudaHostAlloc",     "cudaMallocFromPoolAsync"};
  static const llvm::StringSet<> Allocating = {
      "cudaGetSymbolAddress", "cudaGraphicsResourceGetMappedPointer",
      "cudaIpcOpenMemHandle"};
  static const llvm::StringSet<> Elsewhere = {"cudaMallocHost", "cudaHostAlloc",
                                              "cudaIpcOpenMemHandle"};
  HostObjects &Objects = Evaluator.Objects;
  const auto make = [&](const Value &Bytes) {
    if (Elsewhere.contains(Name))
      return Objects.makeElsewhere(Bytes);
    const Address Place = Objects.makeOnDevice(Bytes);
    if (Name != "cudaMallocManaged")
      Objects.rememberDevice(
          Place.Object,
          Evaluator.State.load(Objects.currentDevice(), sizeof(int)));
    return Place;
  };
  if (Sized.contains(Name) && Arguments.size() >= 2) {
    const Value Bytes = Evaluator.evaluate(Arguments[1]);
    storeTo(0, Value(make(Bytes)));
    evaluateFrom(2);
    return succeed();
  }
  if (Allocating.contains(Name) && !Arguments.empty()) {
    storeTo(0, Value(make(Value())));
    evaluateFrom(1);
    return succeed();
  }
  if (Name == "cudaHostGetDevicePointer" && Arguments.size() >= 2) {
    Value Host = Evaluator.evaluate(Arguments[1]);
    const Address *Place = Host.getAddress();
    Address Device = Evaluator.Objects.makeElsewhere();
    if (Place)
      Device.Offset = Place->Offset;
    storeTo(0, Value(Device));
    return succeed();
  }
  if (Name == "cudaMallocPitch" && Arguments.size() >= 4) {
    storeTo(0, Value(Evaluator.Objects.makeOnDevice()));
    Value Width = Evaluator.evaluate(Arguments[2]);
    const int64_t *Bytes = Width.getInteger();
    // 512 bytes on every GPU so far, but not promised.
    storeTo(1,
            Bytes && *Bytes >= 0 && *Bytes < INT64_MAX / 2
                ? Value((*Bytes + 511) / 512 * 512, Width.Doubts | getDoubt())
                : Value());
    return succeed();
  }
  if (Name == "raw_pointer_cast") {
    Value Known =
        Arguments.empty() ? Value() : Evaluator.evaluate(Arguments[0]);
    return Known.getAddress() ? Known : Value(Evaluator.Objects.makeOnDevice());
  }
  if (Name == "malloc" || Name == "calloc" || Name == "aligned_alloc") {
    evaluateFrom(0);
    return Value(Evaluator.Objects.make());
  }
  return std::nullopt;
}

int64_t RuntimeCall::getArchitecture() const {
  StringRef Cpu = Evaluator.context().getTargetInfo().getTargetOpts().CPU;
  int64_t Number = 0;
  if (!Cpu.consume_front("sm_") || Cpu.consumeInteger(10, Number))
    return 90;
  return Number;
}

/// What every GPU since compute capability 3.5 has.
static std::optional<int64_t> usualProperty(StringRef Member,
                                            int64_t Architecture) {
  static const llvm::StringMap<int64_t> Usual = {
      {"warpSize", profile::RequestLaw::Lanes},
      {"maxThreadsPerBlock", profile::MostBlockThreads},
      {"sharedMemPerBlock", int64_t(profile::StaticSharedBytes)}};
  if (Member == "major")
    return Architecture / 10;
  if (Member == "minor")
    return Architecture % 10;
  const auto Found = Usual.find(Member);
  return Found == Usual.end() ? std::nullopt : std::optional(Found->second);
}

/// A member of cudaDeviceProp: of the device that is modelled, or in doubt.
Value RuntimeCall::getProperty(StringRef Member) const {
  const auto &Device = Evaluator.Settings.Device;
  if (const auto Known = Device.find(Member); Known != Device.end())
    return Value(Known->second);
  if (std::optional<int64_t> Usual = usualProperty(Member, getArchitecture()))
    return Value(*Usual, getDoubt());
  return Value();
}

void RuntimeCall::fillProperties(Address Place, QualType Type) const {
  Evaluator.State.forget(Place.Object);
  const RecordDecl *Properties = Type->getAsRecordDecl();
  Properties = Properties ? Properties->getDefinition() : nullptr;
  if (!Properties)
    return;
  for (const FieldDecl *Field : Properties->fields())
    if (Value V = getProperty(Field->getName());
        V.isKnown() && Field->getType()->isIntegerType())
      if (auto Found = findField(Place, Type, Field->getName()))
        Evaluator.store(Found->first, Found->second, V);
  const DoubtSet Doubts = Evaluator.Settings.Device.empty() ? getDoubt() : 0;
  const std::pair<const char *, std::array<uint32_t, 3>> KnownArrays[] = {
      {"maxThreadsDim", profile::MostBlockExtents},
      {"maxGridSize", profile::MostGridExtents}};
  for (auto [Field, Numbers] : KnownArrays)
    if (auto Found = findField(Place, Type, Field))
      for (uint64_t I = 0; I < 3; ++I)
        Evaluator.State.store(Found->first.advance(I * 4), 4,
                              Value(int64_t(Numbers[I]), Doubts));
}

/// The member of cudaDeviceProp that a cudaDeviceAttr asks for; the numbers are
/// part of the ABI.
static StringRef getAttributeName(int64_t Attribute) {
  static const std::map<int64_t, StringRef> Names = {
      {1, "maxThreadsPerBlock"},
      {8, "sharedMemPerBlock"},
      {9, "totalConstMem"},
      {10, "warpSize"},
      {12, "regsPerBlock"},
      {13, "clockRate"},
      {16, "multiProcessorCount"},
      {18, "integrated"},
      {19, "canMapHostMemory"},
      {20, "computeMode"},
      {31, "concurrentKernels"},
      {36, "memoryClockRate"},
      {37, "memoryBusWidth"},
      {38, "l2CacheSize"},
      {39, "maxThreadsPerMultiProcessor"},
      {40, "asyncEngineCount"},
      {41, "unifiedAddressing"},
      {75, "major"},
      {76, "minor"},
      {81, "sharedMemPerMultiprocessor"},
      {82, "regsPerMultiprocessor"},
      {83, "managedMemory"},
      {89, "concurrentManagedAccess"},
      {95, "cooperativeLaunch"},
      {97, "sharedMemPerBlockOptin"},
      {106, "maxBlocksPerMultiProcessor"},
      {111, "reservedSharedMemPerBlock"},
      {115, "memoryPoolsSupported"}};
  const auto Found = Names.find(Attribute);
  return Found == Names.end() ? StringRef() : Found->second;
}

std::optional<Value> RuntimeCall::runQuery() {
  if (Name.starts_with("cudaGetDeviceProperties") && !Arguments.empty()) {
    auto [Place, Type] = getTarget(0);
    if (!Type.isNull())
      fillProperties(Place, Type);
    return succeed();
  }
  if (auto Answer = modelOccupancyCall(Evaluator, Name, Arguments)) {
    storeTo(0, Answer->First);
    if (Name.contains("BlockSize"))
      storeTo(1, Answer->Second);
    return succeed();
  }
  if (Name == "cudaGetDeviceCount" || Name == "cudaGetDevice") {
    const DoubtSet Doubts = Evaluator.Settings.Device.empty() ? getDoubt() : 0;
    storeTo(0, Value(int64_t(Name == "cudaGetDeviceCount"), Doubts));
    return succeed();
  }
  if (Name == "cudaDeviceGetAttribute" && Arguments.size() >= 2) {
    Value Attribute = Evaluator.evaluate(Arguments[1]);
    const int64_t *Number = Attribute.getInteger();
    const Value Answer =
        Number ? getProperty(getAttributeName(*Number)) : Value();
    storeTo(0, Answer);
    return succeed();
  }
  return std::nullopt;
}

/// The lesser, or the greater, of two integers of type \p Type.
static Value extremeOf(HostEvaluator &Evaluator, const Value &Left,
                       const Value &Right, bool IsMinimum, QualType Type) {
  const DoubtSet Doubts = Left.Doubts | Right.Doubts;
  if (Left.getInteger() && Right.getInteger()) {
    const Value Less = applyBinary(Evaluator.context(), BO_LT, Left, Right,
                                   Type, Evaluator.context().IntTy);
    const bool TakesLeft = holdsTrue(Less) == IsMinimum;
    return (TakesLeft ? Left : Right).addDoubts(Doubts);
  }
  // Of an unknown number and a known one.
  Value Result;
  const Value &Known = Left.isKnown() ? Left : Right;
  const int64_t *Least = Known.getInteger();
  // At least one block there is anyway.
  if (!IsMinimum && Least && *Least <= 1)
    Result.Is = Left.isKnown() ? Right.Is : Left.Is;
  if (const int64_t *Limit = Known.getInteger();
      Limit && Left.isKnown() != Right.isKnown() && !Doubts)
    if (const std::optional<Limits> Its =
            findLimits(Evaluator.context(), IsMinimum ? BO_LE : BO_GE,
                       /*Holds=*/true, *Limit, Type))
      Result.Within = std::make_shared<launch::Limits>(*Its);
  return Result;
}

std::optional<Value> modelExtreme(HostEvaluator &Evaluator,
                                  const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const IdentifierInfo *Name = Callee ? Callee->getIdentifier() : nullptr;
  const QualType Type = Call->getType();
  if (!Name || Call->getNumArgs() != 2 || !Callee->isInStdNamespace() ||
      !(Name->isStr("min") || Name->isStr("max")) ||
      !Type->isIntegralOrEnumerationType() || Type->isBooleanType())
    return std::nullopt;
  const Value Left = Evaluator.evaluate(Call->getArg(0));
  const Value Right = Evaluator.evaluate(Call->getArg(1));
  return extremeOf(Evaluator, Left, Right, Name->isStr("min"), Type);
}

std::optional<Value> RuntimeCall::runMathematics() {
  using Function = double (*)(double);
  static const llvm::StringMap<Function> Unary = {
      {"ceil", std::ceil},   {"floor", std::floor}, {"sqrt", std::sqrt},
      {"log2", std::log2},   {"log", std::log},     {"exp", std::exp},
      {"fabs", std::fabs},   {"round", std::round}, {"trunc", std::trunc},
      {"log10", std::log10}, {"exp2", std::exp2},   {"abs", std::fabs},
      {"rint", std::rint},   {"cbrt", std::cbrt},   {"sin", std::sin},
      {"cos", std::cos},     {"tan", std::tan},     {"atan", std::atan}};
  static const llvm::StringMap<Function> ToInteger = {
      {"lround", std::round}, {"llround", std::round}, {"lrint", std::rint},
      {"llrint", std::rint},  {"abs", std::fabs},      {"labs", std::fabs},
      {"llabs", std::fabs}};
  QualType Type = Callee->getReturnType();
  if (Type->isReferenceType() || Arguments.empty() || Arguments.size() > 2)
    return std::nullopt;
  bool IsReal = Type->isRealFloatingType();
  // ceilf is ceil in float; the argument tells the two apart.
  StringRef Base = Name;
  if (IsReal && !Unary.contains(Base))
    Base.consume_back("f");
  auto Round = [&](double V) {
    return Type->isSpecificBuiltinType(BuiltinType::Float)
               ? static_cast<double>(static_cast<float>(V))
               : V;
  };
  if (const auto It = ToInteger.find(Base);
      It != ToInteger.end() && !IsReal && Arguments.size() == 1) {
    const Value V = Evaluator.evaluate(Arguments[0]);
    if (const int64_t *Integer = V.getInteger();
        Integer && *Integer != std::numeric_limits<int64_t>::min())
      // std::lround has an overload for whole numbers, which are round.
      return Value(Base.ends_with("abs") ? std::abs(*Integer) : *Integer,
                   V.Doubts);
    const double *Real = V.getReal();
    const double Result = Real ? It->second(*Real) : NAN;
    return std::abs(Result) < 0x1p62 ? Value(int64_t(Result), V.Doubts)
                                     : Value();
  }
  if (auto It = Unary.find(Base);
      It != Unary.end() && IsReal && Arguments.size() == 1) {
    Value V = Evaluator.evaluate(Arguments[0]);
    std::optional<double> Known;
    if (const double *Real = V.getReal())
      Known = *Real;
    else if (const int64_t *Integer = V.getInteger())
      Known = static_cast<double>(*Integer);
    double Result = Known ? It->second(*Known) : NAN;
    if (std::isfinite(Result))
      return Value(Round(Result), V.Doubts);
    Value Unknown;
    // Of an integer, for which there is an overload, it is that.
    if (Base == "ceil" && Arguments[0]->getType()->isRealFloatingType())
      Unknown.Is = roundUp(V.Is);
    return Unknown;
  }
  if (Arguments.size() != 2)
    return std::nullopt;
  bool IsMinimum = Base == "min" || Base == "fmin";
  bool IsMaximum = Base == "max" || Base == "fmax";
  if (!IsMinimum && !IsMaximum && Base != "pow")
    return std::nullopt;
  Value Left = Evaluator.evaluate(Arguments[0]);
  Value Right = Evaluator.evaluate(Arguments[1]);
  DoubtSet Doubts = Left.Doubts | Right.Doubts;
  if (Type->isIntegralOrEnumerationType() && !Type->isBooleanType() &&
      Base != "pow")
    return extremeOf(Evaluator, Left, Right, IsMinimum, Type);
  auto ToReal = [](const Value &V) -> std::optional<double> {
    if (const int64_t *Integer = V.getInteger())
      return static_cast<double>(*Integer);
    return V.getReal() ? std::optional(*V.getReal()) : std::nullopt;
  };
  std::optional<double> L = ToReal(Left), R = ToReal(Right);
  if (!L || !R || !IsReal)
    return Value();
  double Result = IsMinimum   ? std::fmin(*L, *R)
                  : IsMaximum ? std::fmax(*L, *R)
                              : std::pow(*L, *R);
  return std::isfinite(Result) ? Value(Round(Result), Doubts) : Value();
}

std::optional<Value> RuntimeCall::runMemory() {
  if ((Name != "memset" && Name != "memcpy") || Arguments.size() != 3)
    return std::nullopt;
  auto [Target, Type] = getTarget(0);
  Value Source = Evaluator.evaluate(Arguments[1]);
  Value Length = Evaluator.evaluate(Arguments[2]);
  const int64_t *Bytes = Length.getInteger();
  const Address *From = Source.getAddress();
  const int64_t *Fill = Source.getInteger();
  if (Name == "memcpy" && Bytes && *Bytes >= 0 && From && Target.Object)
    Evaluator.State.storeRecord(Target, *Bytes,
                                Evaluator.State.loadRecord(*From, *Bytes));
  else if (Name == "memset" && Bytes && Fill && *Fill == 0 && !Type.isNull() &&
           Type->isRecordType() &&
           sizeOf(Evaluator.context(), Type) == static_cast<uint64_t>(*Bytes)) {
    ImplicitValueInitExpr Zero(Type);
    Evaluator.construct(Target, &Zero, Type);
  } else
    Evaluator.State.forget(Target.Object);
  return Evaluator.evaluate(Arguments[0]);
}

/// std::copy from and to plain memory: what constructors of tensor views copy
/// their sizes and strides with.
std::optional<Value> RuntimeCall::runCopy() {
  if (Name != "copy" || Arguments.size() != 3 || !Callee->isInStdNamespace() ||
      !Arguments[0]->getType()->isPointerType() ||
      !Arguments[2]->getType()->isPointerType())
    return std::nullopt;
  const Value First = Evaluator.evaluate(Arguments[0]);
  const Value Last = Evaluator.evaluate(Arguments[1]);
  const Value Target = Evaluator.evaluate(Arguments[2]);
  const Address *From = First.getAddress(), *End = Last.getAddress(),
                *To = Target.getAddress();
  if (!To || !To->Object)
    return Value();
  // Elements of another type are converted, which is not a copy of bytes.
  const bool AreAlike = Evaluator.context().hasSameUnqualifiedType(
      Arguments[0]->getType()->getPointeeType(),
      Arguments[2]->getType()->getPointeeType());
  if (!AreAlike || !From || !End || From->Object != End->Object ||
      !From->Object || !From->Offset || !End->Offset ||
      *End->Offset < *From->Offset || (First.Doubts | Last.Doubts)) {
    Evaluator.State.forget(To->Object);
    return Value();
  }
  const uint64_t Bytes = uint64_t(*End->Offset - *From->Offset);
  Evaluator.State.storeRecord(*To, Bytes,
                              Evaluator.State.loadRecord(*From, Bytes));
  return Value(To->advance(Bytes), Target.Doubts);
}

/// Copies to the device: shapes and strides are what kernels look up there.
std::optional<Value> RuntimeCall::runTransfer() {
  if ((Name != "cudaMemcpy" && Name != "cudaMemcpyAsync") ||
      Arguments.size() < 4)
    return std::nullopt;
  const Value Target = Evaluator.evaluate(Arguments[0]);
  const Value Source = Evaluator.evaluate(Arguments[1]);
  const Value Length = Evaluator.evaluate(Arguments[2]);
  evaluateFrom(3);
  const Address *To = Target.getAddress(), *From = Source.getAddress();
  if (!To)
    return succeed();
  Evaluator.State.forget(To->Object);
  const ObjectId Copied = Evaluator.Objects.copiedTo(To->Object);
  const int64_t *Bytes = Length.getInteger();
  // Of one allocation to another kernels may have had a hand in it.
  if (From && From->Object && !Evaluator.Objects.copiedTo(From->Object) &&
      Bytes && *Bytes >= 0 && *Bytes <= MostTableBytes && To->Offset &&
      !(Target.Doubts | Source.Doubts | Length.Doubts))
    Evaluator.State.storeRecord({Copied, To->Offset}, uint64_t(*Bytes),
                                Evaluator.State.loadRecord(*From, *Bytes));
  else
    Evaluator.State.forget(Copied);
  return succeed();
}

std::optional<Value> RuntimeCall::runOtherRuntime() {
  if (!Name.starts_with("cuda"))
    return std::nullopt;
  if (Name == "cudaDeviceEnablePeerAccess" || Name == "cudaMemPoolSetAccess")
    Evaluator.Objects.connectPeers();
  if (Name == "cudaSetDevice" && Arguments.size() == 1) {
    Evaluator.store(Evaluator.Objects.currentDevice(),
                    Evaluator.context().IntTy,
                    Evaluator.evaluate(Arguments[0]));
    return succeed();
  }
  for (size_t I = 0; I < Arguments.size(); ++I) {
    Value V = Arguments[I]->isGLValue() ? Value(Evaluator.locate(Arguments[I]))
                                        : Evaluator.evaluate(Arguments[I]);
    if (I >= Callee->getNumParams())
      continue;
    QualType Type = Callee->getParamDecl(I)->getType();
    const Address *Place = V.getAddress();
    if (Place && (Type->isPointerType() || Type->isReferenceType()) &&
        !Type->getPointeeType().isConstQualified()) {
      Evaluator.State.forget(Place->Object);
      Evaluator.State.forget(Evaluator.Objects.copiedTo(Place->Object));
    }
  }
  // Errors only lead to messages and exits.
  return Callee->getReturnType()->isEnumeralType() ? succeed() : Value();
}

/// std::move() and its relatives, of which Clang makes no bodies.
std::optional<Value> RuntimeCall::runReference() {
  switch (Callee->getBuiltinID()) {
  case Builtin::BIas_const:
  case Builtin::BIforward:
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
  case Builtin::BIaddressof:
  case Builtin::BI__addressof:
    break;
  default:
    return std::nullopt;
  }
  if (Arguments.size() != 1)
    return std::nullopt;
  const Address Place = Evaluator.locate(Arguments[0]);
  return Place.Object ? Value(Place) : Value();
}

std::optional<Value> RuntimeCall::run() {
  if (auto V = runReference())
    return V;
  if (auto V = runAllocation())
    return V;
  if (auto V = runQuery())
    return V;
  if (auto V = runMemory())
    return V;
  if (auto V = runCopy())
    return V;
  if (auto V = modelVectorSwap(Evaluator, Callee, Arguments))
    return V;
  if (auto V = modelStringCall(Evaluator, Name, Arguments))
    return V;
  if (auto V = runTransfer())
    return V;
  if (auto V = runOtherRuntime())
    return V;
  return runMathematics();
}

std::optional<Value> modelCall(HostEvaluator &Evaluator,
                               const FunctionDecl *Callee,
                               llvm::ArrayRef<const Expr *> Arguments) {
  const IdentifierInfo *Name = Callee->getIdentifier();
  if (!Name)
    return std::nullopt;
  return RuntimeCall{Evaluator, Callee, Arguments, Name->getName()}.run();
}

} // namespace warpwise::launch
