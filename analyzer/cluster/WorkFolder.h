//===- WorkFolder.h - A job's folder ----------------------------*- C++ -*-===//
//
// What the machine that submits a job and those that run its tasks share: a
// folder on a file system that all of them see.
//
//   command    what was asked: the working folder and the arguments
//   tasks/3    what task 3 is to do, one thing a line
//   results/3  how it went, written as a whole when it is over
//   logs/3     what it said
//   jobs       the numbers that the queue gave
//   warpwise   this program, by a link
//   job.sh     what the queue starts
//
// No name of a file is ever text of the script: the script's text is the same
// in each folder, it runs what lies beside it, and that reads the lists.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CLUSTER_WORKFOLDER_H
#define WARPWISE_ANALYZER_CLUSTER_WORKFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace warpwise::cluster {

/// What was asked, where.
struct Command {
  std::string Folder;
  std::vector<std::string> Arguments;
};

/// How a task went.
struct TaskResult {
  enum class Kind {
    Missing, ///< it has not written anything, or half of it
    Done,
    Failed
  } How = Kind::Missing;
  std::string Why; ///< of one that failed, a sentence
};

/// Tasks by number, which count from 1.
using TaskLists = std::map<unsigned, std::vector<std::string>>;

class WorkFolder {
public:
  /// The path becomes absolute. Nothing is made or read.
  static llvm::Expected<WorkFolder> at(llvm::StringRef Path);

  const std::string &path() const { return Path; }
  std::string pathOf(const llvm::Twine &Name) const;

  /// Whether there is a job in it.
  bool hasJob() const;
  /// Why there can be none: somebody else's files are in it, which would be
  /// replaced.
  llvm::Error checkOurs() const;
  /// Puts a job in place of the one that may be there. \p Program is what the
  /// tasks run. The error is one sentence.
  llvm::Error begin(const Command &Asked, const TaskLists &Tasks,
                    const std::string &Program) const;

  /// There is no job then: it was never submitted.
  void abandon() const;

  llvm::Expected<Command> command() const;
  /// The error names a list that cannot be read.
  llvm::Expected<TaskLists> tasks() const;
  llvm::Expected<std::vector<std::string>> task(unsigned Number) const;

  TaskResult result(unsigned Number) const;
  llvm::Error writeResult(unsigned Number, const TaskResult &Result) const;
  /// Before it is tried again.
  void forgetResult(unsigned Number) const;
  std::string logOf(unsigned Number) const;
  /// The last line of its log, or empty.
  std::string lastWords(unsigned Number) const;

  /// One job of the queue: all tasks of an array, or one task.
  struct Submitted {
    std::string Id;
    unsigned Task = 0; ///< 0: an array, whose indices are the tasks
  };
  llvm::Error addSubmitted(const Submitted &Job) const;
  std::vector<Submitted> submitted() const;

private:
  explicit WorkFolder(std::string Path) : Path(std::move(Path)) {}

  std::string Path;
};

/// The tasks that are not done.
std::vector<unsigned> openTasks(const WorkFolder &Folder,
                                const TaskLists &Tasks);

/// Deals \p Things out to at most \p Most tasks, one after the other, so that
/// neighbours, which often are alike, do not meet in one.
TaskLists dealOut(const std::vector<std::string> &Things, size_t Most);

} // namespace warpwise::cluster

#endif // WARPWISE_ANALYZER_CLUSTER_WORKFOLDER_H
