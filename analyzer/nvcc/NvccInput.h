//===- NvccInput.h - A compile command as nvcc is asked ---------*- C++ -*-===//
//
// nvcc hands its arguments to a shell, so a macro `A=$(reboot)` of a stranger's
// compile database would reboot. Nothing that a command says stands on nvcc's
// command line: macros and file names go into a file that is compiled, folders
// become links with names of our own, and of the rest only what decides device
// code is said, in words from a fixed list.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_NVCC_NVCCINPUT_H
#define WARPWISE_ANALYZER_NVCC_NVCCINPUT_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace warpwise::nvcc {

/// What is compiled, in a folder that holds nothing else.
struct NvccInput {
  /// Files that the compilation makes or gets there.
  static constexpr const char *SourceName = "unit.cu";
  static constexpr const char *ObjectName = "unit.cubin";
  static constexpr const char *DependencyName = "unit.d";

  std::string Source; ///< the text of SourceName
  /// Links to make, and where they lead: absolute paths.
  std::vector<std::pair<std::string, std::string>> Links;
  /// nvcc's, without the program, for that folder.
  std::vector<std::string> Arguments;
};

/// The error is half a sentence, as why nvcc cannot be asked.
llvm::Expected<NvccInput> nvccInput(const frontend::DeviceCommand &Command);

} // namespace warpwise::nvcc

#endif // WARPWISE_ANALYZER_NVCC_NVCCINPUT_H
