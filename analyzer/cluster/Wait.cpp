//===- Wait.cpp - Until the tasks of a job are over -----------------------===//

#include "analyzer/cluster/Wait.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <set>
#include <thread>

namespace warpwise::cluster {

using Clock = std::chrono::steady_clock;

/// How often the queue is asked: at first for short jobs, then seldom enough
/// not to be a burden to it.
constexpr std::chrono::milliseconds FirstPause(200), LastPause(5000);
/// A shared file system shows what another machine wrote a little later.
constexpr std::chrono::seconds Grace(5);
/// A queue that does not answer may be starting anew.
constexpr std::chrono::seconds Patience(120);
constexpr std::chrono::seconds LongPending(30);

std::map<unsigned, Queued> tasksIn(const std::vector<Queued> &Queue,
                                   const WorkFolder &Folder) {
  std::map<unsigned, Queued> Tasks;
  for (const WorkFolder::Submitted &Job : Folder.submitted())
    for (const Queued &Each : Queue)
      if (Each.Job == Job.Id)
        Tasks[Job.Task ? Job.Task : Each.Index] = Each;
  return Tasks;
}

namespace {

class Waiting {
public:
  Waiting(const WorkFolder &Folder, const std::vector<unsigned> &Open,
          const WaitOptions &Options)
      : Folder(Folder), Open(Open.begin(), Open.end()), Options(Options) {}

  llvm::Error run() {
    auto Pause = FirstPause;
    while (true) {
      takeResults();
      if (Open.empty())
        return llvm::Error::success();
      if (llvm::Error Problem = askQueue())
        return Problem;
      if (Open.empty())
        return llvm::Error::success();
      if (Options.IsStopped && Options.IsStopped())
        return giveUp("interrupted");
      if (Options.Timeout.count() && Clock::now() - Begun > Options.Timeout)
        return giveUp(fmt::format("not over after {} s (--timeout)",
                                  Options.Timeout.count()));
      std::this_thread::sleep_for(Pause);
      Pause = std::min(Pause * 5 / 4, LastPause);
    }
  }

private:
  void takeResults() {
    for (auto At = Open.begin(); At != Open.end();) {
      if (Folder.result(*At).How == TaskResult::Kind::Missing) {
        ++At;
        continue;
      }
      if (Options.WhenOver)
        Options.WhenOver(*At);
      At = Open.erase(At);
    }
  }

  /// Forgets the tasks that the queue has not had for some time.
  llvm::Error askQueue() {
    const Clock::time_point Now = Clock::now();
    auto Queue = queued();
    if (!Queue) {
      const std::string Why = llvm::toString(Queue.takeError());
      if (Now - Answered > Patience)
        return giveUp(Why);
      return llvm::Error::success();
    }
    Answered = Now;
    const std::map<unsigned, Queued> There = tasksIn(*Queue, Folder);
    State.clear();
    for (auto At = Open.begin(); At != Open.end();) {
      const auto Known = There.find(*At);
      if (Known != There.end()) {
        Gone.erase(*At);
        noteState(Known->second);
      } else if (Now - Gone.try_emplace(*At, Now).first->second > Grace) {
        At = Open.erase(At);
        continue;
      }
      ++At;
    }
    if (HasBegun || State.empty() || IsSaid || Now - Begun < LongPending)
      return llvm::Error::success();
    IsSaid = true;
    if (Options.WhenStuck)
      Options.WhenStuck(State);
    return llvm::Error::success();
  }

  void noteState(const Queued &Task) {
    if (Task.State != "PENDING")
      HasBegun = true;
    State = Task.State != "PENDING" ? Task.State
            : Task.Reason == "None" ? "PENDING" // before it was looked at
                                    : Task.Reason;
  }

  llvm::Error giveUp(const std::string &Why) const {
    std::string Jobs;
    for (const WorkFolder::Submitted &Job : Folder.submitted())
      Jobs += (Jobs.empty() ? "" : " ") + Job.Id;
    return llvm::createStringError(fmt::format(
        "{}: {} task{} not over{}; --resume waits again, 'scancel {}' ends "
        "the job",
        Why, Open.size(), Open.size() == 1 ? " is" : "s are",
        State.empty() ? "" : fmt::format(" ({})", State), Jobs));
  }

  const WorkFolder &Folder;
  std::set<unsigned> Open;
  const WaitOptions &Options;
  const Clock::time_point Begun = Clock::now();
  Clock::time_point Answered = Begun;
  std::map<unsigned, Clock::time_point> Gone; ///< since when
  std::string State;                          ///< of one that is there
  bool HasBegun = false, IsSaid = false;
};

} // namespace

llvm::Error waitFor(const WorkFolder &Folder, const std::vector<unsigned> &Open,
                    const WaitOptions &Options) {
  return Waiting(Folder, Open, Options).run();
}

} // namespace warpwise::cluster
