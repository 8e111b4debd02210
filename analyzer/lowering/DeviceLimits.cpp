//===- DeviceLimits.cpp - What no GPU has room for ------------------------===//

#include "analyzer/lowering/DeviceLimits.h"

#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/StaticShared.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// CUDA C++ programming guide, "technical specifications per compute
/// capability": local memory of a thread. Of the shared memory of a block the
/// next power of two above any architecture's.
constexpr uint64_t MostPrivateBytes = 512 << 10, MostSharedBytes = 256 << 10;

/// CUDA's widest vectors have 32 bytes. Values of thousands of elements take
/// compilers gigabytes.
constexpr uint64_t MostValueBits = 4096;
constexpr unsigned MostIntegerBits = 128;

bool isTooWide(const Type *T) {
  if (auto *Vector = dyn_cast<VectorType>(T))
    return isTooWide(Vector->getElementType()) ||
           T->getPrimitiveSizeInBits().getKnownMinValue() > MostValueBits;
  if (T->isIntegerTy())
    return T->getIntegerBitWidth() > MostIntegerBits;
  return (T->isStructTy() || T->isArrayTy()) &&
         any_of(T->subtypes(), isTooWide);
}

std::string ofAlloca(const AllocaInst &Slot) {
  const std::optional<TypeSize> Size =
      Slot.getAllocationSize(Slot.getModule()->getDataLayout());
  if (!Size || !isa<ConstantInt>(Slot.getArraySize()))
    return "a private array has a variable size";
  if (Size->getFixedValue() > MostPrivateBytes)
    return fmt::format("a private variable has {} bytes, a thread at most {}",
                       Size->getFixedValue(), MostPrivateBytes);
  return "";
}

/// Instructions of a kernel as Clang emits them, with all that it calls. Of
/// seven public projects whose 1,106 kernels were counted the largest has
/// 39,492 (NiftyReg); four of VanitySearch, of up to 4,313,340, did not fit
/// into 4 GiB. Where between these it stops to fit nobody has measured.
constexpr uint64_t MostInstructions = 1'000'000;

constexpr StringLiteral OversizedMark = "warpwise.instructions";

/// Instructions of each function of \p M once all that it calls is inlined,
/// but for what calls itself.
DenseMap<const Function *, uint64_t> inlinedSizes(Module &M) {
  DenseMap<const Function *, uint64_t> Sizes;
  CallGraph Calls(M);
  // Callees come first.
  for (auto Cycle = scc_begin(&Calls); !Cycle.isAtEnd(); ++Cycle)
    for (const CallGraphNode *Node : *Cycle) {
      const Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      uint64_t Size = F->getInstructionCount();
      for (const auto &[Call, Callee] : *Node)
        Size = SaturatingAdd(Size, Sizes.lookup(Callee->getFunction()));
      Sizes[F] = Size;
    }
  return Sizes;
}

} // namespace

void emptyOversized(Module &M) {
  const auto Sizes = inlinedSizes(M);
  for (Function *Kernel : kernelsOf(M)) {
    const uint64_t Size = Sizes.lookup(Kernel);
    if (Size <= MostInstructions)
      continue;
    DISubprogram *Place = Kernel->getSubprogram();
    Kernel->deleteBody();
    ReturnInst::Create(M.getContext(),
                       BasicBlock::Create(M.getContext(), "", Kernel));
    Kernel->setSubprogram(Place);
    Kernel->addFnAttr(OversizedMark, utostr(Size));
  }
}

std::string exceedsDevice(const Function &Kernel) {
  if (Kernel.hasFnAttribute(OversizedMark))
    return fmt::format(
        "with all that it calls it has {} instructions, and no more than {} "
        "are worked on",
        Kernel.getFnAttribute(OversizedMark).getValueAsString().str(),
        MostInstructions);
  if (const uint64_t Shared = staticSharedBytes(Kernel);
      Shared > MostSharedBytes)
    return fmt::format("the shared variables have {} bytes, a block at most {}",
                       Shared, MostSharedBytes);
  for (const Instruction &I : instructions(Kernel)) {
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      if (std::string Found = ofAlloca(*Slot); !Found.empty())
        return Found;
    if (isTooWide(I.getType()) || any_of(I.operands(), [](const Value *V) {
          return isTooWide(V->getType());
        }))
      return fmt::format("it has vectors of more than {} bits, or integers of "
                         "more than {}",
                         MostValueBits, MostIntegerBits);
  }
  return "";
}

} // namespace warpwise::lowering
