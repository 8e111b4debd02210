//===- WorkerPool.cpp -----------------------------------------------------===//
//
// Processes with a socket each, and poll. A process is sent the numbers of its
// tasks, one when it has nothing to do, and sends a header and the result of
// each back.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/WorkerPool.h"

#include "analyzer/confinement/Process.h"
#include "analyzer/tool/Messages.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwise::tool {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How often the limits of a process are looked at.
constexpr milliseconds Tick(50);

/// The number of no task.
constexpr uint64_t NoTask = ~uint64_t(0);

/// Precedes a result.
struct Header {
  uint64_t Bytes = 0;
  uint64_t Leaves = 0; ///< the process takes no other task
};

struct Worker {
  size_t Task = 0;
  bool DidOthers = false; ///< the process did other tasks before this one
  confinement::Process By;
  std::string Received;     ///< of the task: a Header and its result
  milliseconds CpuBefore{}; ///< when it was given the task
  Clock::time_point Begun;
  uint64_t MemoryBefore = 0; ///< resident, when it began
  Outcome Done;
};

} // namespace

static volatile std::sig_atomic_t Interrupts = 0;

void stopOnInterrupt() {
  struct sigaction Action = {};
  Action.sa_handler = [](int) { Interrupts = 1; };
  Action.sa_flags = int(SA_RESETHAND);
  ::sigaction(SIGINT, &Action, nullptr);
  Action.sa_flags = 0; // timeout(1) sends two in a row
  ::sigaction(SIGTERM, &Action, nullptr);
}

bool wasInterrupted() { return Interrupts != 0; }

/// Set in a forked process.
static bool LeavesAfterTask = false;

void leaveProcessAfterTask() { LeavesAfterTask = true; }

template <typename T> static llvm::StringRef bytesOf(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof(Value)};
}

/// The number of the next task; NoTask when the parent is gone.
static uint64_t receiveTask(int Socket) {
  uint64_t Number = NoTask;
  for (size_t Have = 0; Have != sizeof(Number);) {
    ssize_t Count = ::recv(Socket, reinterpret_cast<char *>(&Number) + Have,
                           sizeof(Number) - Have, 0);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return NoTask;
    Have += size_t(Count);
  }
  return Number;
}

/// The most memory that this process ever had, in bytes.
static uint64_t mostMemory() {
  rusage Usage = {};
  ::getrusage(RUSAGE_SELF, &Usage);
  return uint64_t(Usage.ru_maxrss) << 10;
}

/// The child's side.
static void work(const std::vector<Work> &Tasks, const PoolOptions &Options,
                 const confinement::Inside &Mine) {
  const uint64_t MostKept = mostMemory() + Options.MostGrowth;
  if (Mine.Terminal >= 0)
    Progress::showOn(Mine.Terminal);
  while (!LeavesAfterTask) {
    const uint64_t Task = receiveTask(Mine.Socket);
    if (Task >= Tasks.size())
      break;
    // What an earlier task said is not the last word of this one.
    confinement::forgetLastWords();
    const std::string Result = Tasks[Task]();
    LeavesAfterTask |= mostMemory() > MostKept;
    const Header Begin = {Result.size(), LeavesAfterTask};
    if (!confinement::sendAll(Mine.Socket, bytesOf(Begin)) ||
        !confinement::sendAll(Mine.Socket, Result))
      ::_exit(1);
  }
}

/// If the process is gone, that is seen when its result is read.
static void give(Worker &W, size_t Task) {
  W.Task = Task;
  W.Received.clear();
  W.Done = {};
  W.CpuBefore = W.By.cpuTime();
  W.Begun = Clock::now();
  confinement::sendAll(W.By.socket(), bytesOf(uint64_t(Task)));
}

