//===- InstructionPrice.cpp - What an IR instruction becomes --------------===//

#include "analyzer/evaluate/InstructionPrice.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace llvm;

namespace warpwise::access {
namespace {

bool isPowerOfTwo(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getValue().isPowerOf2();
}

Pipe pipeOf(const Type *T) {
  T = T->getScalarType();
  return T->isDoubleTy()          ? Pipe::Double
         : T->isFloatingPointTy() ? Pipe::Single
                                  : Pipe::Integer;
}

/// Results of doubles take twice as long as others (8.1 to 8.5 clocks beside
/// 4.2 to 4.4, chains on an H100).
float stepsOf(const Type *T) {
  return T->getScalarType()->isDoubleTy() ? 2 : 1;
}

/// The sequences that CUDA's compiler makes of what no pipe does by itself, the
/// way that is mostly taken (test/gpu/math-functions; 64 bits that hold no more
/// than 32 would).
/// Steps: chains on an H100, 111 and 45 clocks, and 137 for 32 bits; not those
/// of longer whole numbers.
Price divisionOf(const Instruction &I) {
  const Type *T = I.getType()->getScalarType();
  const bool IsWide = T->getScalarSizeInBits() > 32;
  switch (I.getOpcode()) {
  case Instruction::FDiv:
    return IsWide ? Price{Pipe::Double, 7, 26, 1, 9}
                  : Price{Pipe::Single, 5, 10, 1, 3};
  case Instruction::UDiv:
  case Instruction::URem:
    if (isPowerOfTwo(I.getOperand(1)))
      return Price{};
    [[fallthrough]];
  default:
    // A sign is added before the shift, or what it leaves is taken off; the sum
    // that a quotient goes into shifts it (read off cubins of nvcc 13).
    if (isPowerOfTwo(I.getOperand(1))) {
      const bool IsQuotient = I.getOpcode() == Instruction::SDiv,
                 IsAdded = I.hasOneUse() &&
                           I.user_back()->getOpcode() == Instruction::Add;
      const float Count = !IsQuotient ? 4 : IsAdded ? 2 : 3;
      return {Pipe::Sum, IsWide ? 2 * Count : Count, Count};
    }
    if (isa<Constant>(I.getOperand(1)))
      return {Pipe::Sum, IsWide ? 16.f : 4.f, IsWide ? 12.f : 4.f};
    return IsWide ? Price{Pipe::Sum, 21, 60, 3} : Price{Pipe::Sum, 16, 32, 1};
  }
}

/// What a function of the math library issues: on the pipe of its numbers, on
/// that of special functions, and besides.
struct MathCost {
  float Own, Special, Others;
};

/// As Nsight Compute counted them on an H200: test/gpu/math-functions.
std::optional<MathCost> singleCost(StringRef Name) {
  return StringSwitch<std::optional<MathCost>>(Name)
      .Cases("sin", "cos", MathCost{13, 1, 12})
      .Case("tan", MathCost{13, 2, 9})
      .Cases("exp", "expm1", MathCost{4, 1, 1})
      .Cases("exp2", "exp10", MathCost{1, 1, 2})
      .Cases("log", "log1p", MathCost{14, 0, 12})
      .Cases("log2", "log10", MathCost{16, 0, 12})
      .Case("pow", MathCost{38, 3, 33})
      .Case("rsqrt", MathCost{1, 1, 2})
      .Cases("sqrt", "rcp", MathCost{3, 1, 5})
      .Case("cbrt", MathCost{8, 2, 5})
      .Case("tanh", MathCost{8, 2, 4})
      .Cases("sinh", "cosh", MathCost{13, 3, 8})
      .Cases("erf", "erfc", MathCost{11, 1, 15})
      .Case("fmod", MathCost{3, 1, 16})
      .Case("atan", MathCost{10, 1, 7})
      .Case("atan2", MathCost{17, 2, 14})
      .Cases("acos", "asin", MathCost{15, 1, 10})
      .Case("hypot", MathCost{9, 1, 13})
      .Case("lgamma", MathCost{15, 0, 16})
      .Default(std::nullopt);
}

/// The same for doubles. The table that sin and cos look up is apart from
/// this; see lowering/MathTables.h.
std::optional<MathCost> doubleCost(StringRef Name) {
  return StringSwitch<std::optional<MathCost>>(Name)
      .Cases("sin", "cos", "sinpi", "cospi", MathCost{15, 2, 14})
      .Case("tan", MathCost{28, 3, 50})
      .Cases("exp", "exp2", "exp10", "expm1", MathCost{14, 0, 34})
      .Cases("log", "log2", "log10", "log1p", MathCost{30, 1, 56})
      .Case("pow", MathCost{85, 1, 98})
      .Case("rsqrt", MathCost{4, 1, 10})
      .Case("rcp", MathCost{4, 1, 7})
      .Case("sqrt", MathCost{7, 1, 11})
      .Case("cbrt", MathCost{12, 6, 25})
      .Case("tanh", MathCost{21, 6, 42})
      .Cases("sinh", "cosh", MathCost{28, 1, 61})
      .Case("lgamma", MathCost{33, 0, 82})
      .Cases("erf", "erfc", MathCost{41, 5, 78})
      .Case("fmod", MathCost{2, 0, 65})
      .Case("atan", MathCost{27, 1, 53})
      .Case("atan2", MathCost{36, 1, 67})
      .Cases("acos", "asin", MathCost{18, 0, 37})
      .Case("hypot", MathCost{13, 1, 30})
      .Default(std::nullopt);
}

/// One of the two results of sincos: half of what the call issues, which is
/// more than a sine and less than two (test/gpu/math-functions).
constexpr MathCost OneOfTwoSingle{8, 0.5, 7}, OneOfTwoDouble{10.5, 1, 25.5};

/// Without what the math library puts around it. Only by its result it is
/// certain whether \p Name ends with that of a float ("erf", "erff").
StringRef plainName(StringRef Name, bool IsSingle) {
  Name.consume_front("__nv_");
  if (IsSingle)
    Name.consume_back("f");
  return Name;
}

/// Functions of whole numbers: test/gpu/math-functions, on an H200.
std::optional<Price> wholeCall(StringRef Name) {
  return StringSwitch<std::optional<Price>>(Name)
      .Cases("byte_perm", "min", "max", "umin", "umax", Price{})
      .Cases("mulhi", "umulhi", Price{Pipe::Product, 1, 2})
      .Cases("mul24", "umul24", Price{Pipe::Sum, 2, 2})
      .Cases("abs", "sad", "usad", Price{Pipe::Integer, 2, 2})
      .Cases("hadd", "uhadd", Price{Pipe::Integer, 3, 3})
      .Cases("rhadd", "urhadd", "llabs", "llmin", "llmax", "ullmin", "ullmax",
             Price{Pipe::Integer, 4, 3})
      .Cases("mul64hi", "umul64hi", Price{Pipe::Product, 4, 9, 0, 3})
      .Cases("brev", "popc", Price{Pipe::Special, 1, 4})
      .Cases("brevll", "popcll", Price{Pipe::Special, 2, 5})
      .Case("clz", Price{Pipe::Special, 1, 5, 0, 1})
      .Case("ffs", Price{Pipe::Special, 2, 9, 0, 1})
      .Case("clzll", Price{Pipe::Special, 1, 7, 0, 4})
      .Case("ffsll", Price{Pipe::Special, 1, 10, 0, 10})
      .Default(std::nullopt);
}

Price mathCall(StringRef Name, const Type &Result);

/// Conversions, and operations with a rounding of their own.
std::optional<Price> roundedCall(StringRef Name, const Type &Result) {
  if (Name.contains("_as_") || Name == "hiloint2double" ||
      Name == "double2hiint" || Name == "double2loint")
    return Free;
  if (Name.starts_with("int2float") || Name.starts_with("uint2float") ||
      Name.contains("half"))
    return Price{Pipe::Integer, 1, 1};
  for (const StringRef From : {"float2", "double2", "int2", "ll2"})
    if (Name.contains(From))
      return Price{Pipe::Special, 1, 4};
  const bool IsDouble = Result.isDoubleTy();
  const StringRef Operation = Name.drop_front(!Name.empty());
  const bool IsPlain = Operation.starts_with("add_r") ||
                       Operation.starts_with("sub_r") ||
                       Operation.starts_with("mul_r");
  if (IsPlain || (Name.starts_with("fma") && !Name.starts_with("fmax")))
    return Price{IsDouble ? Pipe::Double : Pipe::Single, 1,
                 IsDouble ? 2.f : 1.f};
  if (Operation.starts_with("div_r"))
    return IsDouble ? Price{Pipe::Double, 7, 26, 1, 9}
                    : Price{Pipe::Single, 5, 10, 1, 3};
  if (Operation.starts_with("rcp_r") || Operation.starts_with("sqrt_r"))
    return mathCall(Operation.take_until([](char C) { return C == '_'; }),
                    Result);
  return std::nullopt;
}

/// Those of single precision that are quick and not exact.
Price fastCall(StringRef Name) {
  return StringSwitch<Price>(Name)
      .Cases("sinf", "cosf", Price{Pipe::Single, 1, 6, 1})
      .Case("sincosf", Price{Pipe::Single, 1, 6, 2})
      .Cases("expf", "exp10f", Price{Pipe::Single, 3, 8, 1, 1})
      .Cases("logf", "log2f", "log10f", Price{Pipe::Single, 2, 8, 1, 2})
      .Case("powf", Price{Pipe::Single, 5, 16, 2, 3})
      .Case("tanf", Price{Pipe::Single, 3, 14, 3, 1})
      .Default({Pipe::Single, 1, 8, 1, 3}); // a quotient
}

/// Functions of the math library that are declared only.
Price mathCall(StringRef Name, const Type &Result) {
  const bool IsSingle = !Result.getScalarType()->isDoubleTy();
  Name.consume_front("__nv_");
  if (Name.consume_front("fast_"))
    return fastCall(Name);
  if (const auto Its = wholeCall(Name))
    return *Its;
  if (const auto Its = roundedCall(Name, Result))
    return *Its;
  Name = plainName(Name, IsSingle);
  // Measured: test/gpu/math-functions.
  if (StringSwitch<bool>(Name)
          .Cases("floor", "ceil", "trunc", "rint", "nearbyint", true)
          .Default(false))
    return {Pipe::Special, 1, 4};
  if (Name == "fmin" || Name == "fmax")
    return IsSingle ? Price{} : Price{Pipe::Integer, 9, 6};
  if (StringSwitch<bool>(Name)
          .Cases("fabs", "fma", "saturate", "copysign", true)
          .Default(false))
    return {IsSingle ? Pipe::Single : Pipe::Double, 1, IsSingle ? 1.f : 2.f};
  constexpr MathCost OtherSingle{13, 1, 10}, OtherDouble{20, 1, 30}; // rough
  const MathCost C = IsSingle ? singleCost(Name).value_or(OtherSingle)
                              : doubleCost(Name).value_or(OtherDouble);
  // Most of them wait for the one before, and longer for a special function.
  // Rough: chains on an H100 take 39 (rsqrt), 43 (sqrt), 41 (exp), 148 (sin)
  // and 79 (sqrt of doubles) clocks, and 37, 48, 38, 107 and 91 are said.
  const float All = C.Own + C.Special + C.Others;
  return {IsSingle ? Pipe::Single : Pipe::Double, C.Own,
          (IsSingle ? 0.8f : 0.9f) * All + 4 * C.Special, C.Special, C.Others};
}

/// A fetch through the texture units. On an H200, from L1, 8.1 clocks of an SM
/// for a warp and 4.1 of one dimension; of four floats 8.1 of one dimension and
/// 16 with a filter, which the instruction does not tell. One that waits for
/// another's result comes 157 clocks behind it, the time of 36 sums
/// (test/gpu/fetches).
Price textureOf(StringRef Ptx) {
  constexpr float Steps = 36;
  return {Pipe::Texture, Ptx.starts_with("tex.1d.") ? 0.5f : 1.f, Steps};
}

/// PTX's operations on two or four numbers in a word, which nvcc makes of
/// several instructions; other PTX counts as one. Measured through the
/// functions that they stand in (__vadd4 ...): test/gpu/math-functions.
Price asmOf(const CallInst &Call) {
  const StringRef Text =
      cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
  const bool Saturates = Text.contains(".sat"), IsFour = Text.contains("4.");
  const bool IsSigned = Text.contains("s32");
  if (isTextureFetch(Text))
    return textureOf(Text);
  float Count = 1;
  if (Text.starts_with("vset"))
    Count = 4;
  else if (Text.starts_with("vadd") || Text.starts_with("vsub"))
    Count = Saturates ? (IsFour ? 6 : 5) : (IsFour ? 3 : 1);
  else if (Text.starts_with("vabsdiff"))
    Count = IsFour ? (IsSigned ? 2 : 1) : (IsSigned ? 6 : 9);
  else if (Text.starts_with("vavrg"))
    Count = IsSigned ? 10 : 4;
  else if (Text.starts_with("vmax4") || Text.starts_with("vmin4"))
    Count = IsSigned ? 5 : 6;
  return {Pipe::Integer, Count, Count};
}

Price callOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Call.isInlineAsm() ? asmOf(Call) : Price{Pipe::Other, 10, 10};
  if (isBarrier(Call))
    return {Pipe::Other, 1, 0}; // the wait is Work::Barriers
  if (warpExchange(Call))
    return {Pipe::Memory, 1, 5}; // about as long as a load of shared memory
  if (specialRegister(Call))
    return {Pipe::Other, 1, 4};
  const StringRef Name = Callee->getName();
  const bool IsWide = Call.getType()->getScalarSizeInBits() > 32;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return mathCall("fmin", *Call.getType());
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
    return mathCall("floor", *Call.getType());
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return {pipeOf(Call.getType()), 1, stepsOf(Call.getType())};
  case Intrinsic::sqrt:
    return mathCall("sqrt", *Call.getType());
  // 16 lanes in a clock (CUDA C++ Programming Guide, arithmetic instructions);
  // counted in the pipe of the special functions on an H100
  // (linkage-popcount-tiled of test/gpu/pairs).
  case Intrinsic::ctpop:
    return *wholeCall(IsWide ? "popcll" : "popc");
  case Intrinsic::ctlz:
    return *wholeCall(IsWide ? "clzll" : "clz");
  case Intrinsic::cttz:
    return *wholeCall(IsWide ? "ffsll" : "ffs");
  case Intrinsic::bitreverse:
    return *wholeCall(IsWide ? "brevll" : "brev");
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return {Pipe::Integer, IsWide ? 2.f : 1.f, 1};
  case Intrinsic::abs:
    return *wholeCall(IsWide ? "llabs" : "abs");
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return *wholeCall(IsWide ? "llmin" : "min");
  case Intrinsic::fabs:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
    return Free;
  default:
    break;
  }
  if (isa<DbgInfoIntrinsic>(Call))
    return Free;
  if (Name.contains(".mma.") || Name.contains("wmma"))
    return Name.contains("mma.m") && !Name.contains(".load") &&
                   !Name.contains(".store")
               ? Price{Pipe::Tensor, 1, 6}
               : Price{Pipe::Memory, 1, 0};
  if (memoryReference(Call).Pointer ||
      lowering::nvidiaMemory(Name) == lowering::NvidiaMemory::Surface)
    return {Pipe::Memory, 1, 0};
  if (Name.starts_with("llvm.nvvm.") &&
      (Name.contains(".approx") || Name.contains("rcp") ||
       Name.contains("sqrt")))
    return {Pipe::Single, 2, 6, 1};
  if (Call.isInlineAsm() || Callee->isIntrinsic())
    return {pipeOf(Call.getType()), 1, 1};
  Price Its = mathCall(Name, *Call.getType());
  const bool IsSingle = Call.getType()->getScalarType()->isFloatTy();
  if (Call.hasFnAttr("warpwise-one-of-two") && // analyzer/frontend/MathCalls.h
      StringSwitch<bool>(plainName(Name, IsSingle))
          .Cases("sin", "cos", "sinpi", "cospi", true)
          .Default(false)) {
    const MathCost &Half = IsSingle ? OneOfTwoSingle : OneOfTwoDouble;
    Its.Count = Half.Own;
    Its.Special = Half.Special;
    Its.Others = Half.Others;
  }
  return Its;
}

