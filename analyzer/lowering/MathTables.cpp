//===- MathTables.cpp - Tables that mathematical functions read -----------===//

#include "analyzer/lowering/MathTables.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <numbers>
#include <optional>

using namespace llvm;

namespace warpwise::lowering {
namespace {

// Read off the PTX that nvcc 13.0 makes of libdevice: of the
// eight doubles of a quadrant's row six are loaded, two at a time; the others
// are immediates.
constexpr unsigned RowBytes = 64, LoadBytes = 16, LoadsOfRow = 3, Rows = 2;

struct Lookup {
  double QuadrantsOfOne; ///< of the circle, in an argument of one
  bool StartsOdd;        ///< cos(x) is sin(x + pi / 2)
};

std::optional<Lookup> lookupOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  // nvcc folds what is constant, and its sincos has the coefficients of both
  // polynomials in its code (attribute: see analyzer/frontend/MathCalls.h).
  if (!Callee || Call.hasFnAttr("warpwise-one-of-two") ||
      Call.arg_size() != 1 || !Call.getType()->isDoubleTy() ||
      !Call.getArgOperand(0)->getType()->isDoubleTy() ||
      isa<Constant>(Call.getArgOperand(0)))
    return std::nullopt;
  constexpr double OfRadian = 2 * std::numbers::inv_pi;
  return StringSwitch<std::optional<Lookup>>(Callee->getName())
      .Case("__nv_sin", Lookup{OfRadian, false})
      .Case("__nv_cos", Lookup{OfRadian, true})
      .Case("__nv_sinpi", Lookup{2, false})
      .Case("__nv_cospi", Lookup{2, true})
      .Default(std::nullopt);
}

GlobalVariable *tableIn(Module &M) {
  constexpr StringLiteral Name = "__cudart_sin_cos_coeffs"; // nvcc's own
  if (GlobalVariable *Table = M.getNamedGlobal(Name))
    return Table;
  auto *T = ArrayType::get(Type::getInt8Ty(M.getContext()), Rows * RowBytes);
  auto *Table = new GlobalVariable(
      M, T, /*isConstant=*/true, GlobalValue::ExternalLinkage,
      /*Initializer=*/nullptr, Name, /*InsertBefore=*/nullptr,
      GlobalValue::NotThreadLocal, GlobalSpace);
  Table->setAlignment(Align(LoadBytes));
  return Table;
}

void show(CallInst &Call, const Lookup &Its) {
  IRBuilder<> Builder(&Call);
  // To the nearest whole number: beyond 2^52 a double has no other bits.
  Value *Magic = ConstantFP::get(Builder.getDoubleTy(), 0x1.8p52);
  Value *Quadrant = Builder.CreateFMul(
      Call.getArgOperand(0),
      ConstantFP::get(Builder.getDoubleTy(), Its.QuadrantsOfOne));
  Quadrant = Builder.CreateFSub(Builder.CreateFAdd(Quadrant, Magic), Magic);
  Value *Row = Builder.CreateFPToSI(Quadrant, Builder.getInt64Ty());
  if (Its.StartsOdd)
    Row = Builder.CreateAdd(Row, Builder.getInt64(1));
  Row = Builder.CreateAnd(Row, Rows - 1);
  Value *Start =
      Builder.CreateGEP(Builder.getInt8Ty(), tableIn(*Call.getModule()),
                        Builder.CreateMul(Row, Builder.getInt64(RowBytes)));
  for (unsigned N = 0; N != LoadsOfRow; ++N)
    Builder.CreateAlignedLoad(
        FixedVectorType::get(Builder.getDoubleTy(), 2),
        Builder.CreateConstGEP1_64(Builder.getInt8Ty(), Start, N * LoadBytes),
        Align(LoadBytes));
}

} // namespace

void showMathTables(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const std::optional<Lookup> Its = lookupOf(*Call))
        show(*Call, *Its);
}

} // namespace warpwise::lowering
