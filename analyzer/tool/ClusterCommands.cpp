//===- ClusterCommands.cpp - warpwise cluster check, profile, task --------===//
//
// A job's tasks put the reports of their units into a folder that the machine
// which submits sees as well, in the form of `check --incremental`. When they
// are over, `check` itself runs here, and finds there what it would analyse: so
// what it prints is what it prints without a cluster.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/cluster/Queue.h"
#include "analyzer/cluster/Wait.h"
#include "analyzer/cluster/WorkFolder.h"
#include "analyzer/tool/CheckCommand.h"
#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

namespace cl = llvm::cl;

namespace warpwise::tool {

using cluster::TaskLists;
using cluster::TaskResult;
using cluster::WorkFolder;

static cl::opt<std::string>
    JobFolder("work", cl::value_desc("dir"), cl::init("warpwise-cluster"),
              cl::desc("The job's folder, which all nodes see (default: "
                       "warpwise-cluster)"),
              cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
              cl::sub(clusterProfileCommand()), cl::sub(clusterTaskCommand()));

static cl::opt<unsigned>
    MostTasks("tasks", cl::value_desc("n"), cl::init(0),
              cl::desc("At most so many tasks (default: one for four files, "
                       "100 at most)"),
              cl::cat(optionCategory()), cl::sub(clusterCheckCommand()));

static cl::opt<bool>
    NoSubmit("no-submit",
             cl::desc("Write the job's folder, and say how to submit it"),
             cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
             cl::sub(clusterProfileCommand()));

static cl::opt<bool>
    Resume("resume",
           cl::desc("Go on with the job in the folder: submit the tasks that "
                    "are not done and not in the queue, and wait for all"),
           cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
           cl::sub(clusterProfileCommand()));

static cl::opt<unsigned>
    Timeout("timeout", cl::value_desc("seconds"), cl::init(0),
            cl::desc("Wait at most so long (default: as long as the queue has "
                     "the job)"),
            cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
            cl::sub(clusterProfileCommand()));

static cl::list<std::string>
    ForSbatch("sbatch", cl::value_desc("--option"),
              cl::desc("An option for sbatch, as in --sbatch=--time=30"),
              cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
              cl::sub(clusterProfileCommand()));

static cl::opt<std::string>
    Partition("partition", cl::value_desc("partition"),
              cl::desc("Only on the nodes of this partition"),
              cl::cat(optionCategory()), cl::sub(clusterCheckCommand()),
              cl::sub(clusterProfileCommand()));

static cl::opt<unsigned>
    GpusPerNode("gpus", cl::value_desc("n"), cl::init(0),
                cl::desc("GPUs of each node, where Slurm was not told of them"),
                cl::cat(optionCategory()), cl::sub(clusterProfileCommand()));

static cl::opt<unsigned> TaskNumber(cl::Positional, cl::desc("<number>"),
                                    cl::cat(optionCategory()),
                                    cl::sub(clusterTaskCommand()));

static int fail(llvm::Error Problem) {
  printError(std::move(Problem));
  return ExitError;
}

static llvm::Error problem(const std::string &Sentence) {
  return llvm::createStringError(Sentence);
}

//===--- The job ----------------------------------------------------------===//

namespace {

/// What this run says of the queue. The arguments that a job keeps have the
/// same options, for another run.
struct Wishes {
  std::string Folder = JobFolder;
  bool IsResumed = Resume, IsSubmitted = !NoSubmit;
  std::chrono::seconds Patience{Timeout.getValue()};
  std::vector<std::string> Own;

  Wishes() : Own(ForSbatch.begin(), ForSbatch.end()) {
    if (!Partition.empty())
      Own.push_back("--partition=" + Partition);
  }
};

class Job {
public:
  /// How each task is submitted, given the tasks that are open; some may be
  /// submitted together.
  using Submission = std::function<llvm::Error(
      const WorkFolder &, const std::vector<unsigned> &Open)>;

  Job(WorkFolder Folder, Wishes Wanted, bool Quiet)
      : Folder(std::move(Folder)), Wanted(std::move(Wanted)), Quiet(Quiet) {}

