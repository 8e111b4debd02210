//===- KernelKey.cpp - What the evaluation of a kernel rests on -----------===//

#include "analyzer/pipeline/KernelKey.h"

#include "analyzer/lowering/LaunchBounds.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/lowering/UserLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/BLAKE3.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::pipeline {
namespace {

/// Writes IR down. What has been written once is a number from then on.
class IrWriter {
public:
  IrWriter(Packer &Out, const DebugNames &Names,
           const std::vector<DeclaredArray> &Arrays)
      : Out(Out), Names(Names), Arrays(Arrays) {}

  /// There was something that cannot be written down.
  bool Failed = false;

  /// \p F and all functions that it may lead to.
  void functions(const Function &F) {
    constant(F);
    while (!Bodies.empty())
      body(*Bodies.pop_back_val());
  }

private:
  Packer &Out;
  const DebugNames &Names;
  const std::vector<DeclaredArray> &Arrays;
  DenseMap<const void *, unsigned> Seen;    ///< types, constants, metadata ...
  DenseMap<const Value *, unsigned> Locals; ///< of the function
  DenseMap<const DIFile *, std::string> Paths;
  SmallVector<const Function *, 4> Bodies; ///< that are still to be written

  /// Whether \p What has to be written after its number.
  bool isNew(const void *What) {
    const auto [Entry, IsNew] = Seen.try_emplace(What, Seen.size());
    Out.number(Entry->second);
    return IsNew;
  }

  void number(const APInt &N) {
    Out.number(N.getBitWidth());
    for (unsigned W = 0; W != N.getNumWords(); ++W)
      Out.number(N.getRawData()[W]);
  }

  void type(const Type *T) {
    if (!isNew(T))
      return;
    Out.number(T->getTypeID());
    Out.number(T->getNumContainedTypes());
    for (const Type *Part : T->subtypes())
      type(Part);
    if (const auto *Integer = dyn_cast<IntegerType>(T))
      Out.number(Integer->getBitWidth());
    else if (const auto *Pointer = dyn_cast<PointerType>(T))
      Out.number(Pointer->getAddressSpace());
    else if (const auto *Array = dyn_cast<ArrayType>(T))
      Out.number(Array->getNumElements());
    else if (const auto *Vector = dyn_cast<FixedVectorType>(T))
      Out.number(Vector->getNumElements());
    else if (const auto *Callee = dyn_cast<FunctionType>(T))
      Out.number(Callee->isVarArg());
    else if (const auto *Struct = dyn_cast<StructType>(T))
      Out(Struct->isPacked(), Struct->isOpaque());
    else if (isa<TargetExtType>(T))
      Failed = true;
  }

  void attributes(const AttributeList &All) {
    if (!isNew(All.getRawPointer()))
      return;
    for (const unsigned Index : All.indexes()) {
      Out.number(Index);
      Out.number(All.getAttributes(Index).getNumAttributes());
      for (const Attribute &One : All.getAttributes(Index)) {
        if (One.isStringAttribute()) {
          Out.number(0);
          Out.text(One.getKindAsString());
          Out.text(One.getValueAsString());
          continue;
        }
        Out.number(1 + unsigned(One.getKindAsEnum()));
        if (One.isIntAttribute())
          Out.number(One.getValueAsInt());
        else if (One.isTypeAttribute() && One.getValueAsType())
          type(One.getValueAsType());
        else if (!One.isEnumAttribute())
          Out.text(One.getAsString());
      }
    }
  }

  void variable(const GlobalVariable &V) {
    Out.text(V.getName());
    type(V.getValueType());
    Out(V.getAddressSpace(), unsigned(V.getLinkage()), V.isConstant(),
        V.hasInitializer(), V.getAlign().valueOrOne().value(),
        V.isExternallyInitialized());
    if (V.hasInitializer())
      constant(*V.getInitializer());
    std::string Name;
    access::Element Of;
    Names.name(&V, Name, Of);
    const Place Declared = Names.declared(&V);
    Out(Name, Of, Declared, any_of(Arrays, [&](const DeclaredArray &A) {
          return A.Where == Declared && A.Name == Name;
        }));
  }