/// Whether nvcc branches within \p Call, as in code of nvcc 13 for sm_90.
bool isBranchingCall(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  const Type *T = Call.getType()->getScalarType();
  if (!Callee || (!T->isFloatTy() && !T->isDoubleTy()))
    return false;
  if (Call.getIntrinsicID() == Intrinsic::sqrt)
    return !Call.hasApproxFunc();
  StringRef Name = Callee->getName();
  if (Name.consume_front("llvm.nvvm."))
    return Name.starts_with("div.r") || Name.starts_with("rcp.r") ||
           Name.starts_with("sqrt.r");
  if (Callee->isIntrinsic() || memoryReference(Call).Pointer)
    return false;
  return StringSwitch<bool>(plainName(Name, T->isFloatTy()))
      .Cases("sin", "cos", "tan", "pow", "fmod", "remainder", true)
      .Cases("sqrt", "atan2", "lgamma", "tgamma", true)
      .Cases("asinh", "acosh", "atanh", "j0", true)
      .Case("hypot", T->isFloatTy())
      .Cases("exp", "exp2", "exp10", "expm1", T->isDoubleTy())
      .Cases("log", "log2", "log10", "log1p", T->isDoubleTy())
      .Cases("rsqrt", "tanh", "sinh", "cosh", T->isDoubleTy())
      .Cases("atan", "acos", "asin", "erfc", T->isDoubleTy())
      .Cases("erfinv", "normcdf", T->isDoubleTy())
      .Default(false);
}

