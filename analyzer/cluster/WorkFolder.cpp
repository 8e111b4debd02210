//===- WorkFolder.cpp - A job's folder ------------------------------------===//

#include "analyzer/cluster/WorkFolder.h"

#include "profiler/io/JsonDepth.h"
#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>

namespace json = llvm::json;

namespace warpwise::cluster {

/// $1 is for tasks that are jobs of their own.
constexpr llvm::StringLiteral Script =
    "#!/bin/sh\n"
    "#SBATCH --job-name=warpwise\n"
    "exec ./warpwise cluster task \"${1:-$SLURM_ARRAY_TASK_ID}\" --work=.\n";

static llvm::Error problem(const std::string &Sentence) {
  return llvm::createStringError(Sentence);
}

/// \p Why is empty where nothing went wrong.
static llvm::Error unless(const std::string &Why, const std::string &Path) {
  if (Why.empty())
    return llvm::Error::success();
  return problem(fmt::format("cannot write '{}': {}", Path, Why));
}

llvm::Expected<WorkFolder> WorkFolder::at(llvm::StringRef Path) {
  llvm::SmallString<256> Whole(Path);
  if (const std::error_code Error = llvm::sys::fs::make_absolute(Whole))
    return problem(Error.message());
  llvm::sys::path::remove_dots(Whole, /*remove_dot_dot=*/true);
  return WorkFolder(Whole.str().str());
}

std::string WorkFolder::pathOf(const llvm::Twine &Name) const {
  llvm::SmallString<256> Whole(Path);
  llvm::sys::path::append(Whole, Name);
  return Whole.str().str();
}

bool WorkFolder::hasJob() const {
  return llvm::sys::fs::exists(pathOf("command"));
}

llvm::Error WorkFolder::checkOurs() const {
  const auto Text = io::readFile(pathOf("job.sh"));
  if (Text && *Text == Script)
    return llvm::Error::success();
  std::error_code Error;
  const llvm::sys::fs::directory_iterator First(Path, Error);
  if (Error == std::errc::no_such_file_or_directory ||
      (!Error && First == llvm::sys::fs::directory_iterator()))
    return llvm::Error::success();
  return problem(Error ? fmt::format("cannot use the folder '{}': {}", Path,
                                     Error.message())
                       : fmt::format("'{}' has other files than those of a "
                                     "job; --work names a folder for it",
                                     Path));
}

static llvm::Error makeFolder(const std::string &Path, bool Anew) {
  std::error_code Error;
  if (Anew)
    Error = llvm::sys::fs::remove_directories(Path, /*IgnoreErrors=*/false);
  if (!Error)
    Error = llvm::sys::fs::create_directories(Path);
  if (!Error && !llvm::sys::fs::is_directory(Path))
    Error = std::make_error_code(std::errc::not_a_directory);
  if (!Error)
    return llvm::Error::success();
  return problem(
      fmt::format("cannot make the folder '{}': {}", Path, Error.message()));
}

llvm::Error WorkFolder::begin(const Command &Asked, const TaskLists &Tasks,
                              const std::string &Program) const {
  for (const auto &[Number, List] : Tasks)
    for (const std::string &Line : List)
      if (llvm::StringRef(Line).contains('\n'))
        return problem(fmt::format("'{}' has a line break in its name, which "
                                   "the list of a task cannot hold",
                                   Line));
  // What is not there any more is no job: the command goes first and comes
  // last.
  llvm::sys::fs::remove(pathOf("command"));
  llvm::sys::fs::remove(pathOf("jobs"));
  if (llvm::Error Wrong = makeFolder(Path, /*Anew=*/false))
    return Wrong;
  const std::string Batch = pathOf("job.sh");
  if (llvm::Error Wrong = unless(io::writeFile(Batch, Script.str()), Batch))
    return Wrong;
  for (const char *Each : {"tasks", "results", "logs"})
    if (llvm::Error Wrong = makeFolder(pathOf(Each), /*Anew=*/true))
      return Wrong;
  for (const auto &[Number, List] : Tasks) {
    const std::string File = pathOf("tasks/" + llvm::Twine(Number));
    if (llvm::Error Wrong =
            unless(io::writeFile(File, llvm::join(List, "\n") + "\n"), File))
      return Wrong;
  }
  const std::string Link = pathOf("warpwise");
  llvm::sys::fs::remove(Link);
  if (const std::error_code Error = llvm::sys::fs::create_link(Program, Link))
    return problem(
        fmt::format("cannot make the link '{}': {}", Link, Error.message()));
  // As the arguments of a process are: with a NUL behind each.
  std::string Text = Asked.Folder + '\0';
  for (const std::string &Each : Asked.Arguments)
    Text += Each + '\0';
  return unless(io::writeFile(pathOf("command"), Text), pathOf("command"));
}

void WorkFolder::abandon() const { llvm::sys::fs::remove(pathOf("command")); }

llvm::Expected<Command> WorkFolder::command() const {
  const auto Text = io::readFile(pathOf("command"));
  if (!Text)
    return problem(
        fmt::format("there is no job in '{}': {}", Path, Text.reason()));
  llvm::SmallVector<llvm::StringRef> Words;
  llvm::StringRef(*Text).split(Words, '\0');
  if (Words.size() < 2 || !Words.back().empty())
    return problem(fmt::format("'{}' is damaged", pathOf("command")));
  Command Asked;
  Asked.Folder = Words.front().str();
  for (const llvm::StringRef Word : llvm::ArrayRef(Words).slice(1).drop_back())
    Asked.Arguments.push_back(Word.str());
  return Asked;
}

llvm::Expected<std::vector<std::string>>
WorkFolder::task(unsigned Number) const {
  const std::string File = pathOf("tasks/" + llvm::Twine(Number));
  const auto Text = io::readFile(File);
  if (!Text)
    return problem(fmt::format("there is no task {} in '{}': {}", Number, Path,
                               Text.reason()));
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(*Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(Lines.begin(), Lines.end());
}

/// Of the files in \p Folder whose name is one.
static std::vector<unsigned> numbersIn(const std::string &Folder) {
  std::vector<unsigned> Numbers;
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator At(Folder, Error), End;
       !Error && At != End; At.increment(Error)) {
    unsigned Number = 0;
    if (llvm::to_integer(llvm::sys::path::filename(At->path()), Number, 10))
      Numbers.push_back(Number);
  }
  llvm::sort(Numbers);
  return Numbers;
}

llvm::Expected<TaskLists> WorkFolder::tasks() const {
  TaskLists All;
  for (const unsigned Number : numbersIn(pathOf("tasks"))) {
    auto List = task(Number);
    if (!List)
      return List.takeError();
    All[Number] = std::move(*List);
  }
  if (All.empty())
    return problem(fmt::format("the job in '{}' has no tasks", Path));
  return All;
}

//===--- Results ----------------------------------------------------------===//

TaskResult WorkFolder::result(unsigned Number) const {
  const auto Text = io::readFile(pathOf("results/" + llvm::Twine(Number)));
  if (!Text || io::isNestedDeeperThan(*Text))
    return {};
  llvm::Expected<json::Value> Read = json::parse(*Text);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return {};
  }
  const json::Object *Its = Read->getAsObject();
  const auto Done = Its ? Its->getBoolean("done") : std::nullopt;
  if (!Done)
    return {};
  return {*Done ? TaskResult::Kind::Done : TaskResult::Kind::Failed,
          Its->getString("why").value_or("").str()};
}

