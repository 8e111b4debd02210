//===- CompileCommands.h - From nvcc's command line to Clang's --*- C++ -*-===//
//
// Finds the compile command of a file and turns it, whether written for nvcc or
// for clang, into a device-side Clang invocation. The translation is one table
// (NvccOptions.h). Nothing named by a command is ever executed or loaded.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_COMPILECOMMANDS_H
#define WARPWISE_ANALYZER_FRONTEND_COMPILECOMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
}
namespace clang::tooling {
class CompilationDatabase;
struct CompileCommand;
} // namespace clang::tooling

namespace warpwise::frontend {

/// Where the CUDA headers come from.
struct Toolkit {
  /// Root of a CUDA toolkit; empty: the embedded minimal headers are used.
  std::string Path;
  /// From version.json or cuda.h, "13.0"; empty without a toolkit.
  std::string Version;

  bool found() const { return !Path.empty(); }
};

/// Texts that are read in place of files, by absolute path.
using EditedTexts = std::shared_ptr<const std::map<std::string, std::string>>;

/// A compile command that Clang can run for the device side of one file.
struct DeviceCommand {
  std::string File;      ///< absolute path of the main file
  std::string Directory; ///< working directory of the command
  /// Clang driver arguments without argv[0], ending in the file: language,
  /// architecture, the user's flags. The flags that select CUDA headers are
  /// not among them; headerArguments() in HeaderOverlay.h gives those.
  std::vector<std::string> Arguments;
  /// The architecture that the command asked for ("sm_120") and the one that
  /// is analysed ("sm_90a"), which differ when Clang does not know the first.
  /// For native, all and no architecture: the preferred one, or sm_90.
  std::string RequestedArch, AnalysedArch;
  /// The headers to use; see HeaderOverlay.h for the flags that follow from it.
  Toolkit Cuda;
  /// -maxrregcount, when given.
  std::optional<unsigned> MaxRegisters;
  /// -restrict: every kernel pointer argument is restrict.
  bool RestrictPointers = false;
  /// What is read instead of from the disk; null: nothing.
  EditedTexts Edited;
  /// What another tool's driver has made of the command; null: nobody has.
  /// Else Arguments do not count.
  std::shared_ptr<const clang::CompilerInvocation> Invocation;
  /// One sentence each, said once per run ("sm_120 is analysed as sm_90a").
  std::vector<std::string> Notes;
};

/// The toolkit whose include/cuda_runtime.h is below \p Root; else none.
Toolkit toolkitAt(llvm::StringRef Root);

/// The toolkit that \p Argv0 belongs to (nvcc, with a path or to be found in
/// PATH; may be empty), or CUDA_PATH, CUDA_HOME, /usr/local/cuda, in this
/// order.
Toolkit findToolkit(llvm::StringRef Argv0 = {});

/// What the user can say about a command besides the database.
struct CommandOptions {
  /// "none" forces the embedded headers; a path replaces the search.
  std::string CudaPath;
  /// Flags after "--" on Warpwise's command line, Clang's or nvcc's.
  std::vector<std::string> ExtraArguments;
  /// The architecture to prefer among those a command lists, and for native.
  std::string PreferredArch;
  /// What all commands are to read instead of from the disk; null: nothing.
  EditedTexts Edited;
};

/// Translates one command. The error names what is at fault (a missing
/// response file).
llvm::Expected<DeviceCommand>
translateCommand(const clang::tooling::CompileCommand &Command,
                 const CommandOptions &Options);

/// What neither nvcc nor Clang knows among the flags after "--", a sentence for
/// each. A database's commands may have flags of any compiler; what somebody
/// has just typed is a mistake.
std::vector<std::string>
findUnknownFlags(llvm::ArrayRef<std::string> Arguments);

/// The command for a file that has none: "nvcc FILE".
llvm::Expected<DeviceCommand> defaultCommand(llvm::StringRef File,
                                             const CommandOptions &Options);

/// The file that \p Path, a database or the folder of one, stands for.
std::string databaseFile(llvm::StringRef Path);

/// Reads compile_commands.json at \p Path (the file or a folder). The error is
/// one sentence that names the path.
llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
loadDatabase(llvm::StringRef Path);

/// Looks for compile_commands.json in the folder of \p File, its parents, and
/// their build/ folders; null when there is none.
std::unique_ptr<clang::tooling::CompilationDatabase>
findDatabase(llvm::StringRef File);

/// True for a command that compiles CUDA: by language flag, or by the suffixes
/// .cu and .cuh.
bool isCudaCommand(const clang::tooling::CompileCommand &Command);

/// Writes the translated database as compile_commands.json into \p Folder, for
/// stock clang-tidy and clangd, with the headers they need in \p
/// Folder/include. All files are made anew: links that lie there already are
/// not followed. Commands that are not CUDA stay as they are.
llvm::Error writeDatabase(const clang::tooling::CompilationDatabase &Database,
                          const CommandOptions &Options,
                          llvm::StringRef Folder);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_COMPILECOMMANDS_H
