//===- SwapLoops.cpp - Loops that do what one atomic does -----------------===//
//
// A loop around atomicCAS loads the word first, waits for each answer, and
// begins anew when another lane has come between. L2 adds, sets bits and takes
// extremes by itself, and nobody waits for it whose answer is not wanted.
//
//===----------------------------------------------------------------------===//

#include "rules/cuda-memory-atomic-contention/SwapLoops.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "rules/Wording.h"

#include <fmt/format.h>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::SwapLoop;

namespace {

constexpr std::string_view Price =
    paths::warp_atomics_global_same_address_throughput;

bool holdsFloats(const Access &A) {
  return A.Of.Holds == access::Element::Kind::Float;
}

/// Atomic addition of doubles came with compute capability 6.0 (CUDA C++
/// Programming Guide, atomicAdd).
bool hasAtomic(const Access &A, const profile::Profile &Device) {
  constexpr unsigned AddsDoubles = 60, DoubleBytes = 8;
  if (A.Swaps != SwapLoop::Sum || !holdsFloats(A) || A.Bytes < DoubleBytes)
    return true;
  const profile::ArchitectureLimits *Its =
      profile::limitsOf(Device.Architecture);
  return Its && Its->Capability >= AddsDoubles;
}

/// What the loop is about, and the atomics that do it.
std::string_view doneBy(SwapLoop What) {
  switch (What) {
  case SwapLoop::Sum:
    return "it has added to it, which one atomicAdd does";
  case SwapLoop::Bits:
    return "it has changed its bits, which one atomicOr, atomicAnd or "
           "atomicXor does";
  default:
    return "the greater or the less of two numbers is there, which one "
           "atomicMax or atomicMin does";
  }
}

/// A maximum of floats.
constexpr std::string_view ByBits =
    "atomicMax of a signed one for what is not negative, atomicMin of an "
    "unsigned one for what is (for a minimum the other way round)";

std::string remedy(const Access &A) {
  const std::string Object = quotedObject(A);
  switch (A.Swaps) {
  case SwapLoop::Sum:
    return fmt::format("call atomicAdd on {} in place of the loop", Object);
  case SwapLoop::Bits:
    return fmt::format("call atomicOr, atomicAnd or atomicXor on {} in place "
                       "of the loop",
                       Object);
  default:
    break;
  }
  if (holdsFloats(A))
    return fmt::format("take the bits of the numbers in {} for integers, in "
                       "whose order they are: {}",
                       Object, ByBits);
  // Programs keep the bits of floats in arrays of integers, too.
  return fmt::format("call atomicMax or atomicMin on {} in place of the loop; "
                     "if it holds the bits of floats, {}",
                     Object, ByBits);
}

} // namespace

void checkSwapLoop(const access::Kernel &Kernel, const Access &A,
                   const profile::Profile &Device, const Sink &Report) {
  if (!hasAtomic(A, Device))
    return;
  const auto V = judge(Kernel, A,
                       [](const Cost &) -> std::optional<Demand> {
                         // A load and a swap, at least; how often it begins
                         // anew the price knows.
                         return Demand{2, 1, 2, 2, true};
                       },
                       {1, 0});
  if (!V)
    return;
  auto F = startFinding(Kernel, A, *V, Device, Price);
  dropCost(F);
  F.Message = fmt::format("a loop compares and swaps a word of {} until {}",
                          quotedObject(A), doneBy(A.Swaps));
  addNote(F, "it waits for each answer, and begins anew when another lane has "
             "changed the word meanwhile: how often nobody knows");
  addLaunchNote(F, Kernel, *V);
  addEvidenceNote(F, Device, Price);
  setRemedy(F, A, remedy(A));
  // A function that adds so is called for several arrays.
  F.Cause = "swap loop";
  Report(F, cureOf(Kernel, A, V->Shown->Launch, {.IntoOneAtomic = true}));
}

} // namespace warpwise::rules