llvm::Error WorkFolder::writeResult(unsigned Number,
                                    const TaskResult &Result) const {
  const std::string File = pathOf("results/" + llvm::Twine(Number));
  std::string Text;
  llvm::raw_string_ostream(Text) << json::Value(
      json::Object{{"done", Result.How == TaskResult::Kind::Done},
                   {"why", json::fixUTF8(Result.Why)}});
  return unless(io::writeFile(File, Text + "\n"), File);
}

void WorkFolder::forgetResult(unsigned Number) const {
  llvm::sys::fs::remove(pathOf("results/" + llvm::Twine(Number)));
}

std::string WorkFolder::logOf(unsigned Number) const {
  return pathOf("logs/" + llvm::Twine(Number));
}

std::string WorkFolder::lastWords(unsigned Number) const {
  const auto Text = io::readFile(logOf(Number));
  if (!Text)
    return {};
  const llvm::StringRef All = llvm::StringRef(*Text).rtrim();
  return All.substr(All.rfind('\n') + 1).str(); // npos + 1 is the beginning
}

//===--- Jobs -------------------------------------------------------------===//

llvm::Error WorkFolder::addSubmitted(const Submitted &Job) const {
  const std::string File = pathOf("jobs");
  const auto Before = io::readFile(File);
  std::string Text = Before ? *Before : std::string();
  Text += fmt::format("{} {}\n", Job.Id, Job.Task);
  return unless(io::writeFile(File, Text), File);
}

std::vector<WorkFolder::Submitted> WorkFolder::submitted() const {
  std::vector<Submitted> Jobs;
  const auto Text = io::readFile(pathOf("jobs"));
  if (!Text)
    return Jobs;
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(*Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef Line : Lines) {
    const auto [Id, Number] = Line.split(' ');
    unsigned Task = 0;
    if (llvm::to_integer(Number, Task, 10))
      Jobs.push_back({Id.str(), Task});
  }
  return Jobs;
}

std::vector<unsigned> openTasks(const WorkFolder &Folder,
                                const TaskLists &Tasks) {
  std::vector<unsigned> Open;
  for (const auto &[Number, List] : Tasks)
    if (Folder.result(Number).How != TaskResult::Kind::Done)
      Open.push_back(Number);
  return Open;
}

TaskLists dealOut(const std::vector<std::string> &Things, size_t Most) {
  TaskLists Tasks;
  const size_t Count = std::min(std::max<size_t>(Most, 1), Things.size());
  for (size_t I = 0; I != Things.size(); ++I)
    Tasks[unsigned(I % Count) + 1].push_back(Things[I]);
  return Tasks;
}

} // namespace warpwise::cluster