  void constant(const Constant &C) {
    if (!isNew(&C))
      return;
    Out.number(C.getValueID());
    type(C.getType());
    if (const auto *F = dyn_cast<Function>(&C)) {
      Out.text(F->getName());
      type(F->getFunctionType());
      attributes(F->getAttributes());
      Out(F->isDeclaration(), unsigned(F->getLinkage()), F->getCallingConv(),
          unsigned(F->getIntrinsicID()));
      if (!F->isDeclaration())
        Bodies.push_back(F);
    } else if (const auto *V = dyn_cast<GlobalVariable>(&C)) {
      variable(*V);
    } else if (const auto *Integer = dyn_cast<ConstantInt>(&C)) {
      number(Integer->getValue());
    } else if (const auto *Real = dyn_cast<ConstantFP>(&C)) {
      number(Real->getValueAPF().bitcastToAPInt());
    } else if (const auto *Data = dyn_cast<ConstantDataSequential>(&C)) {
      Out.text(Data->getRawDataValues());
    } else if (isa<ConstantAggregate, ConstantExpr>(C)) {
      if (const auto *Expression = dyn_cast<ConstantExpr>(&C)) {
        Out(Expression->getOpcode(), Expression->getRawSubclassOptionalData());
        if (const auto *Gep = dyn_cast<GEPOperator>(Expression)) {
          type(Gep->getSourceElementType());
          const auto Range = Gep->getInRange();
          Out(Range.has_value());
          if (Range) {
            number(Range->getLower());
            number(Range->getUpper());
          }
        }
      }
      Out.number(C.getNumOperands());
      for (const Use &Part : C.operands())
        constant(*cast<Constant>(Part.get()));
    } else if (!isa<ConstantAggregateZero, ConstantPointerNull, UndefValue,
                    ConstantTokenNone>(C)) {
      Failed = true; // an alias, the address of a label ...
    }
  }

  void value(const Value *V) {
    if (const auto *Known = dyn_cast<Constant>(V)) {
      Out.number(0);
      constant(*Known);
    } else if (const auto *Wrapped = dyn_cast<MetadataAsValue>(V)) {
      Out.number(1);
      metadata(Wrapped->getMetadata());
    } else if (const auto *Assembly = dyn_cast<InlineAsm>(V)) {
      Out.number(2);
      Out.text(Assembly->getAsmString());
      Out.text(Assembly->getConstraintString());
      Out(Assembly->hasSideEffects(), Assembly->isAlignStack(),
          unsigned(Assembly->getDialect()), Assembly->canThrow());
    } else {
      const auto Local = Locals.find(V);
      Failed |= Local == Locals.end();
      Out.number(3 + (Local == Locals.end() ? 0 : Local->second));
    }
  }

  const std::string &pathOf(const DIFile *File) {
    const auto [Entry, IsNew] = Paths.try_emplace(File);
    if (IsNew)
      Entry->second = lowering::pathOf(File);
    return Entry->second;
  }

  void location(const DILocation *At) {
    if (!isNew(At) || !At)
      return;
    const std::string &Path = pathOf(At->getFile());
    Out.place(Path, At->getLine(), At->getColumn());
    const DISubprogram *In = At->getScope()->getSubprogram();
    Out.text(In ? In->getName() : "");
    Out(At->getLine() == 0, Names.isUsers(Path));
    // Where it is said to be instead.
    access::Access Said;
    Names.locate(At, Said);
    Out(Said.Where, Said.MergedWith, Said.InLibrary);
    location(At->getInlinedAt());
  }

