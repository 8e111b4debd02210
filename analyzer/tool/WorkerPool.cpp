//===- WorkerPool.cpp -----------------------------------------------------===//
//
// fork, a socket to each process and poll. No threads: a child forked from a
// process with threads may not even allocate memory. A process is sent the
// numbers of its tasks, one when it has nothing to do, and sends a header and
// the result of each back.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/WorkerPool.h"

#include "analyzer/tool/Messages.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

struct CloseFile {
  void operator()(std::FILE *File) const { std::fclose(File); }
};

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
  pid_t Process = -1;
  int Socket = -1;
  std::string Received; ///< of the task: a Header and its result
  /// Holds what the process writes to stderr; null: it goes nowhere.
  std::unique_ptr<std::FILE, CloseFile> Errors;
  clockid_t CpuClock = 0;
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
}

bool wasInterrupted() { return Interrupts != 0; }

/// Set in a forked process.
static bool LeavesAfterTask = false;

void leaveProcessAfterTask() { LeavesAfterTask = true; }

static bool sendAll(int Socket, llvm::StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::send(Socket, Text.data(), Text.size(), MSG_NOSIGNAL);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Text = Text.drop_front(Written);
  }
  return true;
}

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

/// Gives up what a task does not need.
static void confineWorker(const PoolOptions &Options, int Socket, int Errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C reaches the whole group: what is to end is for the parent to say.
  std::signal(SIGINT, SIG_IGN);
  int Terminal = -1;
  if (Options.Level == confinement::Level::WithChildren) {
    Terminal = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    Progress::showOn(Terminal);
  }
  if (Errors < 0)
    Errors = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(Errors, STDERR_FILENO);
  confinement::closeInheritedFiles({Socket, Terminal});
  confinement::exitInsteadOfCrashing();
  confinement::limitMemory(Options.MapsMuch ? 0 : Options.MemoryLimit,
                           Options.Level);
  // Where the kernel refuses, the caller has been told (isAvailable).
  confinement::confine(Options.Level);
}

/// The child's side. Leaves with _exit: the parent's buffers and destructors
/// are not the child's to run.
[[noreturn]] static void work(const std::vector<Work> &Tasks,
                              const PoolOptions &Options, int Socket,
                              std::FILE *Errors) {
  const uint64_t MostKept = mostMemory() + Options.MostGrowth;
  confineWorker(Options, Socket, Errors ? ::fileno(Errors) : -1);
  while (!LeavesAfterTask) {
    const uint64_t Task = receiveTask(Socket);
    if (Task >= Tasks.size())
      break;
    // What an earlier task said is not the last word of this one.
    if (Errors && ::ftruncate(STDERR_FILENO, 0) == 0)
      ::lseek(STDERR_FILENO, 0, SEEK_SET);
    const std::string Result = Tasks[Task]();
    LeavesAfterTask |= mostMemory() > MostKept;
    const Header Begin = {Result.size(), LeavesAfterTask};
    if (!sendAll(Socket, bytesOf(Begin)) || !sendAll(Socket, Result))
      ::_exit(1);
  }
  ::_exit(0);
}

/// The CPU time that the process has had.
static milliseconds cpuTime(const Worker &W) {
  timespec Time = {};
  if (::clock_gettime(W.CpuClock, &Time) != 0)
    return milliseconds(0);
  return milliseconds(Time.tv_sec * 1000 + Time.tv_nsec / 1'000'000);
}

/// The memory that the process has now, in bytes; 0 when it is gone.
static uint64_t residentMemory(pid_t Process) {
  const std::unique_ptr<std::FILE, CloseFile> File(
      std::fopen(fmt::format("/proc/{}/statm", Process).c_str(), "re"));
  unsigned long Pages = 0;
  if (!File || std::fscanf(File.get(), "%*u %lu", &Pages) != 1)
    return 0;
  return uint64_t(Pages) * uint64_t(::sysconf(_SC_PAGESIZE));
}

