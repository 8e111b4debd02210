//===- CommandLine.h - The options of the warpwise command ------*- C++ -*-===//
//
// The sub-commands and the options that several of them share. A sub-command's
// own options stand in its own file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_COMMANDLINE_H
#define WARPWISE_ANALYZER_TOOL_COMMANDLINE_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/reuse/trace/Buffers.h"
#include "analyzer/tool/UnitOptions.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::tool {

llvm::cl::SubCommand &checkCommand();
llvm::cl::SubCommand &accessesCommand();
llvm::cl::SubCommand &reuseCommand();
llvm::cl::SubCommand &commandsCommand();
llvm::cl::SubCommand &lspCommand();
llvm::cl::SubCommand &explainCommand();
llvm::cl::SubCommand &listRulesCommand();
llvm::cl::SubCommand &completionCommand();
llvm::cl::SubCommand &manualCommand();
/// Typed as two words, "cluster check".
llvm::cl::SubCommand &clusterCheckCommand();
llvm::cl::SubCommand &clusterProfileCommand();
llvm::cl::SubCommand &clusterTaskCommand();
/// These two are another program's (HandOver.cpp) and here for the help only.
llvm::cl::SubCommand &profileCommand();
llvm::cl::SubCommand &profilesCommand();

/// All of these, in the order in which people are told of them.
std::vector<llvm::cl::SubCommand *> allCommands();

/// "0.1.0"
llvm::StringRef version();

/// Options outside of this category are LLVM's own and stay hidden.
llvm::cl::OptionCategory &optionCategory();

/// What the user said with the options that several sub-commands share.
struct AnalysisOptions {
  std::string Database; ///< -p, or empty
  /// False after "--": then the user has said what the flags are.
  bool SearchDatabase = true;
  std::string Gpu, ProfileFile;
  std::string CudaPath;
  std::vector<BlockOverride> Blocks;
  std::vector<reuse::Buffer> Buffers; ///< behind pointer arguments
  std::map<std::string, launch::Argument> Arguments; ///< values, by name
  std::vector<std::string> ExtraArguments;           ///< after "--"
  /// The command line of the program that is analysed, without its name.
  std::optional<std::vector<std::string>> ProgramArguments;
  bool UseNvcc = true;
  /// Of a unit, or of a kernel of `reuse`: seconds of CPU time, where the user
  /// said, and MiB of memory. 0: no limit.
  std::optional<unsigned> TimeLimit;
  unsigned MemoryLimit = 4096;
  bool Quiet = false;
  /// Also notes of which a project has dozens.
  bool AllNotes = false;
  unsigned Jobs = 1;
};

/// The sentence for an argument that can be read as an option and as a file
/// that is there: "check *.cu" where somebody put a file called
/// "--cuda-path=x.cu".
llvm::Error checkUnambiguous(const char *const *Argv);

/// Parses the command line; "--" ends Warpwise's own arguments. False when it
/// was wrong, which has been said on stderr.
bool parseCommandLine(int Argc, const char *const *Argv);

/// The same for arguments that were kept, without the name of the program, in
/// place of those that were parsed before.
bool parseAgain(const std::vector<std::string> &Arguments);

/// The arguments that were parsed, without the name of the program.
const std::vector<std::string> &parsedArguments();

/// Those of them that are options of check, with their values, but for \p
/// Without.
std::vector<std::string>
checkArguments(llvm::ArrayRef<llvm::StringRef> Without);

/// The options of check that the command line has, as they are typed.
std::vector<std::string> checkOptionsGiven();

/// The shared options, or one sentence that says which of them is wrong.
llvm::Expected<AnalysisOptions> analysisOptions();

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_COMMANDLINE_H