bool isSum(unsigned Opcode) {
  return Opcode == Instruction::Add || Opcode == Instruction::Sub;
}

bool isLogic(unsigned Opcode) {
  return Opcode == Instruction::And || Opcode == Instruction::Or ||
         Opcode == Instruction::Xor;
}

/// Whether one instruction does the work of \p Of and of \p By, which takes
/// its result, if \p By takes up nothing else: products that go into sums
/// (FFMA, IMAD, LEA), sums and logic of three numbers (IADD3, LOP3).
bool fitTogether(const Instruction &Of, const Instruction &By) {
  const bool IsInteger = By.getType()->isIntegerTy();
  if (IsInteger && isSum(By.getOpcode()) &&
      (Of.getOpcode() == Instruction::Mul ||
       Of.getOpcode() == Instruction::Shl))
    return true;
  if (!IsInteger)
    return Of.getOpcode() == Instruction::FMul &&
           (By.getOpcode() == Instruction::FAdd ||
            By.getOpcode() == Instruction::FSub);
  return (isSum(Of.getOpcode()) && isSum(By.getOpcode())) ||
         (isLogic(Of.getOpcode()) && isLogic(By.getOpcode()));
}

/// \p Of if it goes into \p By alone, fits it, and is no product; else null.
const Instruction *inRowWith(const Value *Of, const Instruction &By) {
  const auto *I = dyn_cast<Instruction>(Of);
  return I && I->hasOneUse() && fitTogether(*I, By) &&
                 (isSum(I->getOpcode()) || isLogic(I->getOpcode()))
             ? I
             : nullptr;
}

