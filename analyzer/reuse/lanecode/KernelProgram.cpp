//===- KernelProgram.cpp - A kernel, ready to be traced -------------------===//

#include "analyzer/reuse/lanecode/KernelProgram.h"

#include "analyzer/lowering/DeviceLimits.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/ExpandCalls.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/reuse/lanecode/TracePipeline.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdlib>

using namespace llvm;

namespace warpwise::reuse {
namespace {

/// The names of the arguments that the debug information has.
std::map<unsigned, std::string> argumentNames(const Function &Kernel) {
  std::map<unsigned, std::string> Names;
  auto note = [&](const DILocalVariable *Variable) {
    if (Variable->getArg() != 0 &&
        Variable->getScope()->getSubprogram() == Kernel.getSubprogram())
      Names[Variable->getArg() - 1] = Variable->getName().str();
  };
  for (const Instruction &I : instructions(Kernel)) {
    if (auto *Declare = dyn_cast<DbgVariableIntrinsic>(&I))
      note(Declare->getVariable());
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      note(Record.getVariable());
  }
  return Names;
}

void addPointers(Type *T, uint64_t Offset, const DataLayout &Layout,
                 std::vector<uint64_t> &Into) {
  constexpr uint64_t MostElements = 64;
  if (T->isPointerTy()) {
    Into.push_back(Offset);
  } else if (auto *Struct = dyn_cast<StructType>(T)) {
    for (unsigned N = 0; N != Struct->getNumElements(); ++N)
      addPointers(Struct->getElementType(N),
                  Offset + Layout.getStructLayout(Struct)->getElementOffset(N),
                  Layout, Into);
  } else if (auto *Array = dyn_cast<ArrayType>(T)) {
    const uint64_t Bytes = Layout.getTypeAllocSize(Array->getElementType());
    for (uint64_t N = 0; N < std::min(Array->getNumElements(), MostElements);
         ++N)
      addPointers(Array->getElementType(), Offset + N * Bytes, Layout, Into);
  }
}

void noteElements(const Function &Kernel, std::vector<Parameter> &Parameters) {
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  std::set<unsigned> Seen;
  for (const Instruction &I : instructions(Kernel)) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    auto *Formal =
        Pointer ? dyn_cast<Argument>(getUnderlyingObject(Pointer, 0)) : nullptr;
    if (!Formal || !Seen.insert(Formal->getArgNo()).second)
      continue;
    Type *T = getLoadStoreType(const_cast<Instruction *>(&I))->getScalarType();
    Parameter &P = Parameters[Formal->getArgNo()];
    P.ElementBytes = unsigned(Layout.getTypeStoreSize(T).getFixedValue());
    P.ElementsAreReal = T->isFloatTy() || T->isDoubleTy();
  }
}

} // namespace

std::string plainName(StringRef Mangled) {
  const std::string Whole = Mangled.str();
  ItaniumPartialDemangler Demangler; // refers to the text
  if (Demangler.partialDemangle(Whole.c_str()) || !Demangler.isFunction())
    return Whole;
  size_t Size = 0;
  char *Name = Demangler.getFunctionName(nullptr, &Size);
  const std::string Plain = Name ? Name : Whole;
  std::free(Name);
  return Plain;
}

std::vector<Parameter> parametersOf(const Module &M, StringRef Name) {
  const Function &Kernel = *M.getFunction(Name);
  const DataLayout &Layout = M.getDataLayout();
  const std::map<unsigned, std::string> Names = argumentNames(Kernel);
  std::vector<Parameter> Parameters;
  for (const Argument &Formal : Kernel.args()) {
    Parameter &P = Parameters.emplace_back();
    auto Known = Names.find(Formal.getArgNo());
    P.Name = Known != Names.end() ? Known->second
             : Formal.hasName()
                 ? Formal.getName().str()
                 : "argument " + std::to_string(Formal.getArgNo() + 1);
    Type *T =
        Formal.hasByValAttr() ? Formal.getParamByValType() : Formal.getType();
    P.Bytes = Layout.getTypeAllocSize(T);
    P.What = Formal.hasByValAttr() || T->isAggregateType()
                 ? Parameter::Kind::Struct
             : T->isPointerTy()       ? Parameter::Kind::Pointer
             : T->isFloatingPointTy() ? Parameter::Kind::Real
                                      : Parameter::Kind::Integer;
    if (P.What == Parameter::Kind::Struct)
      addPointers(T, 0, Layout, P.PointerOffsets);
  }
  return Parameters;
}

