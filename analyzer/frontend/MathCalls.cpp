//===- MathCalls.cpp - What calls into CUDA's math library do -------------===//

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

/// Anybody may declare a function of this name with any type.
bool are(Arguments Values, unsigned Count, bool (*IsWanted)(const Type *)) {
  return Values.size() == Count &&
         all_of(Values, [&](const Value *V) { return IsWanted(V->getType()); });
}

bool isInteger(const Type *T) { return T->isIntegerTy(); }
bool isReal(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

/// Whether all have one type, numbers.
bool areAlike(Arguments Values, unsigned Count, Type *Result) {
  return Values.size() == Count && (isInteger(Result) || isReal(Result)) &&
         all_of(Values, [&](const Value *V) { return V->getType() == Result; });
}

/// Whether the intrinsic is one of whole numbers.
constexpr bool isOfIntegers(Intrinsic::ID Id) {
  return Id == Intrinsic::smin || Id == Intrinsic::smax ||
         Id == Intrinsic::umin || Id == Intrinsic::umax ||
         Id == Intrinsic::bitreverse;
}

constexpr unsigned argumentsOf(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::fma:
    return 3;
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::copysign:
    return 2;
  default:
    return 1;
  }
}

template <Intrinsic::ID Id>
Value *intrinsic(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!areAlike(Values, argumentsOf(Id), Result) ||
      isInteger(Result) != isOfIntegers(Id))
    return nullptr;
  return IR.CreateIntrinsic(Result, Id, Values);
}

/// ctlz and abs take one more argument: nothing is poison.
template <Intrinsic::ID Id>
Value *definedIntrinsic(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!are(Values, 1, isInteger) || !isInteger(Result))
    return nullptr;
  Value *Full = IR.CreateBinaryIntrinsic(Id, Values[0], IR.getFalse());
  return IR.CreateZExtOrTrunc(Full, Result);
}

/// The count of bits is an int whatever the argument is.
Value *countBits(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!are(Values, 1, isInteger) || !isInteger(Result))
    return nullptr;
  Value *Count = IR.CreateUnaryIntrinsic(Intrinsic::ctpop, Values[0]);
  return IR.CreateZExtOrTrunc(Count, Result);
}

/// One more than the index of the lowest bit that is set, 0 when none is.
Value *findFirstSet(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!are(Values, 1, isInteger) || !isInteger(Result))
    return nullptr;
  Value *Zeros =
      IR.CreateBinaryIntrinsic(Intrinsic::cttz, Values[0], IR.getFalse());
  Value *Index = IR.CreateZExtOrTrunc(Zeros, Result);
  return IR.CreateSelect(IR.CreateIsNull(Values[0]),
                         Constant::getNullValue(Result),
                         IR.CreateAdd(Index, ConstantInt::get(Result, 1)));
}

template <bool Signed>
Value *multiply24(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!areAlike(Values, 2, Result) || !Result->isIntegerTy(32))
    return nullptr;
  auto LowBits = [&](Value *Factor) {
    Value *Shifted = IR.CreateShl(Factor, 8);
    return Signed ? IR.CreateAShr(Shifted, 8) : IR.CreateLShr(Shifted, 8);
  };
  return IR.CreateMul(LowBits(Values[0]), LowBits(Values[1]));
}

template <bool Signed>
Value *multiplyHigh(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!areAlike(Values, 2, Result) ||
      !(Result->isIntegerTy(32) || Result->isIntegerTy(64)))
    return nullptr;
  unsigned Bits = Result->getIntegerBitWidth();
  Type *Wide = IR.getIntNTy(2 * Bits);
  auto Widen = [&](Value *Factor) {
    return Signed ? IR.CreateSExt(Factor, Wide) : IR.CreateZExt(Factor, Wide);
  };
  Value *Product = IR.CreateMul(Widen(Values[0]), Widen(Values[1]));
  return IR.CreateTrunc(IR.CreateLShr(Product, Bits), Result);
}

Value *reinterpret(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (Values.size() != 1 ||
      !CastInst::isBitCastable(Values[0]->getType(), Result))
    return nullptr;
  return IR.CreateBitCast(Values[0], Result);
}

template <Instruction::CastOps Cast>
Value *convert(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (Values.size() != 1 || !CastInst::castIsValid(Cast, Values[0], Result))
    return nullptr;
  return IR.CreateCast(Cast, Values[0], Result);
}

/// To an integer, rounded first.
template <Instruction::CastOps Cast, Intrinsic::ID Rounding>
Value *convertRounded(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!are(Values, 1, isReal) || !isInteger(Result))
    return nullptr;
  return IR.CreateCast(Cast, IR.CreateUnaryIntrinsic(Rounding, Values[0]),
                       Result);
}

template <Instruction::BinaryOps Operation>
Value *arithmetic(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!areAlike(Values, 2, Result) || !isReal(Result))
    return nullptr;
  return IR.CreateBinOp(Operation, Values[0], Values[1]);
}

