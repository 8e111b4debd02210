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

/// Where reports are kept, and which.
struct KeptReports {
  std::string Folder; ///< empty: nothing is kept
  /// Also those that could be another the next time: then the folder is of one
  /// run that several processes share.
  bool EvenDoubtful = false;
};

class ReportStore {
public:
  /// Makes the folder if it is not there. The reports' payload is made with
  /// \p Profile, and of a file with what \p Judge says, besides the options.
  /// The error is one sentence.
  static llvm::Expected<std::shared_ptr<ReportStore>>
  open(const KeptReports &Where, llvm::StringRef Profile,
       std::function<std::string(const std::string &File)> Judge);

  /// The name of what \p What makes of \p Unit with \p Options; nothing for
  /// what has to be done each time.
  std::optional<std::string>
  nameOf(Task What, const frontend::DeviceCommand &Unit,
         const pipeline::AnalyzeOptions &Options) const;

  /// The report of that name, if the files are what they were.
  std::optional<UnitReport> find(const std::string &Name);

  /// Keeps the report on \p File. Doubtful is one that failed or missed a
  /// header. One during which a file has changed is never kept. Why nothing can
  /// be written is said once.
  void keep(const std::string &Name, const std::string &File,
            const UnitReport &Report);

  /// Removes what nobody has asked for in a month.
  void removeOld() const;
  /// Removes what is kept for one run only.
  void removeDoubtful() const;

  const std::string &folder() const { return Where.Folder; }
  size_t found() const { return Found; }
  size_t made() const { return Made; }
  /// Why something could not be written, or empty.
  const std::string &problem() const { return Problem; }

private:
  ReportStore(KeptReports Where, llvm::StringRef Profile,
              std::function<std::string(const std::string &File)> Judge);

  const std::string &stampOf(const std::string &File, bool IsUsers);
  std::string fileOf(const std::string &Name, llvm::StringRef Ending) const;
  std::optional<UnitReport> read(const std::string &Path);
  void remove(llvm::StringRef Ending, int64_t Before) const;

  KeptReports Where;
  std::function<std::string(const std::string &File)> Judge;
  std::string Program; ///< which build of Warpwise and which profile this is
  int64_t Began = 0;   ///< nanoseconds
  std::map<std::string, std::string> UsersStamps, SystemStamps;
  size_t Found = 0, Made = 0;
  std::string Problem;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REPORTSTORE_H
