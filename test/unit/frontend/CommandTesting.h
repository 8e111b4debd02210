//===- CommandTesting.h - Helpers for tests of commands ---------*- C++ -*-===//
//
// Compile commands from text, their translation without what all have in
// common, and folders for the files they name.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_FRONTEND_COMMANDTESTING_H
#define WARPWISE_TEST_UNIT_FRONTEND_COMMANDTESTING_H

#include "analyzer/frontend/CompileCommands.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace warpwise::frontend::test {

/// A folder that lives as long as a test.
class TemporaryFolder {
public:
  TemporaryFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("warpwise", Path));
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(Path); }

  std::string at(llvm::StringRef Name) const {
    llvm::SmallString<128> Result(Path);
    llvm::sys::path::append(Result, Name);
    return Result.str().str();
  }

  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string File = at(Name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    std::error_code Code;
    llvm::raw_fd_ostream(File, Code) << Text;
    EXPECT_FALSE(Code) << File;
    return File;
  }

  llvm::StringRef path() const { return Path; }

private:
  llvm::SmallString<128> Path;
};

inline clang::tooling::CompileCommand
makeCommand(llvm::StringRef Line, llvm::StringRef File = "/src/a.cu",
            llvm::StringRef Directory = "/src") {
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  clang::tooling::CompileCommand Command;
  Command.Directory = Directory.str();
  Command.Filename = File.str();
  Command.CommandLine.assign(Words.begin(), Words.end());
  return Command;
}

inline DeviceCommand translate(const clang::tooling::CompileCommand &Command,
                               CommandOptions Options = {}) {
  if (Options.CudaPath.empty())
    Options.CudaPath = "none";
  auto Result = translateCommand(Command, Options);
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return {};
  }
  return *Result;
}

inline DeviceCommand translate(llvm::StringRef Line,
                               CommandOptions Options = {}) {
  return translate(makeCommand(Line), std::move(Options));
}

/// What a command passes on of its own: without the arguments that all have.
inline std::string passed(const DeviceCommand &Result) {
  std::string Text;
  bool IsLanguage = false;
  for (llvm::StringRef Word : Result.Arguments) {
    bool IsFixed =
        IsLanguage || Word == "-x" || Word == "--cuda-device-only" ||
        Word.starts_with("--cuda-gpu-arch=") ||
        Word == "--no-cuda-version-check" || Word == "-Qunused-arguments" ||
        Word == "-Wno-unknown-warning-option" ||
        Word == "-fclang-abi-compat=17" || Word == "-D__NVCC__" ||
        Word.starts_with("-D__CUDA_ARCH_LIST__=") || Word == Result.File;
    IsLanguage = Word == "-x";
    if (!IsFixed)
      Text += (Text.empty() ? "" : " ") + Word.str();
  }
  return Text;
}

inline std::string passed(llvm::StringRef Line) {
  return passed(translate(Line));
}

inline std::string errorOf(const clang::tooling::CompileCommand &Command,
                           CommandOptions Options = {}) {
  auto Result = translateCommand(Command, Options);
  return Result ? "no error" : llvm::toString(Result.takeError());
}

} // namespace warpwise::frontend::test

#endif // WARPWISE_TEST_UNIT_FRONTEND_COMMANDTESTING_H
