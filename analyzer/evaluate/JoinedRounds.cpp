//===- JoinedRounds.cpp - Rounds whose accesses become one ----------------===//

#include "analyzer/evaluate/JoinedRounds.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <bit>
#include <optional>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr unsigned MostBytes = 16;
/// Deeper expressions are no index that anyone writes.
constexpr unsigned MostDepth = 16;

unsigned powerIn(int64_t Value) {
  return Value == 0
             ? MostBytes
             : std::min<uint64_t>(
                   MostBytes, uint64_t(1) << std::countr_zero(uint64_t(Value)));
}

unsigned product(unsigned A, unsigned B) { return std::min(MostBytes, A * B); }

/// What is known of a number before the first of some rounds.
struct Known {
  int64_t Step = 0; ///< that it grows by from round to round
  /// A power of two, MostBytes at most.
  unsigned Multiple = 1;
  /// Of what it is less what other loops add that are written out.
  unsigned ButForRows = Multiple;

  Known plus(const Known &B) const {
    return {Step + B.Step, std::min(Multiple, B.Multiple),
            std::min(ButForRows, B.ButForRows)};
  }
  /// \p By is 0 where only \p ItsMultiple is known of the factor.
  Known times(int64_t By, unsigned ItsMultiple) const {
    return {Step * By, product(Multiple, ItsMultiple),
            product(ButForRows, ItsMultiple)};
  }
};

/// Reads addresses, as seen every \p Rounds rounds of a loop.
class RowReader {
  const Loop &L, &Outermost;
  const unsigned Rounds;
  const FirstRound First;
  const DataLayout &Layout;

public:
  RowReader(const SideBySide &Of, unsigned Rounds, FirstRound First,
            const DataLayout &Layout)
      : L(Of.L), Outermost(Of.Outermost), Rounds(Rounds), First(First),
        Layout(Layout) {}

  /// Nothing where it does not grow evenly.
  std::optional<Known> read(const Value *V, unsigned Depth = 0) const {
    if (const auto *C = dyn_cast<ConstantInt>(V))
      return C->getBitWidth() > 64
                 ? std::nullopt
                 : std::optional(Known{0, powerIn(C->getSExtValue())});
    if (const auto *Array = dyn_cast<GlobalVariable>(V)) {
      // nvcc aligns dynamic shared memory so.
      const uint64_t Align = Array->isDeclaration()
                                 ? MostBytes
                                 : Array->getAlign().valueOrOne().value();
      return Known{0, unsigned(std::min<uint64_t>(MostBytes, Align))};
    }
    if (V->getType()->isPointerTy() && isa<Argument>(V))
      return Known{0, MostBytes}; // by agreement
    if (const auto *Address = dyn_cast<GEPOperator>(V))
      return ofAddress(*Address, Depth);
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !Outermost.contains(I))
      return Known{0, multipleOf(*V, Depth)};
    if (Depth == MostDepth)
      return std::nullopt;
    if (const auto *Phi = dyn_cast<PHINode>(I))
      return ofPhi(*Phi, Depth);
    if (const auto Its = ofArithmetic(*I, Depth))
      return Its;
    return isSame(*I, Depth) ? std::optional(Known{0, multipleOf(*I, Depth)})
                             : std::nullopt;
  }

