//===- SourceFiles.h - Files and folders that the user names ----*- C++ -*-===//
//
// One spelling for each file, and one sentence for each that cannot be used.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_SOURCEFILES_H
#define WARPWISE_ANALYZER_TOOL_SOURCEFILES_H

#include "analyzer/frontend/CompileCommands.h"
#include "profiler/io/ReadFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace warpwise::tool {

/// Absolute, without "." and "..", links followed where the file is there.
/// \p Folder is what a relative path starts from; empty: the working directory.
std::string normalize(llvm::StringRef Path, llvm::StringRef Folder = {});

/// Whether one normalized path lies below the other.
bool isBelow(llvm::StringRef File, llvm::StringRef Folder);

/// Whether the name is one of C++ or CUDA source, which may launch kernels.
bool isHostSource(llvm::StringRef File);

/// The sentence for a \p File that cannot be a translation unit.
llvm::Error checkUsable(llvm::StringRef File);

/// The sentence for a folder that cannot be read.
llvm::Error cannotReadFolder(const std::string &Folder, std::error_code Error);

/// CUDA sources below \p Folder, sorted: the .cu files, or the .cuh files where
/// there is no .cu to include them.
llvm::Expected<std::vector<std::string>> findSources(const std::string &Folder);

/// The text of a regular file, or nothing.
std::optional<std::string> readSource(const std::string &Path);

/// Whether \p Wanted holds for a word of \p Text, as C++ counts words.
bool anyWord(llvm::StringRef Text,
             llvm::function_ref<bool(llvm::StringRef Word)> Wanted);

/// The same, where \p Edited does not have the text.
std::optional<std::string> readSource(const std::string &Path,
                                      const frontend::EditedTexts &Edited,
                                      size_t MostBytes = io::MostTextBytes);

/// The same for \p Opened, the files that the compiler itself has read, and
/// nothing for all others: a #line directive can name any path.
std::function<std::optional<std::string>(const std::string &Path)>
readOpened(std::set<std::string> Opened,
           frontend::EditedTexts Edited = nullptr);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_SOURCEFILES_H