  /// Submits what is open and waits for it; false where nothing is submitted
  /// and something is open. Afterwards the results say how the tasks went.
  llvm::Expected<bool> run(const TaskLists &Tasks, const Submission &Submit) {
    const std::vector<unsigned> Open = openTasks(Folder, Tasks);
    if (Open.empty())
      return true;
    std::vector<unsigned> New = Open;
    if (Wanted.IsResumed && !Folder.submitted().empty()) {
      auto Queue = cluster::queued();
      if (!Queue)
        return Queue.takeError();
      const auto There = tasksIn(*Queue, Folder);
      llvm::erase_if(New, [&](unsigned Task) { return There.count(Task); });
    }
    for (const unsigned Task : New)
      Folder.forgetResult(Task);
    if (!Wanted.IsSubmitted)
      return false;
    if (!New.empty())
      if (llvm::Error Problem = Submit(Folder, New)) {
        if (Folder.submitted().empty())
          Folder.abandon();
        return std::move(Problem);
      }
    if (!Quiet)
      printNote(fmt::format("{} of {} tasks submitted, with '{}'", New.size(),
                            Tasks.size(), displayPath(Folder.path())));
    if (llvm::Error Problem = wait(Open))
      return std::move(Problem);
    return true;
  }

private:
  llvm::Error wait(const std::vector<unsigned> &Open) const {
    stopOnInterrupt();
    Progress Shown(Open.size(), Quiet);
    cluster::WaitOptions Options;
    Options.Timeout = Wanted.Patience;
    Options.IsStopped = wasInterrupted;
    Options.WhenOver = [&](unsigned Task) {
      Shown.step(fmt::format("task {}", Task));
    };
    Options.WhenStuck = [&](const std::string &Reason) {
      if (!Quiet)
        printNote(fmt::format("no task has begun yet: {}", Reason));
    };
    return waitFor(Folder, Open, Options);
  }