/// Whether so many sums lie in a row before \p I that nobody counts which of
/// them go together: every other one does.
bool endsLongRow(const Instruction &I) {
  constexpr unsigned Long = 16;
  const Instruction *At = &I;
  for (unsigned Before = 0; Before != Long; ++Before) {
    const Instruction *Next = nullptr;
    for (const Value *Operand : At->operands())
      Next = Next ? Next : inRowWith(Operand, *At);
    if (!Next)
      return false;
    At = Next;
  }
  return true;
}

/// The operand that \p By does in passing; a product rather than a sum.
const Instruction *takenUp(const Instruction &By) {
  const Instruction *Found = nullptr;
  if (endsLongRow(By))
    return nullptr;
  for (const Value *Operand : By.operands()) {
    const auto *Of = dyn_cast<Instruction>(Operand);
    if (!Of || !Of->hasOneUse() || !fitTogether(*Of, By))
      continue;
    if (!inRowWith(Of, By))
      return Of; // a product
    if (!Found && !takenUp(*Of))
      Found = Of;
  }
  return Found;
}

/// Instructions of a sum or logic with the ones around it that it goes with.
float shareInRow(const Instruction &I) {
  return isFused(I) ? 0 : endsLongRow(I) ? 0.5f : 1;
}

/// Registers that a whole number takes.
float wordsOf(const Type *T) {
  constexpr unsigned WordBits = 32;
  return T->isIntegerTy()
             ? float(llvm::divideCeil(T->getIntegerBitWidth(), WordBits))
             : 1;
}

