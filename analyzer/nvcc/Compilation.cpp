//===- Compilation.cpp - One run of nvcc, held in bounds ------------------===//

#include "analyzer/nvcc/Compilation.h"

#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwise::nvcc {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char *OutputName = "messages";

/// How the keeper ends.
enum KeeperStatus {
  Compiled = 0,
  Failed = 1,
  OutOfTime = 2,
  NotStarted = 3,
  Hanging = 4
};

void limit(__rlimit_resource What, uint64_t Most) {
  rlimit Now;
  ::getrlimit(What, &Now);
  Now.rlim_cur = Now.rlim_max = std::min<rlim_t>(Now.rlim_max, Most);
  ::setrlimit(What, &Now);
}

/// nvcc's own side.
[[noreturn]] void become(const char *Program, char *const *Arguments,
                         char *const *Environment, const char *Folder,
                         const CompilationLimits &Limits) {
  if (::chdir(Folder) != 0)
    ::_exit(127);
  const int Null = ::open("/dev/null", O_RDONLY);
  const int Out = ::open(OutputName, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (Null < 0 || Out < 0)
    ::_exit(127);
  ::dup2(Null, STDIN_FILENO);
  ::dup2(Out, STDOUT_FILENO);
  ::dup2(Out, STDERR_FILENO);
  // The sockets of workers that run at the same time are not nvcc's.
  const rlim_t MostFiles = 1024;
  for (int Fd = STDERR_FILENO + 1; Fd != int(MostFiles); ++Fd)
    ::close(Fd);
  limit(RLIMIT_CPU, uint64_t(Limits.Time.count()));
  limit(RLIMIT_AS, Limits.MemoryBytes);
  limit(RLIMIT_FSIZE, Limits.FileBytes);
  limit(RLIMIT_CORE, 0);
  ::execve(Program, Arguments, Environment);
  ::_exit(127);
}

/// Whether nvcc and what it started, which have ended, took their time: the
/// kernel ends a process a tick before or after its limit.
bool isTimeUp(const CompilationLimits &Limits) {
  rusage All{};
  ::getrusage(RUSAGE_CHILDREN, &All);
  const auto Taken =
      std::chrono::seconds(All.ru_utime.tv_sec + All.ru_stime.tv_sec) +
      std::chrono::microseconds(All.ru_utime.tv_usec + All.ru_stime.tv_usec);
  return Taken * 10 >= Limits.Time * 9;
}

volatile std::sig_atomic_t IsToldToEnd = 0;

/// Starts nvcc and stays beside it.
[[noreturn]] void keep(pid_t Parent, const char *Program,
                       char *const *Arguments, char *const *Environment,
                       const char *Folder, const CompilationLimits &Limits) {
  // Ctrl-C is for Warpwise; what becomes of nvcc then is decided here.
  ::setpgid(0, 0);
  struct sigaction End = {};
  End.sa_handler = [](int) { IsToldToEnd = 1; };
  ::sigaction(SIGTERM, &End, nullptr);
  const auto Deadline = Clock::now() + Limits.Patience;
  const pid_t Nvcc = ::fork();
  if (Nvcc == 0) {
    ::setpgid(0, 0);
    ::signal(SIGTERM, SIG_DFL);
    become(Program, Arguments, Environment, Folder, Limits);
  }
  if (Nvcc < 0)
    ::_exit(NotStarted);
  ::setpgid(Nvcc, Nvcc);
  int Result = Failed;
  bool ParentIsGone = false;
  for (int Status = 0;;) {
    if (::waitpid(Nvcc, &Status, WNOHANG) == Nvcc) {
      if (WIFEXITED(Status))
        Result = WEXITSTATUS(Status) == 0     ? Compiled
                 : WEXITSTATUS(Status) == 127 ? NotStarted
                                              : Failed;
      if (Result == Failed && isTimeUp(Limits))
        Result = OutOfTime;
      break;
    }
    ParentIsGone = ::getppid() != Parent;
    if (Clock::now() > Deadline)
      Result = Hanging;
    if (ParentIsGone || IsToldToEnd || Result == Hanging)
      break;
    const timespec Pause = {0, 10'000'000};
    ::nanosleep(&Pause, nullptr);
  }
  ::kill(-Nvcc, SIGKILL); // with the compiler and the assembler
  if (ParentIsGone)
    // What cannot be removed stays: nobody is there to be told.
    (void)llvm::sys::fs::remove_directories(Folder);
  ::_exit(Result);
}

/// The environment, with the folder for what nvcc puts aside.
std::vector<std::string> environmentFor(const std::string &Folder) {
  std::vector<std::string> Result{"TMPDIR=" + Folder};
  for (char **Entry = environ; *Entry; ++Entry)
    if (std::strncmp(*Entry, "TMPDIR=", 7) != 0)
      Result.emplace_back(*Entry);
  return Result;
}

std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (std::string &Text : Texts)
    Result.push_back(Text.data());
  Result.push_back(nullptr);
  return Result;
}

} // namespace

