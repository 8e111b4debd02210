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

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwise::tool {

/// Which files of a unit the user asked for.
struct FilesOfUnit {
  std::string Main; ///< the unit's own file
  /// The only ones; null: all that the unit reads.
  const std::set<std::string> *Only = nullptr;

  bool contains(const std::string &File) const;
  /// True for what was asked for by its name, not for headers on the way.
  bool isMain(const std::string &File) const;
};

struct Inputs {
  /// In the order of the command line, a folder's files sorted; a file once for
  /// each of its compile commands that differ.
  std::vector<frontend::DeviceCommand> Units;
  /// Files without a command of their own that are looked at through a unit,
  /// normalized, by the unit's number. Of such a unit nothing else was asked.
  std::map<size_t, std::set<std::string>> Through;
  /// The other CUDA files of the database, and its C++ files. They are not
  /// judged, but may launch the kernels that are.
  std::vector<frontend::DeviceCommand> Others;
  FilesOfUnit askedOf(size_t Unit) const;
  /// Leaves the units of other files than \p Files to the others.
  void keepOnly(const std::set<std::string> &Files);
  /// A file that is looked at through others, which were chosen by their text.
  struct IncludedFile {
    std::string File; ///< normalized
    bool WasNamed;    ///< and not found in a folder
  };
  std::vector<IncludedFile> Included;
  /// Headers that are analysed as if they were sources, since nobody is known
  /// to include them.
  std::set<std::string> Alone;
  /// Each worth one line to the user, once per run.
  std::vector<std::string> Notes;
  /// Files of a folder that cannot be analysed; the others still are.
  std::vector<std::string> Problems;
};

/// Where the compile commands come from and which of them are wanted.
struct InputChoice {
  std::string Database; ///< the value of -p, or empty
  /// Without Database: look for one beside and above the files.
  bool Search = true;
  /// Of a file with several commands only the first.
  bool OnePerFile = false;
  /// True for files that the user leaves out; unset: none are.
  std::function<bool(const std::string &File)> IsExcluded = nullptr;
  /// The files that an editor has open: a header that no unit of the database
  /// includes is looked at through one of these, or alone. Unset: there is no
  /// editor, and with a Database such a header is an error.
  std::optional<std::vector<std::string>> Open = {};
};

/// \p Paths are files and folders; empty: all CUDA files of the database. A
/// file that the database does not know is looked at through units that include
/// it. An error means that there is nothing to analyse or that the user named
/// something that is not there.
llvm::Expected<Inputs> collectInputs(const std::vector<std::string> &Paths,
                                     const InputChoice &Choice,
                                     const frontend::CommandOptions &Options);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_INPUTS_H
