#include "analyzer/frontend/MathCalls.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::frontend {
namespace {

using Arguments = ArrayRef<Value *>;
/// Builds what a function computes; null when it cannot after all.
using Builder = Value *(*)(IRBuilder<> &, Arguments, Type *Result);

template <Intrinsic::ID Id>
Value *intrinsic(IRBuilder<> &IR, Arguments Values, Type *Result) {
  return IR.CreateIntrinsic(Result, Id, Values);
}

/// ctlz and abs take one more argument: nothing is poison.
template <Intrinsic::ID Id>
Value *definedIntrinsic(IRBuilder<> &IR, Arguments Values, Type *Result) {
  Value *Full = IR.CreateBinaryIntrinsic(Id, Values[0], IR.getFalse());
  return IR.CreateZExtOrTrunc(Full, Result);
}

/// The count of bits is an int whatever the argument is.
Value *countBits(IRBuilder<> &IR, Arguments Values, Type *Result) {
  Value *Count = IR.CreateUnaryIntrinsic(Intrinsic::ctpop, Values[0]);
  return IR.CreateZExtOrTrunc(Count, Result);
}

/// One more than the index of the lowest bit that is set, 0 when none is.
Value *findFirstSet(IRBuilder<> &IR, Arguments Values, Type *Result) {
  Value *Zeros =
      IR.CreateBinaryIntrinsic(Intrinsic::cttz, Values[0], IR.getFalse());
  Value *Index = IR.CreateZExtOrTrunc(Zeros, Result);
  return IR.CreateSelect(IR.CreateIsNull(Values[0]),
                         Constant::getNullValue(Result),
                         IR.CreateAdd(Index, ConstantInt::get(Result, 1)));
}

template <bool Signed>
Value *multiply24(IRBuilder<> &IR, Arguments Values, Type *) {
  auto LowBits = [&](Value *Factor) {
    Value *Shifted = IR.CreateShl(Factor, 8);
    return Signed ? IR.CreateAShr(Shifted, 8) : IR.CreateLShr(Shifted, 8);
  };
  return IR.CreateMul(LowBits(Values[0]), LowBits(Values[1]));
}

template <bool Signed>
Value *multiplyHigh(IRBuilder<> &IR, Arguments Values, Type *Result) {
  unsigned Bits = Result->getIntegerBitWidth();
  Type *Wide = IR.getIntNTy(2 * Bits);
  auto Widen = [&](Value *Factor) {
    return Signed ? IR.CreateSExt(Factor, Wide) : IR.CreateZExt(Factor, Wide);
  };
  Value *Product = IR.CreateMul(Widen(Values[0]), Widen(Values[1]));
  return IR.CreateTrunc(IR.CreateLShr(Product, Bits), Result);
}

Value *reinterpret(IRBuilder<> &IR, Arguments Values, Type *Result) {
  return IR.CreateBitCast(Values[0], Result);
}

template <Instruction::CastOps Cast>
Value *convert(IRBuilder<> &IR, Arguments Values, Type *Result) {
  return IR.CreateCast(Cast, Values[0], Result);
}

/// To an integer, rounded first.
template <Instruction::CastOps Cast, Intrinsic::ID Rounding>
Value *convertRounded(IRBuilder<> &IR, Arguments Values, Type *Result) {
  return IR.CreateCast(Cast, IR.CreateUnaryIntrinsic(Rounding, Values[0]),
                       Result);
}

template <Instruction::BinaryOps Operation>
Value *arithmetic(IRBuilder<> &IR, Arguments Values, Type *) {
  return IR.CreateBinOp(Operation, Values[0], Values[1]);
}

Value *saturate(IRBuilder<> &IR, Arguments Values, Type *Result) {
  Value *Low = IR.CreateMaxNum(Values[0], ConstantFP::getZero(Result));
  return IR.CreateMinNum(Low, ConstantFP::get(Result, 1.0));
}

/// What the functions compute that appear in index arithmetic. The names stand
/// without "__nv_"; the types are those of the call.
const StringMap<Builder> &knownFunctions() {
  static const StringMap<Builder> Table = [] {
    StringMap<Builder> Known = {
        {"abs", definedIntrinsic<Intrinsic::abs>},
        {"llabs", definedIntrinsic<Intrinsic::abs>},
        {"min", intrinsic<Intrinsic::smin>},
        {"max", intrinsic<Intrinsic::smax>},
        {"umin", intrinsic<Intrinsic::umin>},
        {"umax", intrinsic<Intrinsic::umax>},
        {"llmin", intrinsic<Intrinsic::smin>},
        {"llmax", intrinsic<Intrinsic::smax>},
        {"ullmin", intrinsic<Intrinsic::umin>},
        {"ullmax", intrinsic<Intrinsic::umax>},
        {"clz", definedIntrinsic<Intrinsic::ctlz>},
        {"clzll", definedIntrinsic<Intrinsic::ctlz>},
        {"popc", countBits},
        {"popcll", countBits},
        {"ffs", findFirstSet},
        {"ffsll", findFirstSet},
        {"brev", intrinsic<Intrinsic::bitreverse>},
        {"brevll", intrinsic<Intrinsic::bitreverse>},
        {"mul24", multiply24<true>},
        {"umul24", multiply24<false>},
        {"mulhi", multiplyHigh<true>},
        {"umulhi", multiplyHigh<false>},
        {"mul64hi", multiplyHigh<true>},
        {"umul64hi", multiplyHigh<false>},
        {"saturatef", saturate},
        {"double2float_rn", convert<Instruction::FPTrunc>},
        {"fsqrt_rn", intrinsic<Intrinsic::sqrt>},
        {"dsqrt_rn", intrinsic<Intrinsic::sqrt>},
        {"fmaf_rn", intrinsic<Intrinsic::fma>},
        {"fma_rn", intrinsic<Intrinsic::fma>},
    };
    for (StringRef Name :
         {"float_as_int", "float_as_uint", "int_as_float", "uint_as_float",
          "double_as_longlong", "longlong_as_double"})
      Known[Name] = reinterpret;

    const std::pair<StringRef, Builder> OfReals[] = {
        {"fabs", intrinsic<Intrinsic::fabs>},
        {"floor", intrinsic<Intrinsic::floor>},
        {"ceil", intrinsic<Intrinsic::ceil>},
        {"trunc", intrinsic<Intrinsic::trunc>},
        {"rint", intrinsic<Intrinsic::roundeven>},
        {"nearbyint", intrinsic<Intrinsic::roundeven>},
        {"round", intrinsic<Intrinsic::round>},
        {"sqrt", intrinsic<Intrinsic::sqrt>},
        {"fma", intrinsic<Intrinsic::fma>},
        {"fmin", intrinsic<Intrinsic::minnum>},
        {"fmax", intrinsic<Intrinsic::maxnum>},
        {"copysign", intrinsic<Intrinsic::copysign>},
    };
    for (auto [Name, Build] : OfReals) {
      Known[Name] = Build;
      Known[(Name + "f").str()] = Build;
    }

    for (StringRef Prefix : {"f", "d"}) {
      Known[(Prefix + "add_rn").str()] = arithmetic<Instruction::FAdd>;
      Known[(Prefix + "sub_rn").str()] = arithmetic<Instruction::FSub>;
      Known[(Prefix + "mul_rn").str()] = arithmetic<Instruction::FMul>;
      Known[(Prefix + "div_rn").str()] = arithmetic<Instruction::FDiv>;
    }
    for (StringRef Real : {"float", "double"}) {
      for (StringRef Integer : {"int", "ll"}) {
        std::string To = (Real + "2" + Integer).str();
        Known[To + "_rz"] = convert<Instruction::FPToSI>;
        Known[To + "_rd"] =
            convertRounded<Instruction::FPToSI, Intrinsic::floor>;
        Known[To + "_ru"] =
            convertRounded<Instruction::FPToSI, Intrinsic::ceil>;
        Known[To + "_rn"] =
            convertRounded<Instruction::FPToSI, Intrinsic::roundeven>;
        Known[(Integer + "2" + Real + "_rn").str()] =
            convert<Instruction::SIToFP>;
      }
      for (StringRef Integer : {"uint", "ull"}) {
        std::string To = (Real + "2" + Integer).str();
        Known[To + "_rz"] = convert<Instruction::FPToUI>;
        Known[To + "_rd"] =
            convertRounded<Instruction::FPToUI, Intrinsic::floor>;
        Known[To + "_ru"] =
            convertRounded<Instruction::FPToUI, Intrinsic::ceil>;
        Known[To + "_rn"] =
            convertRounded<Instruction::FPToUI, Intrinsic::roundeven>;
        Known[(Integer + "2" + Real + "_rn").str()] =
            convert<Instruction::UIToFP>;
      }
    }
    return Known;
  }();
  return Table;
}

void replaceCalls(Function &Callee, Builder Build) {
  for (User *Use : make_early_inc_range(Callee.users())) {
    auto *Call = dyn_cast<CallInst>(Use);
    if (!Call || Call->getCalledFunction() != &Callee)
      continue;
    IRBuilder<> IR(Call);
    IR.setFastMathFlags(isa<FPMathOperator>(Call) ? Call->getFastMathFlags()
                                                  : FastMathFlags());
    SmallVector<Value *, 3> Values(Call->args());
    Value *Result = Build(IR, Values, Call->getType());
    Result->takeName(Call);
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

/// A pure function of its arguments, except for the results that some hand
/// back through pointers (sincos, frexp, modf).
void markPure(Function &Callee) {
  bool TakesPointers = any_of(Callee.args(), [](const Argument &Parameter) {
    return Parameter.getType()->isPointerTy();
  });
  Callee.setMemoryEffects(TakesPointers ? MemoryEffects::argMemOnly()
                                        : MemoryEffects::none());
  Callee.setDoesNotThrow();
  Callee.setWillReturn();
  Callee.removeFnAttr(Attribute::Convergent);
}

} // namespace

void describeMathCalls(Module &Module) {
  for (Function &Callee : make_early_inc_range(Module)) {
    StringRef Name = Callee.getName();
    if (!Callee.isDeclaration() || !Name.consume_front("__nv_"))
      continue;
    if (auto Known = knownFunctions().find(Name);
        Known != knownFunctions().end())
      replaceCalls(Callee, Known->second);
    if (Callee.use_empty())
      Callee.eraseFromParent();
    else
      markPure(Callee);
  }
}

} // namespace warpwise::frontend
