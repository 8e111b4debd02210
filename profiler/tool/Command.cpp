//===- Command.cpp - The list of sub-commands -----------------------------===//

#include "profiler/tool/Command.h"

#include <algorithm>
#include <tuple>

namespace warpwise::tool {

// Inside of a function, so that it exists before the first registration.
static std::vector<Command> &list() {
  static std::vector<Command> All;
  return All;
}

RegisteredCommand::RegisteredCommand(Command C) {
  const auto ByName = [](const Command &A, const Command &B) {
    return std::tie(A.Group, A.Name) < std::tie(B.Group, B.Name);
  };
  list().insert(std::upper_bound(list().begin(), list().end(), C, ByName), C);
}

const std::vector<Command> &commands() { return list(); }

} // namespace warpwise::tool
