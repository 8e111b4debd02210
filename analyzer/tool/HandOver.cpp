//===- HandOver.cpp - warpwise profile, profiles --------------------------===//
//
// What measures needs CUDA and no LLVM, so it is a program of its own. It gets
// the arguments as they are and answers in the name of warpwise.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/Messages.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace warpwise::tool {

std::string siblingProgram(llvm::StringRef Name) {
  // The address of this function lets LLVM find this program.
  llvm::SmallString<256> Path(llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&siblingProgram)));
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

std::optional<int> handOver(char **Argv) {
  const llvm::StringRef Command = Argv[0] && Argv[1] ? Argv[1] : "";
  if (Command != "profile" && Command != "profiles")
    return std::nullopt;
  const std::string Program = siblingProgram("warpwise-profile");
  ::execv(Program.c_str(), Argv);
  printError(fmt::format("cannot start '{}', which is part of Warpwise: {}",
                         Program, std::generic_category().message(errno)));
  return ExitError;
}

} // namespace warpwise::tool
