//===- MemoryIntrinsics.cpp - Copies and fills as accesses ----------------===//

#include "analyzer/lowering/MemoryIntrinsics.h"

#include "analyzer/lowering/MemoryInstructions.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// Longer copies become loops: the same accesses, and less to look at.
constexpr uint64_t MostPieces = 64;
constexpr uint64_t MostBytes = 16; // ld.v4.b32
/// Elements of an initialiser that become stores of their own.
constexpr uint64_t MostElements = 1024;

/// How wide nvcc 13 stores the numbers of a private table that it initialises
/// (read off PTX for tables of char, short, int, float and double with 16 to
/// 128 elements): 16 bytes at a time if it is small, 8 bytes if its size allows
/// that, and otherwise each element by itself. 0 stands for the latter.
uint64_t widthOfTableStores(uint64_t Bytes, uint64_t Elements) {
  if (Bytes % MostBytes == 0 && (Elements <= 32 || Bytes <= 64))
    return MostBytes;
  return Bytes % 8 == 0 ? 8 : 0;
}

/// Tables of which nvcc stores each element by itself.
constexpr StringLiteral TableMark = "warpwise.table";

/// Where one side of a copy lies.
enum class Side {
  Private, ///< a variable of the thread, or an argument by value
  Table,   ///< the initial value of such a variable
  Memory   ///< what lanes share, or may share
};

Side sideOf(const Value *Pointer) {
  if (isOfThread(Pointer))
    return Side::Private;
  auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  return Variable && Variable->isConstant() && Variable->hasPrivateLinkage() &&
                 Variable->hasDefinitiveInitializer()
             ? Side::Table
             : Side::Memory;
}

/// The scalars of \p T with their offsets; false when there are too many.
bool listScalars(Type *T, uint64_t Offset, const DataLayout &Layout,
                 SmallVectorImpl<std::pair<uint64_t, Type *>> &Into) {
  if (auto *Struct = dyn_cast<StructType>(T)) {
    for (unsigned N = 0; N != Struct->getNumElements(); ++N)
      if (!listScalars(Struct->getElementType(N),
                       Offset +
                           Layout.getStructLayout(Struct)->getElementOffset(N),
                       Layout, Into))
        return false;
    return true;
  }
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    const uint64_t Bytes = Layout.getTypeAllocSize(Array->getElementType());
    for (uint64_t N = 0; N != Array->getNumElements(); ++N)
      if (!listScalars(Array->getElementType(), Offset + N * Bytes, Layout,
                       Into))
        return false;
    return true;
  }
  Into.emplace_back(Offset, T);
  return Into.size() <= MostElements;
}

/// Rewrites one intrinsic.
class Expander {
  MemIntrinsic &I;
  IRBuilder<> Builder;
  const DataLayout &Layout;
  const bool Volatile;

public:
  explicit Expander(MemIntrinsic &I)
      : I(I), Builder(&I), Layout(I.getModule()->getDataLayout()),
        Volatile(I.isVolatile()) {}

  void run() {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    const Side To = sideOf(I.getRawDest());
    const Side From = Copy ? sideOf(Copy->getRawSource()) : Side::Private;
    if (To == Side::Private && From == Side::Private)
      return;
    if (To == Side::Private && From == Side::Table) {
      storeTable(*Copy);
      return;
    }
    auto *Constant = dyn_cast<ConstantInt>(I.getLength());
    if (Constant && Constant->isZero())
      ; // nothing is moved
    else if (!Constant)
      loopOver(I.getLength(), 1);
    else if (const uint64_t Bytes = Constant->getZExtValue(),
             Width = std::min(widthAt(I.getRawDest(), I.getDestAlign(), To),
                              Copy ? widthAt(Copy->getRawSource(),
                                             Copy->getSourceAlign(), From)
                                   : MostBytes);
             Bytes / Width > MostPieces)
      loopOver(Builder.getInt64(Bytes / Width), Width, Bytes % Width);
    else if (Copy)
      copy(*Copy, Bytes, To, From);
    else
      fill(Bytes, To);
    I.eraseFromParent();
  }

private:
  /// Bytes that one access through \p Pointer can move.
  uint64_t widthAt(Value *Pointer, MaybeAlign Given, Side Where) {
    if (Where == Side::Private)
      return MostBytes;
    const Align Known =
        std::max(Given.valueOrOne(), getKnownAlignment(Pointer, Layout, &I));
    // Members that are volatile are accessed one by one.
    return std::min<uint64_t>(Known.value(), Volatile ? 4 : MostBytes);
  }

  Type *typeOf(uint64_t Bytes) {
    return Bytes <= 4 ? Builder.getIntNTy(unsigned(Bytes * 8))
                      : cast<Type>(FixedVectorType::get(Builder.getInt32Ty(),
                                                        unsigned(Bytes / 4)));
  }

