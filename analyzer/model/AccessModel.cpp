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

} // namespace warpwise::access
