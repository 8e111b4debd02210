//===- ShapeReading.cpp - What values say of a block or grid --------------===//

#include "analyzer/launch/ShapeReading.h"

#include "profiler/profile/ArchitectureLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cstdlib>

namespace warpwise::launch {

/// Calls \p Visit with what a dim3 has for each axis, or with a number for x.
static void
forEachAxis(const Value &V,
            llvm::function_ref<void(const Value &, unsigned)> Visit) {
  constexpr int64_t Bytes = sizeof(uint32_t);
  const Record *Members = V.getRecord();
  if (!Members)
    return Visit(V, 0);
  for (const Cell &C : **Members)
    if (C.Offset >= 0 && C.Offset < 3 * Bytes && C.Offset % Bytes == 0)
      Visit(C.Content, unsigned(C.Offset / Bytes));
}

/// The length that \p Extent is, if it is one of no more than \p Most.
static std::optional<uint32_t> lengthOf(const Value &Extent, int64_t Most) {
  const int64_t *Known = Extent.getInteger();
  return Known && *Known > 0 && *Known <= Most
             ? std::optional(static_cast<uint32_t>(*Known))
             : std::nullopt;
}

std::optional<Dim3> readShape(const Value &V, bool &Certain) {
  // An error in another part of the launch keeps `256` from becoming a dim3.
  if (V.getInteger()) {
    Certain = V.Doubts == 0;
    const std::optional<uint32_t> Threads = lengthOf(V, UINT32_MAX);
    return Threads ? std::optional(Dim3{*Threads, 1, 1}) : std::nullopt;
  }
  if (!V.getRecord())
    return std::nullopt;
  Dim3 Shape = {0, 0, 0};
  forEachAxis(V, [&](const Value &Extent, unsigned Axis) {
    Shape[Axis] = lengthOf(Extent, UINT32_MAX).value_or(0);
    if (Extent.Doubts | V.Doubts)
      Certain = false;
  });
  return llvm::is_contained(Shape, 0U) ? std::nullopt : std::optional(Shape);
}

Dim3 certainAxes(const Value &V) {
  Dim3 Axes = {0, 0, 0};
  forEachAxis(V, [&](const Value &Extent, unsigned Axis) {
    if (!(Extent.Doubts | V.Doubts))
      Axes[Axis] = lengthOf(Extent, profile::MostBlockThreads).value_or(0);
  });
  return Axes;
}

Dim3 mostAlongAxes(const Value &V, uint64_t Limit) {
  Dim3 Most = {0, 0, 0};
  forEachAxis(V, [&](const Value &Extent, unsigned Axis) {
    if (!Extent.Doubts)
      Most[Axis] = lengthOf(Extent, int64_t(Limit)).value_or(0);
    if (!Extent.Within)
      return;
    const llvm::APInt Its = Extent.Within->Range.getSignedMax();
    if (Its.isStrictlyPositive() && Its.ule(Limit))
      Most[Axis] = static_cast<uint32_t>(Its.getZExtValue());
  });
  return Most;
}

FromArguments formulasOf(const Value &Grid, llvm::ArrayRef<Value> Arguments) {
  FromArguments Result;
  forEachAxis(Grid, [&](const Value &Extent, unsigned Axis) {
    if (!Extent.Is)
      return;
    const Quotient &Q = *Extent.Is;
    for (uint32_t I = 0; I != Arguments.size(); ++I)
      if (const SharedQuotient &Its = Arguments[I].Is;
          Its && Its->Of == Q.Of && Its->Times == 1 && Its->By == 1) {
        const int64_t Plus = Q.Plus - Its->Plus * Q.Times;
        if (std::abs(Plus) <= FromArgument::Most)
          Result[Axis] = FromArgument{I, Q.Times, Plus, Q.By};
        return;
      }
  });
  return Result;
}

unsigned noMultipleOf(llvm::ArrayRef<Value> Arguments) {
  uint64_t Least = 0;
  for (const Value &V : Arguments)
    if (V.Within)
      for (const uint64_t N : V.Within->NotOf)
        Least = Least ? std::min(Least, N) : N;
  return Least <= INT32_MAX ? static_cast<unsigned>(Least) : 0;
}

} // namespace warpwise::launch