  void metadata(const Metadata *M) {
    if (!isNew(M) || !M)
      return;
    Out.number(M->getMetadataID());
    if (const auto *Text = dyn_cast<MDString>(M)) {
      Out.text(Text->getString());
    } else if (const auto *Value = dyn_cast<ValueAsMetadata>(M)) {
      value(Value->getValue());
    } else if (const auto *At = dyn_cast<DILocation>(M)) {
      location(At);
    } else if (const auto *Variable = dyn_cast<DILocalVariable>(M)) {
      Out.text(Variable->getName());
      Out.place(pathOf(Variable->getFile()), Variable->getLine(), 0);
      Out(Variable->getArg(), Names.elementOf(Variable->getType()));
    } else if (const auto *Expression = dyn_cast<DIExpression>(M)) {
      Out.number(Expression->getNumElements());
      for (const uint64_t Element : Expression->getElements())
        Out.number(Element);
    } else if (const auto *List = dyn_cast<DIArgList>(M)) {
      Out.number(List->getArgs().size());
      for (const ValueAsMetadata *One : List->getArgs())
        metadata(One);
    } else if (const auto *Node = dyn_cast<MDTuple>(M)) {
      Out(Node->isDistinct(), Node->getNumOperands());
      for (const MDOperand &Operand : Node->operands())
        metadata(Operand.get());
    } else {
      Failed = true;
    }
  }

  void record(const DbgRecord &Record) {
    location(Record.getDebugLoc().get());
    const auto *Of = dyn_cast<DbgVariableRecord>(&Record);
    Out(Of != nullptr);
    if (!Of)
      return; // a label
    Out.number(unsigned(Of->getType()));
    metadata(Of->getRawLocation());
    metadata(Of->getVariable());
    metadata(Of->getExpression());
    Failed |= Of->isDbgAssign();
  }

  /// What two instructions of the same kind may differ in, besides operands.
  void special(const Instruction &I) {
    if (const auto *A = dyn_cast<AllocaInst>(&I)) {
      type(A->getAllocatedType());
      Out(A->getAlign().value());
    } else if (const auto *L = dyn_cast<LoadInst>(&I)) {
      Out(L->getAlign().value(), L->isVolatile(), unsigned(L->getOrdering()),
          L->getSyncScopeID());
    } else if (const auto *S = dyn_cast<StoreInst>(&I)) {
      Out(S->getAlign().value(), S->isVolatile(), unsigned(S->getOrdering()),
          S->getSyncScopeID());
    } else if (const auto *G = dyn_cast<GetElementPtrInst>(&I)) {
      type(G->getSourceElementType());
    } else if (const auto *C = dyn_cast<CmpInst>(&I)) {
      Out(unsigned(C->getPredicate()));
    } else if (const auto *Call = dyn_cast<CallInst>(&I)) {
      type(Call->getFunctionType());
      attributes(Call->getAttributes());
      Out(Call->getCallingConv(), unsigned(Call->getTailCallKind()));
      Failed |= Call->hasOperandBundles();
    } else if (const auto *E = dyn_cast<ExtractValueInst>(&I)) {
      for (const unsigned Index : E->indices())
        Out.number(Index);
    } else if (const auto *N = dyn_cast<InsertValueInst>(&I)) {
      for (const unsigned Index : N->indices())
        Out.number(Index);
    } else if (const auto *V = dyn_cast<ShuffleVectorInst>(&I)) {
      Out.number(V->getShuffleMask().size());
      for (const int Lane : V->getShuffleMask())
        Out(Lane);
    } else if (const auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Out(X->getAlign().value(), X->isVolatile(), X->isWeak(),
          unsigned(X->getSuccessOrdering()), unsigned(X->getFailureOrdering()),
          X->getSyncScopeID());
    } else if (const auto *R = dyn_cast<AtomicRMWInst>(&I)) {
      Out(R->getAlign().value(), R->isVolatile(), unsigned(R->getOperation()),
          unsigned(R->getOrdering()), R->getSyncScopeID());
    } else if (const auto *F = dyn_cast<FenceInst>(&I)) {
      Out(unsigned(F->getOrdering()), F->getSyncScopeID());
    } else if (const auto *Phi = dyn_cast<PHINode>(&I)) {
      for (const BasicBlock *From : Phi->blocks())
        value(From);
    } else {
      // All others are what their operands make of them.
      Failed |= !isa<UnaryOperator, BinaryOperator, CastInst, SelectInst,
                     BranchInst, SwitchInst, ReturnInst, UnreachableInst,
                     FreezeInst, ExtractElementInst, InsertElementInst>(I);
    }
  }