  Value *at(Value *Base, uint64_t Offset) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base,
                                              Offset);
  }

  /// Calls \p Do(offset, bytes) for the accesses that cover \p Length bytes.
  static void forPieces(uint64_t Length, uint64_t Width,
                        function_ref<void(uint64_t, uint64_t)> Do) {
    for (uint64_t Done = 0; Done != Length;) {
      uint64_t Bytes = Width;
      while (Bytes > Length - Done)
        Bytes /= 2;
      Do(Done, Bytes);
      Done += Bytes;
    }
  }

  void copy(MemTransferInst &Copy, uint64_t Length, Side To, Side From) {
    const uint64_t In =
        widthAt(Copy.getRawSource(), Copy.getSourceAlign(), From);
    const uint64_t Out = widthAt(Copy.getRawDest(), Copy.getDestAlign(), To);
    // Private variables take any width, but one that SROA can take apart.
    const uint64_t Loads = From == Side::Private ? Out : In;
    const uint64_t Stores = To == Side::Private ? In : Out;
    SmallVector<Value *, 16> Loaded;
    forPieces(Length, Loads, [&](uint64_t Offset, uint64_t Bytes) {
      Loaded.push_back(Builder.CreateAlignedLoad(
          typeOf(Bytes), at(Copy.getRawSource(), Offset),
          commonAlignment(Align(Loads), Offset), Volatile));
    });
    size_t Next = 0;
    if (Loads != Stores) {
      // Through a variable, which SROA makes shuffles of.
      IRBuilder<> Entry(&*Copy.getFunction()->getEntryBlock().begin());
      AllocaInst *Between =
          Entry.CreateAlloca(ArrayType::get(Builder.getInt8Ty(), Length));
      Between->setAlignment(Align(MostBytes));
      forPieces(Length, Loads, [&](uint64_t Offset, uint64_t Bytes) {
        Builder.CreateAlignedStore(Loaded[Next++], at(Between, Offset),
                                   commonAlignment(Align(Bytes), Offset));
      });
      Loaded.clear();
      Next = 0;
      forPieces(Length, Stores, [&](uint64_t Offset, uint64_t Bytes) {
        Loaded.push_back(
            Builder.CreateAlignedLoad(typeOf(Bytes), at(Between, Offset),
                                      commonAlignment(Align(Bytes), Offset)));
      });
    }
    forPieces(Length, Stores, [&](uint64_t Offset, uint64_t) {
      Builder.CreateAlignedStore(Loaded[Next++], at(Copy.getRawDest(), Offset),
                                 commonAlignment(Align(Stores), Offset),
                                 Volatile);
    });
  }

  /// What a byte makes of a value of \p T.
  Value *repeated(Value *Byte, Type *T) {
    const unsigned Bits = T->getScalarSizeInBits();
    Value *Scalar =
        Builder.CreateMul(Builder.CreateZExt(Byte, Builder.getIntNTy(Bits)),
                          ConstantInt::get(Builder.getIntNTy(Bits),
                                           APInt::getSplat(Bits, APInt(8, 1))));
    auto *Vector = dyn_cast<FixedVectorType>(T);
    return Vector ? Builder.CreateVectorSplat(Vector->getNumElements(), Scalar)
                  : Scalar;
  }

  void fill(uint64_t Length, Side To) {
    const uint64_t Width = widthAt(I.getRawDest(), I.getDestAlign(), To);
    forPieces(Length, Width, [&](uint64_t Offset, uint64_t Bytes) {
      Builder.CreateAlignedStore(
          repeated(cast<MemSetInst>(I).getValue(), typeOf(Bytes)),
          at(I.getRawDest(), Offset), commonAlignment(Align(Width), Offset),
          Volatile);
    });
  }

  /// \p Rounds accesses of \p Width bytes one after the other, and those of the
  /// \p Rest.
  void loopOver(Value *Rounds, uint64_t Width, uint64_t Rest = 0) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    Value *Source = Copy ? Copy->getRawSource() : nullptr;
    const auto access = [&](Value *Offset, uint64_t Bytes) {
      const auto at = [&](Value *Base) {
        return Builder.CreateInBoundsGEP(Builder.getInt8Ty(), Base, Offset);
      };
      Type *T = typeOf(Bytes);
      Value *V = Source ? Builder.CreateAlignedLoad(T, at(Source), Align(Bytes),
                                                    Volatile)
                        : repeated(cast<MemSetInst>(I).getValue(), T);
      Builder.CreateAlignedStore(V, at(I.getRawDest()), Align(Bytes), Volatile);
    };
    Value *Count = Builder.CreateZExtOrTrunc(Rounds, Builder.getInt64Ty());
    Instruction *Before = &I;
    if (!isa<ConstantInt>(Count))
      Before = SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Count), Before,
                                         /*Unreachable=*/false);
    const auto [Body, Round] = SplitBlockAndInsertSimpleForLoop(Count, Before);
    Builder.SetInsertPoint(Body);
    Builder.SetCurrentDebugLocation(I.getDebugLoc());
    access(Builder.CreateMul(Round, Builder.getInt64(Width)), Width);
    Builder.SetInsertPoint(&I);
    if (Rest == 0)
      return;
    const uint64_t Done = cast<ConstantInt>(Count)->getZExtValue() * Width;
    forPieces(Rest, Width / 2, [&](uint64_t Offset, uint64_t Bytes) {
      access(Builder.getInt64(Done + Offset), Bytes);
    });
  }

  /// float W[] = {1, 2, 4}: nvcc stores the numbers, it keeps no table of them
  /// in memory.
  void storeTable(MemTransferInst &Copy) {
    APInt Offset(Layout.getIndexTypeSizeInBits(Copy.getRawSource()->getType()),
                 0);
    auto *Table = dyn_cast<GlobalVariable>(
        Copy.getRawSource()->stripAndAccumulateConstantOffsets(
            Layout, Offset, /*AllowNonInbounds=*/true));
    auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    SmallVector<std::pair<uint64_t, Type *>, 32> Scalars;
    if (!Table || !Length || Offset != 0 ||
        !listScalars(Table->getValueType(), 0, Layout, Scalars))
      return;
    // The vectoriser joins what the alignment lets it. Pointers are to be found
    // again by where they lie.
    const bool HasPointers = any_of(
        Scalars, [](const auto &Its) { return Its.second->isPointerTy(); });
    auto *Array = dyn_cast<AllocaInst>(Copy.getRawDest()->stripPointerCasts());
    const uint64_t Width =
        widthOfTableStores(Length->getZExtValue(), Scalars.size());
    if (Array && Width > 0 && !HasPointers)
      Array->setAlignment(std::max(Array->getAlign(), Align(Width)));
    else if (Array && Width == 0)
      Array->setMetadata(TableMark, MDNode::get(Array->getContext(), {}));
    for (const auto &[Start, T] : Scalars)
      if (Constant *Value = ConstantFoldLoadFromConst(
              Table->getInitializer(), T, APInt(64, Start), Layout);
          Value && Start + Layout.getTypeStoreSize(T) <= Length->getZExtValue())
        Builder.CreateAlignedStore(
            Value, at(Copy.getRawDest(), Start),
            commonAlignment(
                std::max(Copy.getDestAlign().valueOrOne(),
                         getKnownAlignment(Copy.getRawDest(), Layout, &Copy)),
                Start),
            Volatile);
    I.eraseFromParent();
  }
};

} // namespace

