//===- HostArithmetic.cpp - The GPU's arithmetic on the host --------------===//

#include "analyzer/execution/DeviceCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace warpwise::execution {
namespace {

Value *multiplyHigh(CallInst &Call, IRBuilder<> &Builder, bool Signed) {
  const unsigned Bits = Call.getType()->getIntegerBitWidth();
  Type *Wide = Builder.getIntNTy(2 * Bits);
  auto widen = [&](Value *V) {
    return Signed ? Builder.CreateSExt(V, Wide) : Builder.CreateZExt(V, Wide);
  };
  Value *Product = Builder.CreateMul(widen(Call.getArgOperand(0)),
                                     widen(Call.getArgOperand(1)));
  return Builder.CreateTrunc(Builder.CreateLShr(Product, Bits), Call.getType());
}

/// "f2i.rn", "ui2d.rz": the types say most.
Value *convert(CallInst &Call, IRBuilder<> &Builder, StringRef Name) {
  Value *From = Call.getArgOperand(0);
  Type *To = Call.getType();
  if (From->getType()->isIntegerTy() && To->isFloatingPointTy())
    return Name.starts_with("u") ? Builder.CreateUIToFP(From, To)
                                 : Builder.CreateSIToFP(From, To);
  if (From->getType()->isFloatingPointTy() && To->isFloatingPointTy())
    return Builder.CreateFPCast(From, To);
  if (!From->getType()->isFloatingPointTy() || !To->isIntegerTy())
    return nullptr;
  const Intrinsic::ID Rounding = Name.contains(".rn")   ? Intrinsic::roundeven
                                 : Name.contains(".rm") ? Intrinsic::floor
                                 : Name.contains(".rp") ? Intrinsic::ceil
                                                        : Intrinsic::trunc;
  Value *Whole = Builder.CreateUnaryIntrinsic(Rounding, From);
  return Name.contains("2u") ? Builder.CreateFPToUI(Whole, To)
                             : Builder.CreateFPToSI(Whole, To);
}

Value *saturate(Value *X, IRBuilder<> &Builder) {
  Type *T = X->getType();
  Value *Low = Builder.CreateMaxNum(X, ConstantFP::getZero(T));
  return Builder.CreateMinNum(Low, ConstantFP::get(T, 1.0));
}

} // namespace

Value *hostArithmetic(CallInst &Call, IRBuilder<> &Builder) {
  StringRef Name = Call.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.nvvm.") || Call.arg_size() == 0)
    return nullptr;
  const StringRef Word = Name.split('.').first;
  Value *X = Call.getArgOperand(0);
  if (Word == "mulhi")
    return multiplyHigh(Call, Builder, !Name.contains(".u"));
  if (Word.contains('2') && Word != "ex2" && Word != "lg2")
    return convert(Call, Builder, Name);
  if (!X->getType()->isFloatingPointTy() || Call.getType() != X->getType())
    return nullptr;
  Value *One = ConstantFP::get(X->getType(), 1.0);
  const Intrinsic::ID Unary = StringSwitch<Intrinsic::ID>(Word)
                                  .Case("sqrt", Intrinsic::sqrt)
                                  .Case("ex2", Intrinsic::exp2)
                                  .Case("lg2", Intrinsic::log2)
                                  .Case("sin", Intrinsic::sin)
                                  .Case("cos", Intrinsic::cos)
                                  .Case("floor", Intrinsic::floor)
                                  .Case("ceil", Intrinsic::ceil)
                                  .Case("trunc", Intrinsic::trunc)
                                  .Case("round", Intrinsic::roundeven)
                                  .Case("fabs", Intrinsic::fabs)
                                  .Default(Intrinsic::not_intrinsic);
  if (Unary != Intrinsic::not_intrinsic)
    return Builder.CreateUnaryIntrinsic(Unary, X);
  if (Word == "rcp")
    return Builder.CreateFDiv(One, X);
  if (Word == "rsqrt")
    return Builder.CreateFDiv(One,
                              Builder.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  if (Word == "saturate")
    return saturate(X, Builder);
  if (Call.arg_size() < 2)
    return nullptr;
  Value *Y = Call.getArgOperand(1);
  if (Word == "fma" && Call.arg_size() == 3)
    return Builder.CreateIntrinsic(X->getType(), Intrinsic::fma,
                                   {X, Y, Call.getArgOperand(2)});
  if (Word == "mul")
    return Builder.CreateFMul(X, Y);
  if (Word == "div")
    return Builder.CreateFDiv(X, Y);
  if (Word == "add")
    return Builder.CreateFAdd(X, Y);
  if (Word == "fmin")
    return Builder.CreateMinNum(X, Y);
  if (Word == "fmax")
    return Builder.CreateMaxNum(X, Y);
  return nullptr;
}

} // namespace warpwise::execution
