//===- VectorLoads.cpp - Loads as wide as nvcc makes them -----------------===//

#include "analyzer/lowering/VectorLoads.h"

#include "analyzer/lowering/DebugTypes.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;

namespace warpwise::lowering {
namespace {

constexpr unsigned MostMembers = 4; // ld.v4
constexpr unsigned WordBytes = 4;
/// What tells which cache a load goes through.
constexpr unsigned KeptMetadata[] = {LLVMContext::MD_invariant_load,
                                     LLVMContext::MD_nontemporal};

/// Loads of members of the same size through one pointer.
struct Members {
  struct Member {
    int64_t Offset;
    LoadInst *Load;
  };
  SmallVector<Member, 8> Loads;
};

/// The members of the vector of \p Bytes each that begins at \p Start, bit by
/// bit.
unsigned maskOf(const Members &M, int64_t Start, unsigned Bytes) {
  unsigned Mask = 0;
  for (const Members::Member &Each : M.Loads)
    if (Each.Offset >= Start &&
        Each.Offset < Start + int64_t(MostMembers) * Bytes)
      Mask |= 1u << (Each.Offset - Start) / Bytes;
  return Mask;
}

void completeVectors(const Members &M, unsigned Bytes) {
  const unsigned Whole = MostMembers * Bytes;
  SmallVector<int64_t, 4> Seen;
  for (const auto &[Offset, Load] : M.Loads) {
    if (Load->getAlign() < Bytes || Load->getAlign() < Whole)
      continue; // where the vector begins is not known
    if (is_contained(Seen, Offset))
      continue;
    Seen.push_back(Offset);
    const unsigned Mask = maskOf(M, Offset, Bytes);
    // One or two words would be loaded by themselves all the same.
    const int Used = popcount(Mask);
    if (Used == MostMembers || Used < (Bytes == WordBytes ? 3 : 2))
      continue;
    IRBuilder<> Builder(Load->getNextNode());
    Builder.SetCurrentDebugLocation(Load->getDebugLoc());
    for (unsigned N = 0; N != MostMembers; ++N)
      if (!(Mask >> N & 1))
        Builder.CreateAlignedLoad(
            Load->getType(),
            Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                               Load->getPointerOperand(),
                                               uint64_t(N) * Bytes),
            commonAlignment(Load->getAlign(), uint64_t(N) * Bytes));
  }
}

/// The elements that are used; nothing when the vector is used as a whole.
std::optional<unsigned>
usedElements(const LoadInst &Load,
             SmallVectorImpl<ExtractElementInst *> &Extracts) {
  unsigned Used = 0;
  for (const User *U : Load.users()) {
    auto *Extract =
        const_cast<ExtractElementInst *>(dyn_cast<ExtractElementInst>(U));
    auto *Index =
        Extract ? dyn_cast<ConstantInt>(Extract->getIndexOperand()) : nullptr;
    if (!Index || Index->getZExtValue() >= 32)
      return std::nullopt;
    Used |= 1u << Index->getZExtValue();
    Extracts.push_back(Extract);
  }
  return Used;
}

/// The parts that are loaded of a vector of \p Count elements of \p Bytes: of
/// each, the first element and how many. Empty for the whole.
SmallVector<std::pair<unsigned, unsigned>, 2>
partsOf(unsigned Used, unsigned Count, unsigned Bytes) {
  const unsigned First = countr_zero(Used), Last = 31 - countl_zero(Used);
  if (First == Last)
    return {{First, 1}};
  if (Bytes >= WordBytes && popcount(Used) == 2) {
    if (Last == First + 1 && First % 2 == 0)
      return Count == 2
                 ? SmallVector<std::pair<unsigned, unsigned>, 2>()
                 : SmallVector<std::pair<unsigned, unsigned>, 2>{{First, 2}};
    return {{First, 1}, {Last, 1}};
  }
  // Smaller members: the smallest part with all of them.
  for (unsigned Size = 2; Bytes < WordBytes && Size < Count; Size *= 2)
    if (First / Size == Last / Size)
      return {{First / Size * Size, Size}};
  return {};
}

/// The bytes that \p U takes of the integer that is loaded: first and how many.
std::optional<std::pair<unsigned, unsigned>> bytesTaken(const User *U) {
  unsigned Shift = 0, Bits = U->getType()->getScalarSizeInBits();
  const APInt *Number = nullptr;
  const Value *Loaded = nullptr;
  using namespace PatternMatch;
  if (match(U, m_LShr(m_Value(Loaded), m_APInt(Number)))) {
    Shift = unsigned(Number->getLimitedValue(Bits));
    Bits -= Shift; // what else is needed decides who uses that
    if (U->hasOneUse() && !Number->isZero())
      if (const auto Further = bytesTaken(*U->user_begin());
          Further && Further->first == 0)
        Bits = std::min(Bits, Further->second * 8);
  } else if (match(U, m_And(m_Value(Loaded), m_APInt(Number)))) {
    if (!Number->isMask())
      return std::nullopt;
    Bits = Number->countr_one();
  } else if (!isa<TruncInst>(U)) {
    return std::nullopt;
  }
  if (Shift % 8 != 0 || Bits % 8 != 0 || Bits == 0)
    return std::nullopt;
  return std::pair(Shift / 8, Bits / 8);
}

/// unsigned char X = P[I].x, where all four members came in one word.
void narrowWord(LoadInst &Load) {
  std::optional<std::pair<unsigned, unsigned>> Taken;
  for (const User *U : Load.users()) {
    const auto This = bytesTaken(U);
    if (!This || Taken.value_or(*This) != *This)
      return;
    Taken = This;
  }
  const unsigned Bits = Load.getType()->getIntegerBitWidth();
  if (!Taken || Taken->second >= Bits / 8 || !isPowerOf2_32(Taken->second) ||
      Taken->first % Taken->second != 0)
    return;
  IRBuilder<> Builder(&Load);
  LoadInst *Part = Builder.CreateAlignedLoad(
      Builder.getIntNTy(Taken->second * 8),
      Builder.CreateConstInBoundsGEP1_64(
          Builder.getInt8Ty(), Load.getPointerOperand(), Taken->first),
      commonAlignment(Load.getAlign(), Taken->first));
  Part->copyMetadata(Load, KeptMetadata);
  Load.replaceAllUsesWith(Builder.CreateShl(
      Builder.CreateZExt(Part, Load.getType()), uint64_t(Taken->first) * 8));
  Load.eraseFromParent();
}

/// Whether \p A points to numbers, not to classes of some.
bool pointsToNumbers(const Argument &A) {
  const DISubprogram *Of = A.getParent()->getSubprogram();
  const DISubroutineType *Type = Of ? Of->getType() : nullptr;
  // The first one is what the function returns.
  if (!Type || A.getArgNo() + 1 >= Type->getTypeArray().size())
    return false;
  const auto *Pointer = dyn_cast_or_null<DIDerivedType>(
      plainType(Type->getTypeArray()[A.getArgNo() + 1]));
  return Pointer && Pointer->getTag() == dwarf::DW_TAG_pointer_type &&
         isa_and_nonnull<DIBasicType>(plainType(Pointer->getBaseType()));
}

/// Whether nvcc leaves a word whole since it comes by way of the read-only
/// cache: ld.global.nc.u32 for A[I] & 255, where it is ld.global.u8 if A may
/// change. Of a class it loads members to begin with. (Read off PTX of nvcc
/// 13.)
bool isLeftWhole(const LoadInst &Load,
                 const SmallPtrSetImpl<const Value *> &Stored) {
  const auto *Of =
      dyn_cast_or_null<Argument>(objectOf(Load.getPointerOperand()).Object);
  return Of && Of->hasNoAliasAttr() && !Stored.contains(Of) &&
         pointsToNumbers(*Of);
}

void narrow(LoadInst &Load, const SmallPtrSetImpl<const Value *> &Stored) {
  if (!Load.isSimple() || isOfThread(Load.getPointerOperand()))
    return;
  if (Load.getType()->isIntegerTy(WordBytes * 8)) {
    if (!isLeftWhole(Load, Stored))
      narrowWord(Load);
    return;
  }
  auto *Vector = dyn_cast<FixedVectorType>(Load.getType());
  if (!Vector)
    return;
  const unsigned Bits = Vector->getScalarSizeInBits();
  const unsigned Count = Vector->getNumElements();
  SmallVector<ExtractElementInst *, 8> Extracts;
  const std::optional<unsigned> Used = usedElements(Load, Extracts);
  if (!Used || *Used == 0 || Bits % 8 != 0 || Count > 32)
    return;
  const auto Parts = partsOf(*Used, Count, Bits / 8);
  if (Parts.empty())
    return;
  IRBuilder<> Builder(&Load);
  Type *Element = Vector->getElementType();
  for (const auto &[First, Size] : Parts) {
    const uint64_t Offset = uint64_t(First) * (Bits / 8);
    Value *At = Builder.CreateConstInBoundsGEP1_64(
        Builder.getInt8Ty(), Load.getPointerOperand(), Offset);
    LoadInst *Part = Builder.CreateAlignedLoad(
        Size == 1 ? Element : FixedVectorType::get(Element, Size), At,
        commonAlignment(Load.getAlign(), Offset));
    Part->copyMetadata(Load, KeptMetadata);
    for (ExtractElementInst *&Extract : Extracts) {
      if (!Extract)
        continue;
      const uint64_t Index =
          cast<ConstantInt>(Extract->getIndexOperand())->getZExtValue();
      if (Index < First || Index >= First + Size)
        continue;
      if (Size == 1) {
        Extract->replaceAllUsesWith(Part);
        Extract->eraseFromParent();
      } else {
        Extract->setOperand(0, Part);
        Extract->setOperand(1, Builder.getInt64(Index - First));
      }
      Extract = nullptr;
    }
  }
  Load.eraseFromParent();
}

} // namespace

