//===- Inputs.h - Which translation units are analysed ----------*- C++ -*-===//
//
// From the files and folders on the command line and the compile database to
// device commands, with one clear sentence for everything that is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_INPUTS_H
#define WARPWISE_ANALYZER_TOOL_INPUTS_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace warpwise::tool {

struct Inputs {
  /// In the order of the command line, a folder's files sorted; each file once.
  std::vector<frontend::DeviceCommand> Units;
  /// The other CUDA files of the database. They are not judged, but may launch
  /// the kernels that are.
  std::vector<frontend::DeviceCommand> Others;
  /// Each worth one line to the user, once per run.
  std::vector<std::string> Notes;
  /// Files of a folder that cannot be analysed; the others still are.
  std::vector<std::string> Problems;
};

/// Where the compile commands come from.
struct DatabaseChoice {
  std::string Path; ///< the value of -p, or empty
  /// Without Path: look for a database beside and above the files.
  bool Search = true;
};

/// \p Paths are files and folders; empty: all CUDA files of the database.
/// An error means that there is nothing to analyse or that the user named
/// something that is not there.
llvm::Expected<Inputs> collectInputs(const std::vector<std::string> &Paths,
                                     const DatabaseChoice &Database,
                                     const frontend::CommandOptions &Options);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_INPUTS_H