  WorkFolder Folder;
  Wishes Wanted;
  bool Quiet;
};

} // namespace

/// "'a.cu', 'b.cu' and 3 more"
static std::string listed(const std::vector<std::string> &Names) {
  constexpr size_t Most = 3;
  std::vector<std::string> Shown;
  for (const std::string &Name : llvm::ArrayRef(Names).take_front(
           Names.size() == Most + 1 ? Most + 1 : Most))
    Shown.push_back("'" + displayPath(Name) + "'");
  std::string Text = fmt::format("{}", fmt::join(Shown, ", "));
  if (Shown.size() != Names.size())
    Text += fmt::format(" and {} more", Names.size() - Shown.size());
  return Text;
}

/// Why \p Task has no result, as "task 3 (a.cu) was lost".
static std::string explain(const WorkFolder &Folder, unsigned Task,
                           const std::string &What, const TaskResult &Result) {
  const std::string Log = displayPath(Folder.logOf(Task));
  if (Result.How == TaskResult::Kind::Failed)
    return fmt::format("task {} ({}) failed: {}; '{}' says more", Task, What,
                       Result.Why, Log);
  const std::string Words = Folder.lastWords(Task);
  return fmt::format(
      "task {} ({}) was lost{}; --resume tries it again", Task, What,
      Words.empty()
          ? std::string(" and has said nothing")
          : fmt::format(", the last line of '{}' is: {}", Log, Words));
}

/// The job's folder and, for one that goes on, what was asked then; the
/// arguments are parsed in place of those that were. \p Name is that of the
/// command.
static llvm::Expected<WorkFolder> openFolder(const Wishes &Wanted,
                                             llvm::StringRef Name) {
  auto Folder = WorkFolder::at(Wanted.Folder);
  if (!Folder)
    return Folder.takeError();
  if (Wanted.IsResumed) {
    auto Asked = Folder->command();
    if (!Asked)
      return Asked.takeError();
    if (Asked->Arguments.empty() || Asked->Arguments.front() != Name)
      return problem(
          fmt::format("the job in '{}' is another command's", Wanted.Folder));
    if (const std::error_code Error =
            llvm::sys::fs::set_current_path(Asked->Folder))
      return problem(fmt::format("cannot go to '{}', from where the job was "
                                 "begun: {}",
                                 Asked->Folder, Error.message()));
    if (!parseAgain(Asked->Arguments))
      return problem(
          fmt::format("the command in '{}' is damaged", Folder->path()));
    return std::move(*Folder);
  }
  if (llvm::Error Problem = Folder->checkOurs())
    return std::move(Problem);
  if (!Folder->hasJob())
    return std::move(*Folder);
  auto Tasks = Folder->tasks();
  if (!Tasks)
    return Tasks.takeError();
  const size_t Open = openTasks(*Folder, *Tasks).size();
  if (Open != 0)
    return problem(fmt::format(
        "'{}' has a job of which {} of {} tasks are not done: --resume goes on "
        "with it; without the folder another can begin",
        Wanted.Folder, Open, Tasks->size()));
  return std::move(*Folder);
}

static llvm::Error beginJob(const WorkFolder &Folder, const TaskLists &Tasks) {
  return Folder.begin({workingDirectory(), parsedArguments()}, Tasks,
                      siblingProgram("warpwise"));
}

/// How to submit by hand what is not submitted.
static void printSubmission(const std::vector<std::string> &Arguments) {
  std::string Line = "sbatch";
  llvm::raw_string_ostream Out(Line);
  for (const std::string &Each : Arguments) {
    Out << ' ';
    llvm::sys::printArg(Out, Each,
                        /*Quote=*/Each.find_first_of("'`!*?<>|&;()#") !=
                            std::string::npos);
  }
  printNote(Out.str());
}

//===--- cluster check ----------------------------------------------------===//

/// One for four files, as starting a task takes its time, and no more than any
/// Slurm takes in one array.
static size_t taskCount(size_t Files) {
  return MostTasks ? MostTasks : std::min<size_t>((Files + 3) / 4, 100);
}

static std::vector<std::string> filesOf(const Session &S) {
  std::vector<std::string> Files;
  std::set<std::string> Seen;
  for (const frontend::DeviceCommand &Unit : S.From.Units)
    if (Seen.insert(Unit.File).second)
      Files.push_back(Unit.File);
  return Files;
}

/// Leaves to the check what the tasks have done.
static void takeDone(const WorkFolder &Folder, const TaskLists &Tasks,
                     Check &Asked) {
  std::set<std::string> Done;
  for (const auto &[Number, Files] : Tasks) {
    const TaskResult Result = Folder.result(Number);
    if (Result.How == TaskResult::Kind::Done)
      Done.insert(Files.begin(), Files.end());
    else
      Asked.addProblem(explain(Folder, Number, listed(Files), Result));
  }
  Asked.keepOnly(Done);
}

static llvm::Expected<bool> distribute(const WorkFolder &Folder,
                                       const Wishes &Wanted, Check &Asked) {
  const Session &S = Asked.session();
  if (!Wanted.IsResumed) {
    S.Store->removeDoubtful();
    const std::vector<std::string> Files = filesOf(S);
    if (llvm::Error Problem =
            beginJob(Folder, cluster::dealOut(Files, taskCount(Files.size()))))
      return std::move(Problem);
  }
  auto Tasks = Folder.tasks();
  if (!Tasks)
    return Tasks.takeError();
  auto Ended = Job(Folder, Wanted, S.Options.Quiet)
                   .run(*Tasks, [&](const WorkFolder &In,
                                    const std::vector<unsigned> &Open) {
                     auto Id =
                         cluster::submit(batchArguments(In, Open, Wanted.Own));
                     return Id ? In.addSubmitted({*Id}) : Id.takeError();
                   });
  if (!Ended)
    return Ended.takeError();
  if (!*Ended) {
    printSubmission(
        batchArguments(Folder, openTasks(Folder, *Tasks), Wanted.Own));
    return false;
  }
  takeDone(Folder, *Tasks, Asked);
  return true;
}

static KeptReports reportsIn(const WorkFolder &Folder) {
  return {.Folder = Folder.pathOf("kept"), .EvenDoubtful = true};
}

int runClusterCheck() {
  const Wishes Wanted;
  if (Wanted.IsResumed)
    if (const auto Given = checkOptionsGiven(); !Given.empty())
      return fail(problem(fmt::format(
          "--resume goes on with what the job was asked, and {} {} not part of "
          "that",
          fmt::join(Given, ", "), Given.size() == 1 ? "is" : "are")));
  auto Folder = openFolder(Wanted, clusterCheckCommand().getName());
  if (!Folder)
    return fail(Folder.takeError());
  return runCheck(reportsIn(*Folder), [&](Check &Asked) {
    return distribute(*Folder, Wanted, Asked);
  });
}

//===--- cluster profile --------------------------------------------------===//

/// What a task of it is to do: the first line is the node, the others are its
/// GPUs.
struct GpusOfNode {
  std::string Node;
  std::vector<std::string> Gpus;