Expected<std::unique_ptr<KernelProgram>>
KernelProgram::compile(const Module &M, StringRef Kernel,
                       TargetMachine &Machine) {
  auto Made = std::make_unique<KernelProgram>();
  Made->Kernel = Kernel.str();
  Made->PlainName = plainName(Kernel);
  const Function *Given = M.getFunction(Kernel);
  if (const std::string What = Given ? lowering::exceedsDevice(*Given) : "";
      !What.empty())
    return createStringError(inconvertibleErrorCode(), "kernel '%s': %s",
                             Made->PlainName.c_str(), What.c_str());
  const std::unique_ptr<Module> Optimised =
      optimiseForTrace(M, Kernel, Machine);
  if (!Optimised)
    return createStringError(inconvertibleErrorCode(), "no kernel '%s'",
                             Made->PlainName.c_str());
  Made->Parameters = parametersOf(M, Kernel);
  noteElements(*Optimised->getFunction(Kernel), Made->Parameters);
  Made->StaticSharedBytes =
      lowering::staticSharedBytes(*Optimised->getFunction(Kernel));
  AddressSlice Slice = sliceKernel(*Optimised, Kernel);
  if (!Slice.UnknownCall.empty()) {
    const Function *Called = M.getFunction(Slice.UnknownCall);
    return createStringError(
        inconvertibleErrorCode(),
        "kernel '%s': addresses depend on a call of '%s', which is not "
        "modelled%s",
        Made->PlainName.c_str(), demangle(Slice.UnknownCall).c_str(),
        // All that could be inlined has been.
        Called && !Called->isDeclaration() ? " because it calls itself" : "");
  }
  if (const std::string What =
          lowering::unknownMemoryCall(*Optimised->getFunction(Kernel));
      !What.empty())
    return createStringError(inconvertibleErrorCode(),
                             "kernel '%s': the accesses of %s are not modelled",
                             Made->PlainName.c_str(), What.c_str());
  Made->Read = Slice.Read;
  Made->Written = Slice.Written;
  Made->FirstLoad = Slice.FirstLoad;
  Made->NeedsOthers = Slice.NeedsOthers;
  Made->WritesMemory = Slice.WritesMemory;
  Made->FrameBytes = Slice.FrameBytes;
  Expected<LaneCode> Lanes = LaneCode::compile(std::move(Slice), Kernel);
  if (!Lanes)
    return Lanes.takeError();
  Made->Lanes = std::move(*Lanes);
  Expected<orc::ThreadSafeModule> Whole = moveAway(*Optimised);
  if (!Whole)
    return Whole.takeError();
  Made->Whole = std::make_unique<orc::ThreadSafeModule>(std::move(*Whole));
  return std::move(Made);
}

void KernelProgram::setResources(const nvcc::KernelResources &Known) {
  RegistersPerThread = Known.Registers;
  HasLocalMemory = Known.StackBytes != 0;
  for (StreamPoint &P : Lanes.Points)
    P.InRegister = P.Private && !HasLocalMemory;
}

Expected<execution::HostKernels &> KernelProgram::hostKernels() {
  if (Compiled)
    return *Compiled;
  orc::ThreadSafeContext Context = Whole->getContext();
  std::unique_ptr<Module> Copy =
      Whole->withModuleDo([](Module &M) { return CloneModule(M); });
  execution::Wishes Wanted;
  Wanted.LocalMemory = LocalArray.str();
  Expected<execution::HostKernels> Made = execution::HostKernels::compile(
      std::move(Copy), std::move(Context), Wanted);
  if (!Made)
    return Made.takeError();
  Compiled = std::move(*Made);
  return *Compiled;
}

} // namespace warpwise::reuse