Compilation::Compilation(const std::string &Nvcc, const NvccInput &Input,
                         const CompilationLimits &Limits)
    : Limits(Limits) {
  llvm::SmallString<128> Path;
  if (const std::error_code Why =
          llvm::sys::fs::createUniqueDirectory("warpwise-nvcc", Path)) {
    Problem = "no temporary folder could be made: " + Why.message();
    return;
  }
  Folder = Path.str().str();
  if (std::string Why =
          io::writeFile(pathOf(NvccInput::SourceName), Input.Source);
      !Why.empty()) {
    Problem = fmt::format("'{}' could not be written: {}", Folder, Why);
    return;
  }
  for (const auto &[Name, To] : Input.Links)
    if (::symlink(To.c_str(), pathOf(Name.c_str()).c_str()) != 0) {
      Problem = fmt::format("'{}' could not be written: {}", Folder,
                            std::strerror(errno));
      return;
    }
  std::vector<std::string> Arguments = Input.Arguments;
  Arguments.insert(Arguments.begin(), Nvcc);
  std::vector<std::string> Environment = environmentFor(Folder);
  const std::vector<char *> Words = pointersTo(Arguments);
  const std::vector<char *> Settings = pointersTo(Environment);
  const pid_t Parent = ::getpid();
  Keeper = ::fork();
  if (Keeper == 0)
    keep(Parent, Nvcc.c_str(), Words.data(), Settings.data(), Folder.c_str(),
         Limits);
  if (Keeper < 0)
    Problem =
        fmt::format("no process could be started: {}", std::strerror(errno));
}

Compilation::Compilation(Compilation &&Other) noexcept
    : Folder(std::exchange(Other.Folder, "")),
      Problem(std::move(Other.Problem)), Limits(Other.Limits),
      Keeper(std::exchange(Other.Keeper, -1)) {}

Compilation::~Compilation() {
  if (Keeper > 0) {
    ::kill(Keeper, SIGTERM);
    ::waitpid(Keeper, nullptr, 0);
  }
  if (!Folder.empty())
    (void)llvm::sys::fs::remove_directories(Folder);
}

bool Compilation::hasEnded() {
  if (Keeper <= 0)
    return true;
  int Status = 0;
  const pid_t Ended = ::waitpid(Keeper, &Status, WNOHANG);
  if (Ended == 0 || (Ended < 0 && errno == EINTR))
    return false;
  Keeper = -1;
  const int How = WIFEXITED(Status) ? WEXITSTATUS(Status) : int(Failed);
  if (How == NotStarted)
    Problem = "it could not be started";
  else if (How == OutOfTime)
    Problem =
        fmt::format("it took more than {} s of CPU time", Limits.Time.count());
  else if (How == Hanging)
    Problem =
        fmt::format("it did not end within {} s", Limits.Patience.count());
  else if (How != Compiled)
    Problem = "it does not compile this file";
  return true;
}

std::string Compilation::output() const {
  const auto Text = io::readFile(pathOf(OutputName));
  return Text ? *Text : "";
}

std::string Compilation::dependencies() const {
  const auto Text = io::readFile(pathOf(NvccInput::DependencyName));
  return Text ? *Text : "";
}

} // namespace warpwise::nvcc
