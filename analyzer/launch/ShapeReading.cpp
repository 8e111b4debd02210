//===- ShapeReading.cpp - What values say of a block or grid --------------===//

#include "analyzer/launch/ShapeReading.h"

#include "profiler/profile/ArchitectureLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

namespace warpwise::launch {

std::optional<Dim3> readShape(const Value &V, bool &Certain) {
  // An error in another part of the launch keeps `256` from becoming a dim3.
  if (const int64_t *Threads = V.getInteger()) {
    Certain = V.Doubts == 0;
    return *Threads > 0 && *Threads <= UINT32_MAX
               ? std::optional(Dim3{static_cast<uint32_t>(*Threads), 1, 1})
               : std::nullopt;
  }
  const Record *Members = V.getRecord();
  if (!Members)
    return std::nullopt;
  Dim3 Shape = {0, 0, 0};
  for (const Cell &C : **Members) {
    const int64_t *Length = C.Content.getInteger();
    if (Length && *Length > 0 && C.Offset % 4 == 0 && C.Offset < 12 &&
        *Length <= UINT32_MAX)
      Shape[C.Offset / 4] = static_cast<uint32_t>(*Length);
    if (C.Content.Doubts | V.Doubts)
      Certain = false;
  }
  return llvm::is_contained(Shape, 0U) ? std::nullopt : std::optional(Shape);
}

Dim3 certainAxes(const Value &V) {
  Dim3 Axes = {0, 0, 0};
  if (const Record *Members = V.getRecord())
    for (const Cell &C : **Members) {
      const int64_t *Length = C.Content.getInteger();
      if (Length && *Length > 0 && *Length <= profile::MostBlockThreads &&
          C.Offset % 4 == 0 && C.Offset < 12 && !(C.Content.Doubts | V.Doubts))
        Axes[C.Offset / 4] = static_cast<uint32_t>(*Length);
    }
  return Axes;
}

Dim3 mostAlongAxes(const Value &V, uint64_t Limit) {
  Dim3 Most = {0, 0, 0};
  const auto note = [&](const Value &Length, int64_t Offset) {
    if (Offset % 4 != 0 || Offset < 0 || Offset >= 12)
      return;
    const int64_t *Known = Length.getInteger();
    if (Known && !Length.Doubts && *Known > 0 && uint64_t(*Known) <= Limit)
      Most[Offset / 4] = static_cast<uint32_t>(*Known);
    if (!Length.Within)
      return;
    const llvm::APInt Its = Length.Within->Range.getSignedMax();
    if (Its.isStrictlyPositive() && Its.ule(Limit))
      Most[Offset / 4] = static_cast<uint32_t>(Its.getZExtValue());
  };
  note(V, 0);
  if (const Record *Members = V.getRecord())
    for (const Cell &C : **Members)
      note(C.Content, C.Offset);
  return Most;
}

FromArguments formulasOf(const Value &Grid, llvm::ArrayRef<Value> Arguments) {
  FromArguments Result;
  const auto note = [&](const Value &Extent, int64_t Offset) {
    if (!Extent.Is || Offset % 4 != 0 || Offset < 0 || Offset >= 12)
      return;
    const Quotient &Q = *Extent.Is;
    for (uint32_t I = 0; I != Arguments.size(); ++I)
      if (const SharedQuotient &Its = Arguments[I].Is;
          Its && Its->Of == Q.Of && Its->Times == 1 && Its->By == 1) {
        const int64_t Plus = Q.Plus - Its->Plus * Q.Times;
        if (std::abs(Plus) <= FromArgument::Most)
          Result[Offset / 4] = FromArgument{I, Q.Times, Plus, Q.By};
        return;
      }
  };
  note(Grid, 0);
  if (const Record *Members = Grid.getRecord())
    for (const Cell &C : **Members)
      note(C.Content, C.Offset);
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
