//===- AccessModel.cpp - What every memory access costs a warp ------------===//

#include "analyzer/model/AccessModel.h"

#include <algorithm>

namespace warpwise::access {

bool isJudged(const Access &A) {
  return std::any_of(A.PerLaunch.begin(), A.PerLaunch.end(), [](const Cost &C) {
    return C.State == Proof::Exact || C.State == Proof::Bounded ||
           C.State == Proof::Estimated;
  });
}

} // namespace warpwise::access
