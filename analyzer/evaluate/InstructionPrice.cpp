//===- InstructionPrice.cpp - What an IR instruction becomes --------------===//

#include "analyzer/evaluate/InstructionPrice.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

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
/// way that is mostly taken. Instructions of whole numbers were not counted.
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
    if (isa<Constant>(I.getOperand(1)))
      return {Pipe::Sum, IsWide ? 8.f : 4.f, 4};
    return IsWide ? Price{Pipe::Sum, 70, 60, 1} : Price{Pipe::Sum, 16, 32, 1};
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

/// Without what the math library puts around it. Only by its result it is
/// certain whether \p Name ends with that of a float ("erf", "erff").
StringRef plainName(StringRef Name, bool IsSingle) {
  Name.consume_front("__nv_");
  if (IsSingle)
    Name.consume_back("f");
  return Name;
}

/// Functions of the math library that are declared only.
Price mathCall(StringRef Name, const Type &Result) {
  const bool IsSingle = !Result.getScalarType()->isDoubleTy();
  Name = plainName(Name, IsSingle);
  if (Name.starts_with("fast_"))
    return {Pipe::Single, 2, 6, 1};
  const bool IsSimple = StringSwitch<bool>(Name)
                            .Cases("fabs", "fmin", "fmax", "floor", "ceil",
                                   "trunc", "rint", "fma", "saturate", true)
                            .Cases("min", "max", "abs", "umin", "umax", true)
                            .Default(false);
  if (IsSimple)
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

Price callOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Call.isInlineAsm() ? Price{} : Price{Pipe::Other, 10, 10};
  if (isBarrier(Call))
    return {Pipe::Other, 1, 0}; // the wait is Work::Barriers
  if (warpExchange(Call))
    return {Pipe::Memory, 1, 5}; // about as long as a load of shared memory
  if (specialRegister(Call))
    return {Pipe::Other, 1, 4};
  const StringRef Name = Callee->getName();
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return {pipeOf(Call.getType()), 1, stepsOf(Call.getType())};
  case Intrinsic::sqrt:
    return mathCall("sqrt", *Call.getType());
  // 16 lanes in a clock (CUDA C++ Programming Guide, arithmetic instructions);
  // counted in the pipe of the special functions on an H100
  // (linkage-popcount-tiled of test/gpu/pairs).
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bitreverse:
    return {Pipe::Special, Call.getType()->getScalarSizeInBits() > 32 ? 2.f : 1,
            4};
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
  if (memoryReference(Call).Pointer)
    return {Pipe::Memory, 1, 0};
  if (Name.starts_with("llvm.nvvm.") &&
      (Name.contains(".approx") || Name.contains("rcp") ||
       Name.contains("sqrt")))
    return {Pipe::Single, 2, 6, 1};
  if (Call.isInlineAsm() || Callee->isIntrinsic())
    return {pipeOf(Call.getType()), 1, 1};
  return mathCall(Name, *Call.getType());
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

} // namespace

bool isFused(const Instruction &I) {
  if (!I.hasOneUse())
    return false;
  const unsigned Of = I.getOpcode(),
                 By = cast<Instruction>(*I.user_begin())->getOpcode();
  return (Of == Instruction::FMul &&
          (By == Instruction::FAdd || By == Instruction::FSub)) ||
         ((Of == Instruction::Mul || Of == Instruction::Shl) &&
          By == Instruction::Add);
}

Price priceOf(const Instruction &I) {
  const Type *T = I.getType();
  const bool IsWide = T->isIntegerTy() && T->getIntegerBitWidth() > 32;
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
  case Instruction::Shl:
    if (isFused(I))
      return Free;
    return {Pipe::Sum, IsWide ? 3.f : 1.f, 1};
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Select:
  case Instruction::GetElementPtr:
    return {Pipe::Sum, IsWide ? 2.f : 1.f, 1};
  case Instruction::FMul:
    if (isFused(I))
      return Free;
    [[fallthrough]];
  case Instruction::FAdd:
  case Instruction::FSub:
    return {pipeOf(T), 1, stepsOf(T)};
  case Instruction::FCmp:
    return {pipeOf(I.getOperand(0)->getType()), 1,
            stepsOf(I.getOperand(0)->getType())};
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    const bool Converts64 =
        T->getScalarSizeInBits() > 32 ||
        I.getOperand(0)->getType()->getScalarSizeInBits() > 32;
    return Converts64 ? Price{Pipe::Special, 1, 4} : Price{Pipe::Integer, 1, 3};
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
  default:
    return {Pipe::Integer, IsWide ? 2.f : 1.f, 1};
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