/// Starts a process for task \p Index; on failure it does not run and Done says
/// why.
static Worker start(size_t Index, const std::vector<Work> &Tasks,
                    const PoolOptions &Options) {
  Worker W;
  W.Task = Index;
  W.By = confinement::Process::start(
      {Options.Level, Options.MapsMuch ? 0 : Options.MemoryLimit},
      [&](const confinement::Inside &Mine) { work(Tasks, Options, Mine); });
  if (W.By.isRunning()) {
    W.MemoryBefore = W.By.residentMemory();
    give(W, Index);
  } else {
    W.Done.Output = W.By.lastWords();
  }
  return W;
}

static milliseconds timeUntilStuck(const PoolOptions &Options) {
  constexpr int TimesAsLong = 10;
  return TimesAsLong * Options.TimeLimit + Options.Patience;
}

/// The limit that the task of \p W is beyond; Finished when it may go on.
static Outcome::Kind limitReached(const Worker &W, const PoolOptions &Options) {
  if (Options.TimeLimit.count() != 0) {
    if (W.By.cpuTime() - W.CpuBefore > Options.TimeLimit)
      return Outcome::Kind::TimedOut;
    if (Options.Level == confinement::Level::Alone &&
        Clock::now() - W.Begun > timeUntilStuck(Options))
      return Outcome::Kind::Stuck;
  }
  if (Options.MemoryLimit != 0 &&
      W.By.residentMemory() > W.MemoryBefore + Options.MemoryLimit)
    return Outcome::Kind::OutOfMemory;
  return Outcome::Kind::Finished;
}

/// Settles how a task ended that cost its process. \p How: why it was ended, or
/// Crashed.
static void fail(Worker &W, Outcome::Kind How) {
  const int Status = W.By.end();
  W.Done.LastWords = W.By.lastWords();
  W.Done.How = How;
  if (How != Outcome::Kind::Crashed)
    return;
  W.Done.Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == confinement::NoMemory)
    W.Done.How = Outcome::Kind::OutOfMemory;
  else if (WIFEXITED(Status) && WEXITSTATUS(Status) == confinement::NoStack)
    W.Done.How = Outcome::Kind::OutOfStack;
}

/// Reads what has arrived; false when the process is gone.
static bool readSome(Worker &W) {
  char Buffer[1 << 16];
  ssize_t Count = ::recv(W.By.socket(), Buffer, sizeof(Buffer), 0);
  if (Count > 0)
    W.Received.append(Buffer, Count);
  return Count > 0 || (Count < 0 && errno == EINTR);
}

/// Whether the result is complete; then it is the outcome.
static bool finish(Worker &W, bool &Leaves) {
  Header Begin;
  if (W.Received.size() < sizeof(Begin))
    return false;
  std::memcpy(&Begin, W.Received.data(), sizeof(Begin));
  if (W.Received.size() - sizeof(Begin) < Begin.Bytes)
    return false;
  W.Done.How = Outcome::Kind::Finished;
  W.Done.Output = W.Received.substr(sizeof(Begin));
  W.Done.LastWords = W.By.lastWords();
  Leaves = Begin.Leaves != 0;
  return true;
}

namespace {

/// The tasks, and who does them.
class Pool {
public:
  Pool(const std::vector<Work> &Tasks, const PoolOptions &Options,
       llvm::function_ref<void(size_t)> WhenDone)
      : Tasks(Tasks), Options(Options), WhenDone(WhenDone),
        Outcomes(Tasks.size()) {}

  std::vector<Outcome> run() {
    while (Next < Tasks.size() || !Running.empty()) {
      while (Next < Tasks.size() &&
             Running.size() < std::max(1u, Options.Jobs)) {
        Worker W = start(Next++, Tasks, Options);
        if (!W.By.isRunning())
          settle(W);
        else
          Running.push_back(std::move(W));
      }
      if (!Running.empty())
        wait();
      if (wasInterrupted())
        stop();
    }
    return std::move(Outcomes);
  }

private:
  const std::vector<Work> &Tasks;
  const PoolOptions &Options;
  llvm::function_ref<void(size_t)> WhenDone;
  std::vector<Outcome> Outcomes;
  std::vector<Worker> Running;
  size_t Next = 0;

