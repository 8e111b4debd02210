//===- ReportStore.h - Analyses that need not be done again -----*- C++ -*-===//
//
// A folder of unit reports, each under the name of what it was made of: the
// command, the options, what other files say. What stands in the files that the
// compiler has read is compared by their stamps. So of a project that hardly
// changed hardly anything is analysed, and a change in one file reaches another
// only if what the one says about the other's kernels is another thing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_REPORTSTORE_H
#define WARPWISE_ANALYZER_TOOL_REPORTSTORE_H

#include "analyzer/tool/UnitReport.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace warpwise::tool {

/// What an analysis does with a unit.
enum class Task { Analyse, FindLaunches };

class ReportStore {
public:
  /// Makes the folder if it is not there. The reports' payload is made with
  /// \p Profile, and of a file with what \p Judge says, besides the options.
  /// The error is one sentence.
  static llvm::Expected<std::shared_ptr<ReportStore>>
  open(const std::string &Folder, llvm::StringRef Profile,
       std::function<std::string(const std::string &File)> Judge);

  /// The name of what \p What makes of \p Unit with \p Options; nothing for
  /// what has to be done each time.
  std::optional<std::string>
  nameOf(Task What, const frontend::DeviceCommand &Unit,
         const pipeline::AnalyzeOptions &Options) const;

  /// The report of that name, if the files are what they were.
  std::optional<UnitReport> find(const std::string &Name);

  /// Keeps the report, of which \p Text is writeReport(). One that could be
  /// another the next time is not kept: it failed, missed a header, or a file
  /// changed while it was made. True, or why it cannot be written has been
  /// said.
  void keep(const std::string &Name, const UnitReport &Report,
            const std::string &Text);

  /// Removes what nobody has asked for in a month.
  void removeOld() const;

  const std::string &folder() const { return Folder; }
  size_t found() const { return Found; }
  size_t made() const { return Made; }

private:
  ReportStore(std::string Folder, llvm::StringRef Profile,
              std::function<std::string(const std::string &File)> Judge);

  /// Size, time of change in nanoseconds and number on the disk, as text.
  const std::string &stampOf(const std::string &File);
  std::string fileOf(const std::string &Name) const;

  std::string Folder;
  std::function<std::string(const std::string &File)> Judge;
  std::string Program; ///< which build of Warpwise and which profile this is
  int64_t Began = 0;   ///< nanoseconds
  std::map<std::string, std::string> Stamps;
  size_t Found = 0, Made = 0;
  bool HasFailed = false;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REPORTSTORE_H