void loadMissingMembers(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (BasicBlock &Block : F) {
    MapVector<std::pair<const Value *, unsigned>, Members> ByPointer;
    for (Instruction &I : Block) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || Load->getType()->isVectorTy() ||
          Load->hasMetadata(LLVMContext::MD_nontemporal) ||
          Load->getType()->isAggregateType() ||
          isOfThread(Load->getPointerOperand()))
        continue;
      const auto Bytes =
          unsigned(Layout.getTypeStoreSize(Load->getType()).getFixedValue());
      if (Bytes > WordBytes || !isPowerOf2_32(Bytes))
        continue;
      APInt Offset(Layout.getIndexTypeSizeInBits(Load->getPointerOperandType()),
                   0);
      const Value *Base =
          Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
              Layout, Offset, /*AllowNonInbounds=*/true);
      ByPointer[{Base, Bytes}].Loads.push_back({Offset.getSExtValue(), Load});
    }
    for (const auto &[Key, M] : ByPointer)
      completeVectors(M, Key.second);
  }
}

void loadWhatIsUsed(Function &F) {
  SmallVector<LoadInst *, 16> Loads;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Loads.push_back(Load);
  const auto Stored = storedObjects(F);
  for (LoadInst *Load : Loads)
    narrow(*Load, Stored);
}

} // namespace warpwise::lowering