private:
  /// Whether \p I comes to the same in all rounds, as what it uses does.
  bool isSame(const Instruction &I, unsigned Depth) const {
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto isFixed = [&](const Use &Its) {
      const auto Used = read(Its, Depth + 1);
      return Used && Used->Step == 0;
    };
    return !I.mayReadOrWriteMemory() &&
           all_of(Call ? Call->args() : I.operands(), isFixed);
  }

  /// Of \p V, which is the same in all rounds.
  unsigned multipleOf(const Value &V, unsigned Depth) const {
    if (const auto *Cast = dyn_cast<AddrSpaceCastInst>(&V);
        Cast && Depth != MostDepth)
      return read(Cast->getOperand(0), Depth + 1).value_or(Known{}).Multiple;
    if (!V.getType()->isIntegerTy())
      return 1;
    const unsigned Zeros = computeKnownBits(&V, Layout).countMinTrailingZeros();
    return Zeros < 4 ? 1u << Zeros : MostBytes;
  }

  /// The loop, the outermost or one within, at whose head \p Phi stands.
  const Loop *loopOf(const PHINode &Phi) const {
    for (const Loop *Its : Outermost.getLoopsInPreorder())
      if (Its->getHeader() == Phi.getParent())
        return Its;
    return nullptr;
  }

  std::optional<Known> ofPhi(const PHINode &Phi, unsigned Depth) const {
    const Loop *Its = loopOf(Phi);
    if (!Its)
      return std::nullopt;
    const BasicBlock *Latch = Its->getLoopLatch(),
                     *Before = Its->getLoopPreheader();
    if (!Latch || !Before)
      return std::nullopt;
    const auto *Next =
        dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch));
    const auto *By = Next && Next->getOpcode() == Instruction::Add &&
                             Next->getOperand(0) == &Phi
                         ? dyn_cast<ConstantInt>(Next->getOperand(1))
                         : nullptr;
    const Value *From = Phi.getIncomingValueForBlock(Before);
    auto Start =
        By && By->getBitWidth() <= 64 ? read(From, Depth + 1) : std::nullopt;
    if (!Start)
      return std::nullopt;
    if (Its == &L && First == FirstRound::Aligned && isa<ConstantInt>(From))
      Start->Multiple = Start->ButForRows = MostBytes;
    const int64_t Step = By->getSExtValue();
    // What another loop counts is the same in the rounds beside each other, and
    // a constant once it is written out.
    if (Its != &L)
      return Known{Start->Step, std::min(Start->Multiple, powerIn(Step)),
                   Start->ButForRows};
    return Start->plus({Step, powerIn(Step * Rounds)});
  }

  std::optional<Known> ofArithmetic(const Instruction &I,
                                    unsigned Depth) const {
    switch (I.getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::AddrSpaceCast:
      return read(I.getOperand(0), Depth + 1);
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      break;
    case Instruction::Or: // which takes the place of a sum without carries
      if (!cast<PossiblyDisjointInst>(I).isDisjoint())
        return std::nullopt;
      break;
    default:
      return std::nullopt;
    }
    const auto A = read(I.getOperand(0), Depth + 1);
    const auto B = read(I.getOperand(1), Depth + 1);
    if (!A || !B)
      return std::nullopt;
    const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
    switch (I.getOpcode()) {
    case Instruction::Sub:
      return A->plus({-B->Step, B->Multiple, B->ButForRows});
    case Instruction::Shl:
      if (!By || By->uge(32))
        return std::nullopt;
      return A->times(int64_t(1) << By->getZExtValue(),
                      By->uge(4) ? MostBytes : 1u << By->getZExtValue());
    case Instruction::Mul:
      if (!By && (A->Step != 0 || B->Step != 0))
        return std::nullopt;
      return A->times(By ? By->getSExtValue() : 0, B->Multiple);
    default:
      return A->plus(*B);
    }
  }

  std::optional<Known> ofAddress(const GEPOperator &Address,
                                 unsigned Depth) const {
    auto Sum = read(Address.getPointerOperand(), Depth + 1);
    if (!Sum)
      return std::nullopt;
    for (auto At = gep_type_begin(Address), End = gep_type_end(Address);
         At != End; ++At) {
      if (const StructType *Record = At.getStructTypeOrNull()) {
        const auto Member = cast<ConstantInt>(At.getOperand())->getZExtValue();
        const uint64_t Offset =
            Layout.getStructLayout(const_cast<StructType *>(Record))
                ->getElementOffset(unsigned(Member));
        Sum = Sum->plus({0, powerIn(int64_t(Offset))});
        continue;
      }
      const auto Index = read(At.getOperand(), Depth + 1);
      if (!Index)
        return std::nullopt;
      const int64_t Size =
          int64_t(At.getSequentialElementStride(Layout).getFixedValue());
      Sum = Sum->plus(Index->times(Size, powerIn(Size)));
    }
    return Sum;
  }
};

} // namespace

/// Whether the lanes of a warp do something together in each round, such as a
/// shuffle. Nothing is joined across that: triangular systems whose matrix has
/// its rows side by side (8192 of 32 unknowns, 45.6 us on an H200) take the
/// passes of single loads.
static bool exchanges(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallInst>(&I);
      return Call && warpExchange(*Call);
    });
  });
}

/// Whether other accesses to shared memory than those of \p Access's kind stand
/// between its rounds: ptxas joins nothing across them, as it does not tell
/// arrays apart.
static bool takesTurns(const Instruction &Access, const Loop &L) {
  const auto isOther = [&](const Instruction &I) {
    const auto Its = lowering::memoryReference(I);
    return Its.Pointer && I.getOpcode() != Access.getOpcode() &&
           lowering::objectOf(Its.Pointer).Memory == Space::Shared;
  };
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, isOther);
  });
}

/// Whether \p Rounds rounds, of \p Bytes each and beside each other, begin
/// where one access for them can. A row that begins elsewhere, as nvcc knows of
/// each that is written out, has some rounds at both ends that come by
/// themselves: few of many (read off a cubin of nvcc 13, rows of 32 words 34
/// apart).
static bool beginsAligned(const Known &Its, uint64_t Bytes, unsigned Rounds,
                          unsigned InARow, FirstRound First) {
  constexpr unsigned Many = 4;
  const bool MayBeginElsewhere =
      First == FirstRound::Aligned || InARow >= Many * Rounds;
  return (MayBeginElsewhere ? Its.ButForRows : Its.Multiple) >= Rounds * Bytes;
}

unsigned roundsAtOnce(const Instruction &Access, const SideBySide &Of,
                      FirstRound First) {
  const Loop &L = Of.L;
  const auto *Load = dyn_cast<LoadInst>(&Access);
  const auto *Store = dyn_cast<StoreInst>(&Access);
  if ((!Load && !Store) || Access.isVolatile())
    return 1;
  const DataLayout &Layout = Access.getModule()->getDataLayout();
  const uint64_t Bytes =
      Layout
          .getTypeStoreSize(Load ? Load->getType()
                                 : Store->getValueOperand()->getType())
          .getFixedValue();
  // Bytes it loads one by one: 512 requests of each thread for a window and
  // what is sought in it (motion-search-window of test/gpu/pairs, nvcc 13).
  if (Bytes < 2 || !std::has_single_bit(Bytes))
    return 1;
  for (unsigned Rounds =
           std::min<uint64_t>(std::bit_floor(Of.Together), MostBytes / Bytes);
       Rounds > 1; Rounds /= 2) {
    const auto Its = RowReader(Of, Rounds, First, Layout)
                         .read(getLoadStorePointerOperand(&Access));
    // Few addresses are like that; the whole loop is looked at for those alone.
    if (Its && Its->Step == int64_t(Bytes) &&
        beginsAligned(*Its, Bytes, Rounds, Of.Rounds, First))
      return exchanges(L) || takesTurns(Access, L) ? 1 : Rounds;
  }
  return 1;
}

} // namespace warpwise::access
