//===- TranslateCommand.cpp - warpwise commands ---------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/frontend/CompileCommands.h"
#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Messages.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::opt<std::string>
    Database("p", cl::value_desc("path"),
             cl::desc("Folder with compile_commands.json, or that file"),
             cl::init("."), cl::cat(optionCategory()),
             cl::sub(commandsCommand()));

static cl::opt<std::string>
    Folder("o", cl::value_desc("dir"),
           cl::desc("Folder for the translated compile_commands.json"),
           cl::cat(optionCategory()), cl::sub(commandsCommand()));

/// True when writing to \p Folder would replace what is read.
static bool isSource(llvm::StringRef Folder) {
  return llvm::sys::fs::equivalent(
      frontend::databaseFile(Database),
      llvm::Twine(Folder) + "/" +
          llvm::sys::path::filename(frontend::databaseFile(Folder)));
}

static llvm::Error translate() {
  if (Folder.empty())
    return llvm::createStringError("no folder given to write to; use -o DIR");
  if (isSource(Folder))
    return llvm::createStringError(
        "'" + Folder + "' holds the compile database that is read; -o has to " +
        "name another folder");
  auto Loaded = frontend::loadDatabase(Database);
  if (!Loaded)
    return Loaded.takeError();
  llvm::Expected<AnalysisOptions> Shared = analysisOptions();
  if (!Shared)
    return Shared.takeError();
  frontend::CommandOptions Options;
  Options.CudaPath = Shared->CudaPath;
  Options.ExtraArguments = Shared->ExtraArguments;
  return frontend::writeDatabase(**Loaded, Options, Folder);
}

int runCommands() {
  if (llvm::Error Problem = translate()) {
    printError(std::move(Problem));
    return ExitError;
  }
  return 0;
}

} // namespace warpwise::tool