/// Whether no more than the first half of \p V is not zero.
bool isHalfOf(const Value *V) {
  const auto *Half = dyn_cast<ZExtInst>(V);
  return Half && 2 * Half->getSrcTy()->getScalarSizeInBits() <=
                     V->getType()->getScalarSizeInBits();
}

/// A product of whole numbers. Of halves it is one instruction that takes up a
/// sum (IMAD.WIDE); of others, of which nobody wants more than as many words,
/// two more without high words. Of 128 bits as many as nvcc 13 issues for
/// field-products-wider-limbs of test/gpu/pairs.
Price productOf(const Instruction &I) {
  const float Words = wordsOf(I.getType());
  if (Words == 1)
    return {Pipe::Sum, 1, 1};
  const bool OfHalves = isHalfOf(I.getOperand(0)) && isHalfOf(I.getOperand(1));
  // Of each pair of words the product is added to where it belongs.
  const float Halves = Words / 2, Wide = Halves * Halves;
  const float Rest = OfHalves ? 0 : Words;
  const float Carries = Words > 2 ? Wide : 0;
  return {Pipe::Product, Wide, Words, 0, Carries + Rest};
}

/// Whether \p I moves words of a longer number as they are.
bool movesWords(const Instruction &I) {
  const auto *By =
      I.getOpcode() == Instruction::LShr || I.getOpcode() == Instruction::Shl
          ? dyn_cast<ConstantInt>(I.getOperand(1))
          : nullptr;
  return By && wordsOf(I.getType()) > 1 && By->getValue().urem(32) == 0;
}