/// If the process is gone, that is seen when its result is read.
static void give(Worker &W, size_t Task) {
  W.Task = Task;
  W.Received.clear();
  W.Done = {};
  W.CpuBefore = cpuTime(W);
  W.Begun = Clock::now();
  sendAll(W.Socket, bytesOf(uint64_t(Task)));
}

/// A file that is nothing but memory; null when there is none.
static std::unique_ptr<std::FILE, CloseFile> memoryFile() {
  const int File = ::memfd_create("warpwise-errors", MFD_CLOEXEC);
  if (File < 0)
    return nullptr;
  return std::unique_ptr<std::FILE, CloseFile>(::fdopen(File, "r+"));
}

/// Starts a process for task \p Index; on failure Worker::Process stays -1 and
/// Done says why.
static Worker start(size_t Index, const std::vector<Work> &Tasks,
                    const PoolOptions &Options) {
  Worker W;
  W.Task = Index;
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0) {
    W.Done.Output = std::strerror(errno);
    return W;
  }
  W.Errors = memoryFile();
  std::fflush(nullptr);
  W.Process = ::fork();
  if (W.Process == 0) {
    ::close(Ends[0]);
    work(Tasks, Options, Ends[1], W.Errors.get());
  }
  if (W.Process < 0) {
    W.Done.Output = std::strerror(errno);
    ::close(Ends[0]);
  } else {
    W.Socket = Ends[0];
    ::clock_getcpuclockid(W.Process, &W.CpuClock);
    W.MemoryBefore = residentMemory(W.Process);
    give(W, Index);
  }
  ::close(Ends[1]);
  return W;
}

static std::string lastLine(std::FILE *File) {
  if (!File)
    return {};
  constexpr long Tail = 4096;
  std::string Text(Tail, '\0');
  std::fseek(File, 0, SEEK_END);
  std::fseek(File, std::max(0L, std::ftell(File) - Tail), SEEK_SET);
  Text.resize(std::fread(Text.data(), 1, Text.size(), File));
  llvm::StringRef Rest = llvm::StringRef(Text).rtrim();
  return Rest.substr(Rest.rfind('\n') + 1).str();
}

/// Ends the process, if it has not ended by itself: one that closed its socket
/// or has said its result may still be caught in something.
static int collect(Worker &W) {
  int Status = 0;
  ::kill(W.Process, SIGKILL);
  while (::waitpid(W.Process, &Status, 0) < 0 && errno == EINTR)
    continue;
  ::close(W.Socket);
  W.Process = -1;
  return Status;
}

static milliseconds timeUntilStuck(const PoolOptions &Options) {
  constexpr int TimesAsLong = 10;
  return TimesAsLong * Options.TimeLimit + Options.Patience;
}

/// The limit that the task of \p W is beyond; Finished when it may go on.
static Outcome::Kind limitReached(const Worker &W, const PoolOptions &Options) {
  if (Options.TimeLimit.count() != 0) {
    if (cpuTime(W) - W.CpuBefore > Options.TimeLimit)
      return Outcome::Kind::TimedOut;
    if (Options.Level == confinement::Level::Alone &&
        Clock::now() - W.Begun > timeUntilStuck(Options))
      return Outcome::Kind::Stuck;
  }
  if (Options.MemoryLimit != 0 &&
      residentMemory(W.Process) > W.MemoryBefore + Options.MemoryLimit)
    return Outcome::Kind::OutOfMemory;
  return Outcome::Kind::Finished;
}

/// Settles how a task ended that cost its process. \p How: why it was ended, or
/// Crashed.
static void fail(Worker &W, Outcome::Kind How) {
  const int Status = collect(W);
  W.Done.LastWords = lastLine(W.Errors.get());
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
  ssize_t Count = ::recv(W.Socket, Buffer, sizeof(Buffer), 0);
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
  W.Done.LastWords = lastLine(W.Errors.get());
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
        if (W.Process < 0)
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
      collect(W);
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
      Files.push_back({W.Socket, POLLIN, 0});
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
      collect(W);
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
      if (W.Process >= 0)
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
