//===- WorkerPool.cpp -----------------------------------------------------===//
//
// fork, a pipe for the result and poll. No threads: a child forked from a
// process with threads may not even allocate memory.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/WorkerPool.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwise::tool {

namespace {

using Clock = std::chrono::steady_clock;

struct CloseFile {
  void operator()(std::FILE *File) const { std::fclose(File); }
};

struct Worker {
  size_t Task = 0;
  pid_t Process = -1;
  int Result = -1; ///< read end of the pipe
  /// Holds what the process writes to stderr; null: it goes nowhere.
  std::unique_ptr<std::FILE, CloseFile> Errors;
  Clock::time_point Deadline;
  Outcome Done;
};

} // namespace

static bool writeAll(int File, llvm::StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(File, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Text = Text.drop_front(Written);
  }
  return true;
}

/// The child's side. Leaves with _exit: the parent's buffers and destructors
/// are not the child's to run.
[[noreturn]] static void work(const Work &Task, int Result, std::FILE *Errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (Errors)
    ::dup2(::fileno(Errors), STDERR_FILENO);
  else if (std::FILE *Null = std::fopen("/dev/null", "w"))
    ::dup2(::fileno(Null), STDERR_FILENO);
  ::_exit(writeAll(Result, Task()) ? 0 : 1);
}

/// Starts \p Task; on failure Worker::Process stays -1 and Done says why.
static Worker start(size_t Index, const Work &Task,
                    const PoolOptions &Options) {
  Worker W;
  W.Task = Index;
  W.Deadline = Clock::now() + Options.TimeLimit;
  int Ends[2];
  if (::pipe(Ends) != 0) {
    W.Done.Output = std::strerror(errno);
    return W;
  }
  W.Errors.reset(std::tmpfile());
  std::fflush(nullptr);
  W.Process = ::fork();
  if (W.Process == 0) {
    ::close(Ends[0]);
    work(Task, Ends[1], W.Errors.get());
  }
  if (W.Process < 0) {
    W.Done.Output = std::strerror(errno);
    ::close(Ends[0]);
  } else {
    W.Result = Ends[0];
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

/// Collects the process and settles how it ended.
static void finish(Worker &W, bool TimedOut) {
  if (TimedOut)
    ::kill(W.Process, SIGKILL);
  int Status = 0;
  while (::waitpid(W.Process, &Status, 0) < 0 && errno == EINTR)
    continue;
  ::close(W.Result);
  W.Done.LastWords = lastLine(W.Errors.get());
  if (TimedOut) {
    W.Done.How = Outcome::Kind::TimedOut;
  } else if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0) {
    W.Done.How = Outcome::Kind::Finished;
  } else {
    W.Done.How = Outcome::Kind::Crashed;
    W.Done.Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  }
}

/// Reads what has arrived; true at the end of the result.
static bool readSome(Worker &W) {
  char Buffer[1 << 16];
  ssize_t Count = ::read(W.Result, Buffer, sizeof(Buffer));
  if (Count > 0)
    W.Done.Output.append(Buffer, Count);
  return Count == 0 || (Count < 0 && errno != EINTR);
}

/// Waits until a worker has something to say or is out of time, and takes the
/// ended ones out of \p Running.
static std::vector<Worker> collectEnded(std::vector<Worker> &Running) {
  std::vector<pollfd> Files;
  Clock::time_point Next = Clock::time_point::max();
  for (const Worker &W : Running) {
    Files.push_back({W.Result, POLLIN, 0});
    Next = std::min(Next, W.Deadline);
  }
  auto Wait = std::chrono::ceil<std::chrono::milliseconds>(Next - Clock::now());
  ::poll(Files.data(), Files.size(), std::max<int64_t>(0, Wait.count()));

  std::vector<Worker> Ended, Left;
  for (size_t I = 0; I < Running.size(); ++I) {
    Worker &W = Running[I];
    bool Complete = Files[I].revents != 0 && readSome(W);
    bool TimedOut = !Complete && Clock::now() >= W.Deadline;
    if (Complete || TimedOut) {
      finish(W, TimedOut);
      Ended.push_back(std::move(W));
    } else {
      Left.push_back(std::move(W));
    }
  }
  Running = std::move(Left);
  return Ended;
}

std::vector<Outcome> runTasks(const std::vector<Work> &Tasks,
                              const PoolOptions &Options,
                              llvm::function_ref<void(size_t)> WhenDone) {
  std::vector<Outcome> Outcomes(Tasks.size());
  std::vector<Worker> Running;
  auto Settle = [&](Worker &W) {
    Outcomes[W.Task] = std::move(W.Done);
    WhenDone(W.Task);
  };
  size_t Next = 0;
  while (Next < Tasks.size() || !Running.empty()) {
    while (Next < Tasks.size() && Running.size() < std::max(1u, Options.Jobs)) {
      Worker W = start(Next, Tasks[Next], Options);
      ++Next;
      if (W.Process < 0)
        Settle(W);
      else
        Running.push_back(std::move(W));
    }
    if (Running.empty())
      continue;
    for (Worker &W : collectEnded(Running))
      Settle(W);
  }
  return Outcomes;
}

std::string describeFailure(const std::string &Name, const Outcome &Result,
                            const PoolOptions &Options) {
  switch (Result.How) {
  case Outcome::Kind::Finished:
    return {};
  case Outcome::Kind::TimedOut:
    return fmt::format(
        "{}: the analysis took more than {} s and was stopped", Name,
        std::chrono::duration_cast<std::chrono::seconds>(Options.TimeLimit)
            .count());
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
