//===- PresetForms.cpp - What is there before the first step --------------===//

#include "analyzer/evaluate/proof/PresetForms.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/Casting.h"

#include <algorithm>

namespace warpwise::access::proof {
namespace {

unsigned bitsOf(const llvm::Type *T) {
  if (T->isPointerTy())
    return 64;
  const unsigned Bits = unsigned(T->getScalarSizeInBits());
  return Bits == 0 ? 64 : std::min(64u, Bits);
}

} // namespace

bool hasSymbolicWarps(const launch::Dim3 &B) {
  const uint64_t X = B[0], Y = B[1], Z = B[2];
  if (X * Y * Z % WarpLanes != 0)
    return false;
  if (X % WarpLanes == 0)
    return true;
  if (WarpLanes % X == 0 && Y % (WarpLanes / X) == 0)
    return true;
  return WarpLanes % (X * Y) == 0;
}

Form PresetForms::argument(const Preset &P) {
  const auto *Formal = llvm::cast<llvm::Argument>(P.Object);
  const unsigned Bits = bitsOf(Formal->getType());
  const launch::Argument *Given =
      P.Number < Arguments.size() ? &Arguments[P.Number] : nullptr;
  Form Likely = Form::of(Where.preset(P, {0, 0, 0}, 0), Bits);
  if (Formal->getType()->isPointerTy()) {
    if (Formal->hasByValAttr())
      return Likely;
    if (!Environment::isOriginUnknown(Arguments, P.Number)) {
      if (!Environment::mayBeAnother(*Formal))
        return Likely;
      // Allocations are that far apart, if they are not the same.
      constexpr int64_t AllocationAlignment = 256;
      return Forms.add(Likely,
                       Forms.scale(Forms.fresh(32, OriginAssumed),
                                   AllocationAlignment, 64, true),
                       64, true, false, false);
    }
    // Somewhere in its object; or null, which is as far from it as any number.
    // (If it is not null, it may still be what another argument is.)
    const uint32_t From = OriginAssumed | OriginPointer;
    const Form Offset =
        Given && Given->NotNull && Given->Certain
            ? Forms.fresh({1 - Wide(Likely.Base[0]), Wide(1) << 60}, 64, From)
            : Forms.fresh(64, From);
    return Forms.add(Likely, Offset, 64, true, false, false);
  }
  const bool Known =
      Given && Given->Certain &&
      (Formal->getType()->isIntegerTy()
           ? Given->Integer.has_value()
           : Formal->getType()->isFloatingPointTy() && Given->Real);
  return Known ? Likely : Forms.fresh(Bits, OriginAssumed);
}

/// threadIdx, where the number of the warp in its block is a symbol: see
/// hasSymbolicWarps for the shapes.
Form PresetForms::thread(Preset::Kind Axis) {
  const auto [X, Y, Z] = Shape.Block;
  auto lanes = [](auto Of) {
    Form F = Form::number(0, 32);
    F.Unsigned = true;
    for (unsigned L = 0; L != WarpLanes; ++L)
      F.Base[L] = Of(L);
    return F;
  };
  /// Count warps lie side by side along an axis, Step threads apart.
  auto along = [&](const Form &Lanes, uint64_t Step, uint64_t Count) {
    if (Count <= 1)
      return Lanes;
    return Forms.add(
        Lanes,
        Forms.scale(Forms.fresh({0, Wide(Count) - 1}, 32, OriginWarp),
                    int64_t(Step), 32, true),
        32, true, true, false);
  };
  if (X % WarpLanes == 0)
    switch (Axis) {
    case Preset::Kind::TidX:
      return along(lanes([](unsigned L) { return L; }), WarpLanes,
                   X / WarpLanes);
    case Preset::Kind::TidY:
      return along(Form::number(0, 32), 1, Y);
    default:
      return along(Form::number(0, 32), 1, Z);
    }
  const unsigned Rows = std::max(1u, WarpLanes / X);
  if (WarpLanes % X == 0 && Y % Rows == 0)
    switch (Axis) {
    case Preset::Kind::TidX:
      return lanes([&](unsigned L) { return L % X; });
    case Preset::Kind::TidY:
      return along(lanes([&](unsigned L) { return L / X; }), Rows, Y / Rows);
    default:
      return along(Form::number(0, 32), 1, Z);
    }
  switch (Axis) {
  case Preset::Kind::TidX:
    return lanes([&](unsigned L) { return L % X; });
  case Preset::Kind::TidY:
    return lanes([&](unsigned L) { return L / X % Y; });
  default:
    return along(lanes([&](unsigned L) { return L / (X * Y); }),
                 WarpLanes / (X * Y), uint64_t(X) * Y * Z / WarpLanes);
  }
}

Form PresetForms::of(const Preset &P, const Range &Which) {
  using Kind = Preset::Kind;
  auto within = [&](Interval I) {
    return I.Low == I.High ? Form::number(int64_t(I.Low), 32)
                           : Forms.fresh(I, 32, OriginBlock);
  };
  auto gridAxis = [&](unsigned Axis) {
    if (Shape.Grid)
      return Form::number((*Shape.Grid)[Axis], 32);
    return Forms.fresh({1, Axis == 0 ? (Wide(1) << 31) - 1 : 65535}, 32,
                       OriginAssumed);
  };
  switch (P.What) {
  case Kind::Argument:
    return argument(P);
  case Kind::TidX:
  case Kind::TidY:
  case Kind::TidZ:
    if (!Which.Warp)
      return thread(P.What);
    return Form::of(Where.preset(P, {0, 0, 0}, *Which.Warp), 32);
  case Kind::CtaidX:
    return within(Which.Block[0]);
  case Kind::CtaidY:
    return within(Which.Block[1]);
  case Kind::CtaidZ:
    return within(Which.Block[2]);
  case Kind::NctaidX:
    return gridAxis(0);
  case Kind::NctaidY:
    return gridAxis(1);
  case Kind::NctaidZ:
    return gridAxis(2);
  case Kind::Undefined:
    return Form::unknown(OriginUndefined, 64);
  case Kind::Assumed:
    return Forms.fresh(bitsOf(P.Object->getType()), OriginAssumed);
  case Kind::Constant:
  case Kind::Global:
  case Kind::Private:
    return Form::of(Where.preset(P, {0, 0, 0}, 0), 64);
  default:
    return Form::of(Where.preset(P, {0, 0, 0}, 0), 32);
  }
}

} // namespace warpwise::access::proof