  void instruction(const Instruction &I) {
    for (const DbgRecord &Record : I.getDbgRecordRange())
      record(Record);
    Out(I.getOpcode(), I.getRawSubclassOptionalData(), I.getNumOperands());
    type(I.getType());
    Out.text(I.getName());
    for (const Use &Operand : I.operands())
      value(Operand.get());
    special(I);
    location(I.getDebugLoc().get());
    SmallVector<std::pair<unsigned, MDNode *>, 4> Attached;
    I.getAllMetadataOtherThanDebugLoc(Attached);
    Out.number(Attached.size());
    for (const auto &[Kind, Node] : Attached) {
      Out.number(Kind);
      metadata(Node);
    }
  }

  void body(const Function &F) {
    Locals.clear();
    const auto add = [&](const Value &V) { Locals[&V] = Locals.size(); };
    for (const Argument &A : F.args()) {
      add(A);
      std::string Name;
      access::Element Of;
      Names.name(&A, Name, Of);
      Out(Name, Of);
    }
    for (const BasicBlock &B : F) {
      add(B);
      for (const Instruction &I : B)
        add(I);
    }
    Out(Names.placeOf(F));
    const DISubprogram *Program = F.getSubprogram();
    Out.text(Program ? Program->getName() : "");
    Out.number(F.size());
    for (const BasicBlock &B : F) {
      Out.number(B.size());
      for (const Instruction &I : B)
        instruction(I);
    }
  }
};

/// What is known of the places but for the lines of their code: which of them
/// share one, and which comes first.
void addPlaces(const PlaceTable &Table, Packer &Out) {
  const std::vector<Place> &All = Table.all();
  std::vector<unsigned> Order(All.size());
  for (unsigned N = 0; N != All.size(); ++N)
    Order[N] = N;
  llvm::sort(Order, [&](unsigned A, unsigned B) { return All[A] < All[B]; });
  const Place *Before = nullptr;
  Out.number(All.size());
  for (const unsigned N : Order) {
    const Place &Now = All[N];
    const bool IsFile = Before && Before->File == Now.File;
    Out.number(N);
    Out.number(IsFile);
    if (!IsFile)
      Out.text(Now.File);
    Out.number(IsFile && Before->Line == Now.Line);
    Out.number(Now.Line == 0);
    Out.number(Now.Column);
    Before = &Now;
  }
}

} // namespace

std::optional<KernelKey> keyOf(const KernelQuestion &Asked) {
  KernelKey Key;
  Packer Out(Key.Places, /*AddsPlaces=*/true);
  IrWriter Ir(Out, Asked.Names, Asked.Arrays);
  Ir.functions(Asked.Kernel);
  if (Ir.Failed)
    return std::nullopt;
  const lowering::LaunchBounds Bounds = lowering::launchBoundsOf(Asked.Kernel);
  Out(Bounds.Threads, Bounds.Blocks, lowering::staticSharedBytes(Asked.Kernel),
      Asked.Law, Asked.Launches.Override, Asked.Launches.MaxThreads,
      Asked.Arguments, Asked.Contents, Asked.Written, Asked.HasNvcc,
      Asked.Budget);
  Out.number(Asked.Launches.Launches.size());
  for (const launch::Launch *L : Asked.Launches.Launches)
    Out(*L);
  addPlaces(Key.Places, Out);
  Key.Digest = BLAKE3::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(Out.Bytes.data()), Out.Bytes.size()));
  return Key;
}

} // namespace warpwise::pipeline