  /// Ends what is under way and begins nothing else.
  void stop() {
    for (Worker &W : Running) {
      W.By.end();
      Outcomes[W.Task].How = Outcome::Kind::Interrupted;
    }
    Running.clear();
    for (; Next < Tasks.size(); ++Next)
      Outcomes[Next].How = Outcome::Kind::Interrupted;
  }

  void settle(Worker &W) {
    Outcomes[W.Task] = std::move(W.Done);
    WhenDone(W.Task);
  }

  /// Waits until a worker has something to say or is out of time.
  void wait() {
    std::vector<pollfd> Files;
    for (const Worker &W : Running)
      Files.push_back({W.By.socket(), POLLIN, 0});
    ::poll(Files.data(), Files.size(), int(Tick.count()));
    std::vector<Worker> Before = std::move(Running);
    Running.clear();
    for (size_t I = 0; I < Before.size(); ++I)
      if (goesOn(Before[I], Files[I].revents != 0))
        Running.push_back(std::move(Before[I]));
  }

  /// Whether the worker still has a task, or got the next.
  bool goesOn(Worker &W, bool IsReady) {
    const bool IsGone = IsReady && !readSome(W);
    bool Leaves = false;
    if (finish(W, Leaves)) {
      settle(W);
      if (Options.KeepProcesses && !Leaves && !IsGone && Next < Tasks.size()) {
        W.DidOthers = true;
        give(W, Next++);
        return true;
      }
      W.By.end();
      return false;
    }
    const Outcome::Kind How =
        IsGone ? Outcome::Kind::Crashed : limitReached(W, Options);
    if (How == Outcome::Kind::Finished)
      return true;
    fail(W, How);
    // It may have been another task's fault.
    if (IsGone && W.DidOthers) {
      W = start(W.Task, Tasks, Options);
      if (W.By.isRunning())
        return true;
    }
    settle(W);
    return false;
  }
};

} // namespace

std::vector<Outcome> runTasks(const std::vector<Work> &Tasks,
                              const PoolOptions &Options,
                              llvm::function_ref<void(size_t)> WhenDone) {
  return Pool(Tasks, Options, WhenDone).run();
}

std::string describeFailure(const std::string &Name, const Outcome &Result,
                            const PoolOptions &Options) {
  using std::chrono::ceil, std::chrono::seconds;
  switch (Result.How) {
  case Outcome::Kind::Finished:
    return {};
  case Outcome::Kind::TimedOut:
    return fmt::format("{}: the analysis took more than {} s of CPU time, "
                       "which is the limit (--time-limit)",
                       Name, ceil<seconds>(Options.TimeLimit).count());
  case Outcome::Kind::Stuck:
    return fmt::format("{}: the analysis did not end within {} s, though it "
                       "took less CPU time than it may (--time-limit)",
                       Name, ceil<seconds>(timeUntilStuck(Options)).count());
  case Outcome::Kind::OutOfMemory:
    return fmt::format(
        "{}: the analysis needs more memory than {} MiB, which is the limit "
        "(--memory-limit)",
        Name, Options.MemoryLimit >> 20);
  case Outcome::Kind::OutOfStack:
    return fmt::format("{}: the analysis ran out of stack: the code is nested "
                       "too deeply, or 'ulimit -s' is too small",
                       Name);
  case Outcome::Kind::Interrupted:
    return fmt::format("{}: the analysis was interrupted", Name);
  case Outcome::Kind::NotRun:
    return fmt::format("{}: cannot start a process for the analysis: {}", Name,
                       Result.Output);
  case Outcome::Kind::Crashed:
    break;
  }
  std::string How =
      Result.Signal ? fmt::format(" (signal {})", Result.Signal) : "";
  std::string Words =
      Result.LastWords.empty() ? "" : fmt::format(": {}", Result.LastWords);
  return fmt::format("{}: the analysis crashed{}{}", Name, How, Words);
}

} // namespace warpwise::tool