Value *saturate(IRBuilder<> &IR, Arguments Values, Type *Result) {
  if (!areAlike(Values, 1, Result) || !isReal(Result))
    return nullptr;
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
        {"llrint", convertRounded<Instruction::FPToSI, Intrinsic::roundeven>},
        {"llround", convertRounded<Instruction::FPToSI, Intrinsic::round>},
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
    if (!Result)
      continue; // a function of another type by this name
    Result->takeName(Call);
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

/// Functions with two results, which are handed back through pointers: what
/// each becomes, a function or "whole" for what is computed here. The first is
/// what is returned, unless there is one more pointer.
struct TwoResults {
  const char *First, *Second;
  unsigned Numbers; ///< arguments that are no pointers
  bool ReturnsFirst;
};

const StringMap<TwoResults> &functionsWithTwoResults() {
  static const StringMap<TwoResults> Table = [] {
    StringMap<TwoResults> Known;
    for (const char *Suffix : {"", "f"}) {
      const std::string S = Suffix;
      Known["sincos" + S] = {"sin", "cos", 1, false};
      Known["sincospi" + S] = {"sinpi", "cospi", 1, false};
      Known["frexp" + S] = {"frexp_fraction", "frexp_exponent", 1, true};
      Known["remquo" + S] = {"remainder", "remquo_quotient", 2, true};
      Known["modf" + S] = {"", "", 1, true};
    }
    Known["fast_sincosf"] = {"fast_sin", "fast_cos", 1, false};
    return Known;
  }();
  return Table;
}

void markPure(Function &Callee);

constexpr StringLiteral OneOfTwo = "warpwise-one-of-two"; // see MathCalls.h

class ResultSplitter {
  Function &Callee;
  const StringRef Name;
  const TwoResults Known;

public:
  ResultSplitter(Function &Callee, StringRef Name, const TwoResults &Known)
      : Callee(Callee), Name(Name), Known(Known) {}

  /// Replaces the calls by two calls and by stores, which are accesses like
  /// any others.
  void run() {
    if (!isDeclaredAsKnown())
      return;
    for (User *Use : make_early_inc_range(Callee.users()))
      if (auto *Call = dyn_cast<CallInst>(Use);
          Call && Call->getCalledFunction() == &Callee)
        split(*Call);
  }

private:
  bool isDeclaredAsKnown() const {
    const FunctionType *T = Callee.getFunctionType();
    const unsigned Pointers = Known.ReturnsFirst ? 1 : 2;
    if (T->isVarArg() || T->getNumParams() != Known.Numbers + Pointers)
      return false;
    Type *Real = T->getParamType(0);
    const bool IsSingle = Name.ends_with("f") && Name != "modf";
    if (!(IsSingle ? Real->isFloatTy() : Real->isDoubleTy()) ||
        (Known.ReturnsFirst ? T->getReturnType() != Real
                            : !T->getReturnType()->isVoidTy()))
      return false;
    for (unsigned N = 0; N != T->getNumParams(); ++N)
      if (N < Known.Numbers ? T->getParamType(N) != Real
                            : !T->getParamType(N)->isPointerTy())
        return false;
    return true;
  }

  Value *call(IRBuilder<> &IR, StringRef Part, ArrayRef<Value *> Numbers,
              Type *Result) const {
    SmallVector<Type *, 2> Types(Numbers.size(), Numbers[0]->getType());
    FunctionCallee Found = Callee.getParent()->getOrInsertFunction(
        ("__nv_" + Part + (Numbers[0]->getType()->isFloatTy() ? "f" : ""))
            .str(),
        FunctionType::get(Result, Types, /*isVarArg=*/false));
    if (auto *Declared = dyn_cast<Function>(Found.getCallee()))
      markPure(*Declared);
    CallInst *Made = IR.CreateCall(Found, Numbers);
    Made->addFnAttr(Attribute::get(Callee.getContext(), OneOfTwo));
    return Made;
  }

  void split(CallInst &Call) const {
    IRBuilder<> IR(&Call);
    const SmallVector<Value *, 2> Numbers(Call.arg_begin(),
                                          Call.arg_begin() + Known.Numbers);
    Type *Real = Numbers[0]->getType();
    Value *First = nullptr, *Second = nullptr;
    if (*Known.First) {
      const bool IsWhole = StringRef(Known.Second).contains('_') &&
                           !StringRef(Known.Second).starts_with("fast");
      First = call(IR, Known.First, Numbers, Real);
      Second =
          call(IR, Known.Second, Numbers, IsWhole ? IR.getInt32Ty() : Real);
    } else { // modf
      Value *X = Numbers[0];
      Second = IR.CreateUnaryIntrinsic(Intrinsic::trunc, X);
      Value *IsInfinite =
          IR.CreateFCmpOEQ(IR.CreateUnaryIntrinsic(Intrinsic::fabs, X),
                           ConstantFP::getInfinity(Real));
      Value *Rest = IR.CreateSelect(IsInfinite, ConstantFP::getZero(Real),
                                    IR.CreateFSub(X, Second));
      First = IR.CreateBinaryIntrinsic(Intrinsic::copysign, Rest, X);
    }
    unsigned Pointer = Known.Numbers;
    if (Known.ReturnsFirst)
      Call.replaceAllUsesWith(First);
    else
      IR.CreateStore(First, Call.getArgOperand(Pointer++));
    IR.CreateStore(Second, Call.getArgOperand(Pointer));
    Call.eraseFromParent();
  }
};

/// A pure function of its arguments, except for results that it hands back
/// through pointers.
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
    else if (auto Two = functionsWithTwoResults().find(Name);
             Two != functionsWithTwoResults().end())
      ResultSplitter(Callee, Name, Two->second).run();
    if (Callee.use_empty())
      Callee.eraseFromParent();
    else
      markPure(Callee);
  }
}

} // namespace warpwise::frontend
