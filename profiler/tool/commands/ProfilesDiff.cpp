//===- ProfilesDiff.cpp - warpwise profiles diff --------------------------===//

#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/reports/Diff.h"

#include <memory>

namespace warpwise::tool {
namespace {

struct Options {
  std::string A, B;
};

int run(const Options &O) {
  const auto A = profile::find(O.A);
  const auto B = A ? profile::find(O.B) : A;
  if (!B) {
    printError(B.reason());
    return 1;
  }
  const reports::Difference Found = reports::diff(*A, *B);
  return print(Found.Text) && !Found.Significant ? 0 : 1;
}

std::function<int()> declare(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("A", O->A, "A profile, part of a GPU's name, or a file")
      ->required()
      ->option_text("(required)");
  App.add_option("B", O->B, "What to compare it with")
      ->required()
      ->option_text("(required)");
  return [O] { return run(*O); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "diff",
    .Summary = "Compare two profiles; the exit status is 1 when they differ",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool
