//===- AccessModel.cpp - What every memory access costs a warp ------------===//

#include "analyzer/model/AccessModel.h"

#include <algorithm>

namespace warpwise::access {

std::string_view nameOf(Space Memory) {
  switch (Memory) {
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Constant:
    return "constant";
  case Space::Local:
    return "local";
  case Space::Texture:
    return "texture";
  case Space::Generic:
    return "generic";
  }
  return "";
}

std::string_view nameOf(Operation Op) {
  switch (Op) {
  case Operation::Load:
    return "load";
  case Operation::Store:
    return "store";
  case Operation::Atomic:
    return "atomic";
  }
  return "";
}

const Cost *costUnder(const Access &A, unsigned Launch) {
  for (const Cost &C : A.PerLaunch)
    if (C.Launch == Launch && C.State != Proof::Unknown)
      return &C;
  return nullptr;
}

bool makesRequests(const Access &A, unsigned Launch) {
  const Cost *C = costUnder(A, Launch);
  return C && C->Weight > 0;
}

bool isJudged(const Access &A) {
  return std::any_of(A.PerLaunch.begin(), A.PerLaunch.end(), [](const Cost &C) {
    return C.State == Proof::Exact || C.State == Proof::Bounded ||
           C.State == Proof::Estimated;
  });
}

static bool isConsistent(const Cost &C, const Kernel &K) {
  constexpr double Rounding = 1e-6; // of a mean
  const bool IsUnreached = C.State == Proof::Unknown;
  return (IsUnreached || C.Launch < K.Launches.size()) &&
         (C.State == Proof::Exact) == C.Reason.empty() &&
         C.Low.has_value() == C.High.has_value() &&
         (C.State != Proof::Bounded || C.Low) &&
         (C.State != Proof::Exact || !C.Low) && (!C.Low || *C.Low <= *C.High) &&
         C.Least.has_value() == C.Most.has_value() &&
         (!C.Least || *C.Least <= *C.Most) && C.ActiveLanes >= 0 &&
         C.ActiveLanes <= WarpLanes + Rounding && C.Weight >= 0 &&
         (!C.KeptIfInRegister ||
          (*C.KeptIfInRegister >= 0 && *C.KeptIfInRegister <= 1)) &&
         std::all_of(C.LoadedBeside.begin(), C.LoadedBeside.end(),
                     [](double Share) { return Share >= 0 && Share <= 1; });
}

bool isConsistent(const Kernel &K) {
  return !K.Launches.empty() && K.Works.size() == K.Launches.size() &&
         std::all_of(K.PrivateArrays.begin(), K.PrivateArrays.end(),
                     [&](const PrivateArray &A) {
                       return !A.Array || *A.Array < K.Arrays.size();
                     }) &&
         std::all_of(
             K.Accesses.begin(), K.Accesses.end(), [&](const Access &A) {
               return !A.PerLaunch.empty() && A.RoundsAtOnce != 0 &&
                      (!A.Array || *A.Array < K.Arrays.size()) &&
                      std::all_of(
                          A.PerLaunch.begin(), A.PerLaunch.end(),
                          [&](const Cost &C) { return isConsistent(C, K); });
             });
}

} // namespace warpwise::access