/// Whether \p I puts words side by side: one of its operands has none where the
/// other has some.
bool joinsWords(const Instruction &I) {
  const auto isHigh = [](const Value *V) {
    const auto *Shift = dyn_cast<Instruction>(V);
    return Shift && Shift->getOpcode() == Instruction::Shl &&
           movesWords(*Shift) && isHalfOf(Shift->getOperand(0));
  };
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  return (isHigh(A) && isHalfOf(B)) || (isHigh(B) && isHalfOf(A));
}

} // namespace

bool isFused(const Instruction &I) {
  if (!I.hasOneUse())
    return false;
  const auto *By = cast<Instruction>(*I.user_begin());
  return fitTogether(I, *By) && takenUp(*By) == &I;
}

Price priceOf(const Instruction &I) {
  const Type *T = I.getType();
  const float Words = wordsOf(T);
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt: // an address takes the 32 bits as they are
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ShuffleVector:
  case Instruction::Freeze:
  case Instruction::Alloca:
  case Instruction::FNeg:
  case Instruction::Unreachable:
    return Free;
  case Instruction::FDiv:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return divisionOf(I);
  case Instruction::FRem:
    return {pipeOf(T), 40, 40};
  case Instruction::Mul:
    return isFused(I) ? Free : productOf(I);
  case Instruction::Shl:
    if (isFused(I) || movesWords(I))
      return Free;
    return {Pipe::Sum, Words > 1 ? Words + 1 : 1, 1};
  case Instruction::Add:
  case Instruction::Sub: {
    if (const Instruction *Of = takenUp(I);
        Of && Of->getOpcode() == Instruction::Mul && Words > 1)
      return productOf(*Of);
    const float Share = shareInRow(I);
    return {Pipe::Sum, Words * Share, Share};
  }
  case Instruction::GetElementPtr:
    return {Pipe::Sum, Words, 1};
  case Instruction::Select:
    return {Pipe::Integer, T->getScalarSizeInBits() > 32 ? 2.f : 1.f, 1};
  case Instruction::FMul:
    if (isFused(I))
      return Free;
    [[fallthrough]];
  case Instruction::FAdd:
  case Instruction::FSub:
    return {pipeOf(T), 1, stepsOf(T)};
  case Instruction::FCmp: { // of singles, the pipe of whole numbers does it
    const Type *Of = I.getOperand(0)->getType()->getScalarType();
    return {Of->isDoubleTy() ? Pipe::Double : Pipe::Integer, 1, stepsOf(Of)};
  }
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    const Type *Of = I.getOperand(0)->getType();
    const bool IsSpecial = T->getScalarSizeInBits() > 32 ||
                           Of->getScalarSizeInBits() > 32 ||
                           (Of->isFPOrFPVectorTy() && T->isIntOrIntVectorTy());
    return IsSpecial ? Price{Pipe::Special, 1, 4} : Price{Pipe::Integer, 1, 3};
  }
  case Instruction::Load:
  case Instruction::Store:
    // Most private arrays end up in registers; the rest is priced by itself.
    return lowering::objectOf(getLoadStorePointerOperand(&I)).Memory ==
                   Space::Local
               ? Free
               : Price{Pipe::Memory, 1, 0};
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return {Pipe::Memory, 1, 0};
  case Instruction::Fence:
    return {Pipe::Other, 1, 0};
  case Instruction::Br:
    return cast<BranchInst>(I).isConditional() ? Price{Pipe::Other, 1, 2}
                                               : Free;
  case Instruction::Switch:
    return {Pipe::Other, 3, 4};
  case Instruction::Ret:
    return {Pipe::Other, 1, 0};
  case Instruction::Call:
    return callOf(cast<CallInst>(I));
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: // of two conditions: a comparison does it in passing
    if (I.getOpcode() == Instruction::Or && joinsWords(I))
      return Free;
    if (const float Share = T->isIntegerTy(1) ? 0 : shareInRow(I); Share < 1)
      return {Pipe::Integer, Words * Share, Share};
    return {Pipe::Integer, Words, 1};
  case Instruction::LShr:
    if (movesWords(I))
      return Free;
    [[fallthrough]];
  default:
    return {Pipe::Integer, Words, 1};
  }
}

bool hasSlowPath(const Instruction &I) {
  const Type *T = I.getType()->getScalarType();
  switch (I.getOpcode()) {
  case Instruction::FDiv:
    return (T->isFloatTy() || T->isDoubleTy()) && !I.hasApproxFunc();
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: // small numbers are divided as those of 32 bits are
    return T->getScalarSizeInBits() > 32 && !isa<Constant>(I.getOperand(1));
  case Instruction::Call:
    return isBranchingCall(cast<CallInst>(I));
  default:
    return false;
  }
}

} // namespace warpwise::access