void expandMemoryIntrinsics(Function &F) {
  SmallVector<MemIntrinsic *, 16> Found;
  for (Instruction &I : instructions(F))
    if (auto *Intrinsic = dyn_cast<MemIntrinsic>(&I))
      Found.push_back(Intrinsic);
  for (MemIntrinsic *Intrinsic : Found)
    Expander(*Intrinsic).run();
}

bool isStoredByElement(const AllocaInst &Array) {
  return Array.getMetadata(TableMark) != nullptr;
}

void separateTableStores(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  const auto isJoined = [&](const StoreInst &Store) {
    const auto *Value = dyn_cast<Constant>(Store.getValueOperand());
    const auto *Vector =
        Value ? dyn_cast<FixedVectorType>(Value->getType()) : nullptr;
    if (!Vector || !Layout.typeSizeEqualsStoreSize(Vector->getElementType()))
      return false;
    APInt Offset(Layout.getIndexTypeSizeInBits(Store.getPointerOperandType()),
                 0);
    const auto *Array = dyn_cast<AllocaInst>(
        Store.getPointerOperand()->stripAndAccumulateConstantOffsets(
            Layout, Offset, /*AllowNonInbounds=*/true));
    if (!Array || !isStoredByElement(*Array))
      return false;
    for (unsigned N = 0; N != Vector->getNumElements(); ++N)
      if (!Value->getAggregateElement(N))
        return false;
    return true;
  };
  SmallVector<StoreInst *, 16> Joined;
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && isJoined(*Store))
      Joined.push_back(Store);
  for (StoreInst *Store : Joined) {
    IRBuilder<> Builder(Store);
    auto *Value = cast<Constant>(Store->getValueOperand());
    auto *Vector = cast<FixedVectorType>(Value->getType());
    const uint64_t Bytes = Layout.getTypeStoreSize(Vector->getElementType());
    for (unsigned N = 0; N != Vector->getNumElements(); ++N)
      Builder.CreateAlignedStore(
          Value->getAggregateElement(N),
          Builder.CreateConstInBoundsGEP1_64(
              Builder.getInt8Ty(), Store->getPointerOperand(), N * Bytes),
          commonAlignment(Store->getAlign(), N * Bytes), Store->isVolatile());
    Store->eraseFromParent();
  }
}

} // namespace warpwise::lowering
