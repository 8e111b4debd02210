//===- ParseTesting.h - Helpers for tests of parses -------------*- C++ -*-===//
//
// Parses a source text for the device, by default with the embedded headers,
// so that the tests say the same on a machine without a CUDA toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_FRONTEND_PARSETESTING_H
#define WARPWISE_TEST_UNIT_FRONTEND_PARSETESTING_H

#include "CommandTesting.h"
#include "analyzer/frontend/TranslationUnit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace warpwise::frontend::test {

class ParseTest : public testing::Test {
protected:
  /// \p CudaPath as in CommandOptions.
  ParseResult parse(llvm::StringRef Source,
                    std::vector<std::string> Extra = {"-std=c++17"},
                    llvm::StringRef CudaPath = "none") {
    CommandOptions Options;
    Options.CudaPath = CudaPath;
    Options.ExtraArguments = std::move(Extra);
    Options.PreferredArch = "sm_90";
    auto Command = defaultCommand(Folder.write("input.cu", Source), Options);
    if (!Command) {
      ADD_FAILURE() << llvm::toString(Command.takeError());
      return {};
    }
    auto Result =
        parseForDevice(*Command, Context, [this](auto &) { ++SeenASTs; });
    if (!Result) {
      ADD_FAILURE() << llvm::toString(Result.takeError());
      return {};
    }
    std::string Broken;
    llvm::raw_string_ostream Stream(Broken);
    if (Result->Module)
      EXPECT_FALSE(llvm::verifyModule(*Result->Module, &Stream)) << Broken;
    return std::move(*Result);
  }

  static bool defines(const ParseResult &Result, llvm::StringRef Mangled) {
    const llvm::Function *Found =
        Result.Module ? Result.Module->getFunction(Mangled) : nullptr;
    return Found && !Found->isDeclaration();
  }

  static std::vector<std::string> droppedNames(const ParseResult &Result) {
    std::vector<std::string> Names;
    for (const DroppedFunction &Function : Result.Dropped)
      Names.push_back(Function.Name);
    return Names;
  }

  /// The IR as text, to look for a call in it.
  static std::string text(const ParseResult &Result) {
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    if (Result.Module)
      Result.Module->print(Stream, nullptr);
    return Text;
  }

  /// Everything parsed, nothing dropped and nothing missing.
  static void expectClean(const ParseResult &Result) {
    for (const DroppedFunction &Function : Result.Dropped)
      ADD_FAILURE() << Function.Name << ": " << Function.Cause.Message;
    for (const Problem &Error : Result.HostErrors)
      ADD_FAILURE() << Error.Where.File << ":" << Error.Where.Line << ": "
                    << Error.Message;
    for (const std::string &Header : Result.MissingHeaders)
      ADD_FAILURE() << "missing " << Header;
    EXPECT_NE(Result.Module, nullptr);
  }

  TemporaryFolder Folder;
  llvm::LLVMContext Context;
  unsigned SeenASTs = 0;
};

} // namespace warpwise::frontend::test

#endif // WARPWISE_TEST_UNIT_FRONTEND_PARSETESTING_H
