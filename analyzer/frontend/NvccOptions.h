//===- NvccOptions.h - nvcc's command line ----------------------*- C++ -*-===//
//
// Every option of nvcc, in one table, with what becomes of it when Clang reads
// the file instead; and a parser of nvcc's own syntax over that table. Clang's
// parser cannot do it: it takes -lineinfo for -l ineinfo and -odir for -o dir.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_NVCCOPTIONS_H
#define WARPWISE_ANALYZER_FRONTEND_NVCCOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace warpwise::frontend {

/// How an option of nvcc takes its value. Every valued option is spelled
/// `-short v`, `-short=v`, `--long v` or `--long=v`.
enum class NvccForm {
  Flag,        ///< no value
  Value,       ///< one value
  List,        ///< values separated by commas
  JoinedValue, ///< one value, also `-O3`
  JoinedList,  ///< values separated by commas, also `-Idir`
};

/// What becomes of an option of nvcc.
enum class NvccAction {
  Drop,         ///< says nothing about what the front end sees
  Pass,         ///< the arguments in Clang, separated by blanks
  PassEach,     ///< for each value: Clang, with the value appended
  PassIfTrue,   ///< Clang when the value is "true", else ClangIfNot
  PassIfThread, ///< Clang when the value is "per-thread"
  Architecture, ///< a virtual or real architecture, or native, all, all-major
  GenerateCode, ///< arch=...,code=...
  HostOptions,  ///< options for the host compiler, which also preprocesses
  PtxasOptions, ///< of these only --maxrregcount matters
  MaxRegisters,
  RestrictPointers,
  OptionsFile, ///< more arguments
};

/// One option of nvcc.
struct NvccOption {
  llvm::StringLiteral Long;  ///< without the two dashes
  llvm::StringLiteral Short; ///< without the dash; empty: none
  NvccForm Form;
  NvccAction Action;
  llvm::StringLiteral Clang = "";
  llvm::StringLiteral ClangIfNot = "";
};

/// All options of nvcc 13.0 and the older ones that it no longer lists: for the
/// test that no name stands there twice, as parsing takes the first.
llvm::ArrayRef<NvccOption> nvccOptions();

/// One argument of an nvcc command.
struct NvccArgument {
  /// Null for an input file and for an option that nvcc does not know, which
  /// it forwards to the host compiler.
  const NvccOption *Option = nullptr;
  /// As written, when Option is null.
  std::string Text;
  /// One for a Value, any number for a List, none for a Flag.
  std::vector<std::string> Values;
};

/// The response files of one compile command. Their number is bounded, so that
/// a file which includes itself is an error and not a hang.
class ResponseFiles {
public:
  ResponseFiles(llvm::StringRef Directory, llvm::StringRef MainFile)
      : Directory(Directory), MainFile(MainFile) {}

  /// The arguments in file \p Name, relative to the command's directory.
  llvm::Expected<std::vector<std::string>> read(llvm::StringRef Name);

  /// \p Arguments with each @file replaced by what is in it.
  llvm::Expected<std::vector<std::string>>
  expand(llvm::ArrayRef<std::string> Arguments);

private:
  std::string Directory, MainFile;
  unsigned FilesRead = 0;
};

/// Splits nvcc's arguments (without argv[0]) into options and inputs, with
/// --options-file and @file replaced by what is in them.
llvm::Expected<std::vector<NvccArgument>>
parseNvccArguments(llvm::ArrayRef<std::string> Arguments, ResponseFiles &Files);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_NVCCOPTIONS_H