  static GpusOfNode of(const std::vector<std::string> &Lines) {
    if (Lines.empty())
      return {};
    return {Lines.front(), {Lines.begin() + 1, Lines.end()}};
  }
};

static std::string profileOf(const WorkFolder &Folder, const std::string &Node,
                             const std::string &Gpu) {
  return Folder.pathOf("profiles/" + Node + "-gpu" + Gpu + ".json");
}

/// Every node that is up, with its GPUs; says which ones are left out.
static llvm::Expected<TaskLists> nodesToMeasure(const std::string &Of) {
  auto Nodes = cluster::nodes(Of);
  if (!Nodes)
    return Nodes.takeError();
  TaskLists Tasks;
  for (const cluster::Node &Each : *Nodes) {
    const unsigned Count = GpusPerNode ? GpusPerNode : Each.Gpus;
    if (Count == 0)
      continue;
    if (!Each.isUp()) {
      printNote(fmt::format("node {} is left out: Slurm says it is '{}'",
                            Each.Name, Each.State));
      continue;
    }
    std::vector<std::string> &Lines = Tasks[unsigned(Tasks.size()) + 1];
    Lines.push_back(Each.Name);
    for (unsigned Gpu = 0; Gpu != Count; ++Gpu)
      Lines.push_back(std::to_string(Gpu));
  }
  if (Tasks.empty())
    return problem("Slurm knows of no node with GPUs that is up; --gpus says "
                   "how many each has");
  return Tasks;
}

/// A node measures its GPUs one after the other, and does nothing else then.
static std::vector<std::string> batchOfNode(const WorkFolder &Folder,
                                            unsigned Number,
                                            const std::vector<std::string> &Of,
                                            const Wishes &Wanted) {
  const GpusOfNode Its = GpusOfNode::of(Of);
  std::vector<std::string> Own = {"--nodelist=" + Its.Node, "--nodes=1",
                                  "--ntasks=1", "--exclusive"};
  if (GpusPerNode == 0)
    Own.push_back(fmt::format("--gres=gpu:{}", Its.Gpus.size()));
  Own.insert(Own.end(), Wanted.Own.begin(), Wanted.Own.end());
  return batchArguments(Folder, Number, Own);
}

/// Has all profiles compared by the program that knows them.
static int compareProfiles(const std::vector<std::string> &Files) {
  std::vector<llvm::StringRef> Words = {"warpwise", "profiles", "outliers"};
  Words.insert(Words.end(), Files.begin(), Files.end());
  std::string Why;
  const int Status = llvm::sys::ExecuteAndWait(
      siblingProgram("warpwise-profile"), Words, /*Env=*/std::nullopt,
      /*Redirects=*/{}, /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Why);
  if (Status >= 0)
    return Status;
  printError(fmt::format("the profiles cannot be compared: {}", Why));
  return ExitError;
}

int runClusterProfile() {
  const Wishes Wanted;
  auto Folder = openFolder(Wanted, clusterProfileCommand().getName());
  if (!Folder)
    return fail(Folder.takeError());
  if (!Wanted.IsResumed) {
    auto New = nodesToMeasure(Partition);
    if (!New)
      return fail(New.takeError());
    if (llvm::Error Problem = beginJob(*Folder, *New))
      return fail(std::move(Problem));
  }
  auto Tasks = Folder->tasks();
  if (!Tasks)
    return fail(Tasks.takeError());
  auto Ended =
      Job(*Folder, Wanted, /*Quiet=*/false)
          .run(*Tasks,
               [&](const WorkFolder &In,
                   const std::vector<unsigned> &Open) -> llvm::Error {
                 for (const unsigned Each : Open) {
                   auto Id = cluster::submit(
                       batchOfNode(In, Each, Tasks->at(Each), Wanted));
                   if (!Id)
                     return Id.takeError();
                   if (llvm::Error Problem = In.addSubmitted({*Id, Each}))
                     return Problem;
                 }
                 return llvm::Error::success();
               });
  if (!Ended)
    return fail(Ended.takeError());
  if (!*Ended) {
    for (const unsigned Each : openTasks(*Folder, *Tasks))
      printSubmission(batchOfNode(*Folder, Each, Tasks->at(Each), Wanted));
    return ExitDone;
  }
  bool Failed = false;
  std::vector<std::string> Files;
  for (const auto &[Number, Lines] : *Tasks) {
    const GpusOfNode Its = GpusOfNode::of(Lines);
    const TaskResult Result = Folder->result(Number);
    if (Result.How != TaskResult::Kind::Done) {
      Failed = true;
      printError(explain(*Folder, Number, "node " + Its.Node, Result));
    }
    for (const std::string &Gpu : Its.Gpus)
      if (const std::string File = profileOf(*Folder, Its.Node, Gpu);
          llvm::sys::fs::exists(File))
        Files.push_back(File);
  }
  if (Files.empty())
    return ExitError;
  const int Status = compareProfiles(Files);
  return Failed ? int(ExitError) : Status;
}

//===--- cluster task -----------------------------------------------------===//

static llvm::Error analyseUnits(const WorkFolder &Folder,
                                const std::vector<std::string> &Files) {
  auto Opened = openCheck(reportsIn(Folder));
  if (!Opened)
    return Opened.takeError();
  Check &Asked = **Opened;
  const std::vector<std::string> There = filesOf(Asked.session());
  for (const std::string &File : Files)
    if (!llvm::is_contained(There, File))
      return problem(
          fmt::format("'{}' is not among the files to check any more", File));
  Asked.keepOnly({Files.begin(), Files.end()});
  Asked.run();
  if (wasInterrupted())
    return problem("it was interrupted");
  const std::string &Why = Asked.session().Store->problem();
  return Why.empty() ? llvm::Error::success() : problem(Why);
}

static llvm::Error measureGpus(const WorkFolder &Folder,
                               const GpusOfNode &Its) {
  if (const std::error_code Error =
          llvm::sys::fs::create_directories(Folder.pathOf("profiles")))
    return problem(fmt::format("cannot make the folder '{}': {}",
                               Folder.pathOf("profiles"), Error.message()));
  auto Options = analysisOptions();
  if (!Options)
    return Options.takeError();
  std::vector<std::string> Without;
  for (const std::string &Gpu : Its.Gpus) {
    const std::string File = profileOf(Folder, Its.Node, Gpu);
    llvm::sys::fs::remove(File);
    const std::vector<std::string> Own = {"--device=" + Gpu,
                                          "--output=" + File};
    std::vector<llvm::StringRef> Words = {"warpwise", "profile"};
    Words.insert(Words.end(), Own.begin(), Own.end());
    Words.insert(Words.end(), Options->ExtraArguments.begin(),
                 Options->ExtraArguments.end());
    if (llvm::sys::ExecuteAndWait(siblingProgram("warpwise-profile"), Words) !=
            0 ||
        !llvm::sys::fs::exists(File))
      Without.push_back(Gpu);
  }
  if (Without.empty())
    return llvm::Error::success();
  return problem(fmt::format("{} of {} GPUs of {} could not be measured: {}",
                             Without.size(), Its.Gpus.size(), Its.Node,
                             fmt::join(Without, ", ")));
}

static llvm::Error doTask(const WorkFolder &Folder, unsigned Number) {
  auto Asked = Folder.command();
  if (!Asked)
    return Asked.takeError();
  auto Lines = Folder.task(Number);
  if (!Lines)
    return Lines.takeError();
  if (const std::error_code Error =
          llvm::sys::fs::set_current_path(Asked->Folder))
    return problem(fmt::format("cannot go to '{}' on this node: {}",
                               Asked->Folder, Error.message()));
  if (!parseAgain(Asked->Arguments))
    return problem(
        fmt::format("the command in '{}' is damaged", Folder.path()));
  return clusterProfileCommand() ? measureGpus(Folder, GpusOfNode::of(*Lines))
                                 : analyseUnits(Folder, *Lines);
}

int runClusterTask() {
  const unsigned Number = TaskNumber;
  if (Number == 0)
    return fail(problem("tasks have numbers from 1 on; the job's script says "
                        "which"));
  auto Folder = WorkFolder::at(JobFolder);
  if (!Folder)
    return fail(Folder.takeError());
  if (auto There = Folder->task(Number); !There)
    return fail(There.takeError());
  TaskResult Result = {TaskResult::Kind::Done, ""};
  if (llvm::Error Problem = doTask(*Folder, Number))
    Result = {TaskResult::Kind::Failed, llvm::toString(std::move(Problem))};
  if (!Result.Why.empty())
    printError(Result.Why);
  if (llvm::Error Problem = Folder->writeResult(Number, Result))
    return fail(std::move(Problem));
  return Result.Why.empty() ? ExitDone : ExitError;
}

} // namespace warpwise::tool
