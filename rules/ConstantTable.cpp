//===- ConstantTable.cpp - Constant memory that is none of it -------------===//

#include "rules/ConstantTable.h"

#include <fmt/format.h>

using namespace warpwise;

std::optional<advice::Rewrite> rules::moveToGlobal(const access::Kernel &K,
                                                   const access::Access &A) {
  if (!A.Array)
    return std::nullopt;
  const auto &Array = K.Arrays[*A.Array];
  advice::Rewrite Fix;
  Fix.Title =
      fmt::format("move '{}' from constant to global memory", Array.Name);
  Fix.Withheld = Array.WhyConstantStays;
  if (Fix.Withheld.empty())
    Fix.Changes = {{Array.Constant, "__constant__", "__device__"}};
  return Fix;
}
