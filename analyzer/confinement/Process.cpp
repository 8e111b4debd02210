//===- Process.cpp - Starting confined processes --------------------------===//

#include "analyzer/confinement/Process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace warpwise::confinement {

using std::chrono::milliseconds;

/// Gives up what the process does not need. Its stderr leads to \p Errors.
static Inside confineChild(const ProcessOptions &Options, int Socket,
                           int Errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C and timeout(1) reach the whole group: what is to end is for the
  // parent to say.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  Inside Mine = {Socket};
  if (Options.To == Level::WithChildren)
    Mine.Terminal = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (Errors < 0)
    Errors = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(Errors, STDERR_FILENO);
  closeInheritedFiles({Socket, Mine.Terminal});
  exitInsteadOfCrashing();
  limitMemory(Options.AddressSpace, Options.To);
  // Where the kernel refuses, the caller has been told (isAvailable).
  confine(Options.To);
  return Mine;
}

Process Process::start(const ProcessOptions &Options,
                       llvm::function_ref<void(const Inside &)> Body) {
  Process New;
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0) {
    New.Problem = std::strerror(errno);
    return New;
  }
  // A file that is nothing but memory.
  if (const int File = ::memfd_create("warpwise-errors", MFD_CLOEXEC);
      File >= 0)
    New.Errors.reset(::fdopen(File, "r+"));
  std::fflush(nullptr);
  New.Id = ::fork();
  if (New.Id == 0) {
    ::close(Ends[0]);
    Body(confineChild(Options, Ends[1],
                      New.Errors ? ::fileno(New.Errors.get()) : -1));
    ::_exit(0);
  }
  if (New.Id < 0) {
    New.Problem = std::strerror(errno);
    ::close(Ends[0]);
  } else {
    New.Socket = Ends[0];
    ::clock_getcpuclockid(New.Id, &New.CpuClock);
  }
  ::close(Ends[1]);
  return New;
}

Process &Process::operator=(Process &&Other) noexcept {
  if (this == &Other)
    return *this;
  end();
  Id = std::exchange(Other.Id, -1);
  Socket = std::exchange(Other.Socket, -1);
  Errors = std::move(Other.Errors);
  CpuClock = Other.CpuClock;
  Problem = std::move(Other.Problem);
  return *this;
}

Process::~Process() { end(); }

milliseconds Process::cpuTime() const {
  timespec Time = {};
  if (::clock_gettime(CpuClock, &Time) != 0)
    return milliseconds(0);
  return milliseconds(Time.tv_sec * 1000 + Time.tv_nsec / 1'000'000);
}

uint64_t Process::residentMemory() const {
  const std::string Path = "/proc/" + std::to_string(Id) + "/statm";
  const std::unique_ptr<std::FILE, CloseFile> File(
      std::fopen(Path.c_str(), "re"));
  unsigned long Pages = 0;
  if (!File || std::fscanf(File.get(), "%*u %lu", &Pages) != 1)
    return 0;
  return uint64_t(Pages) * uint64_t(::sysconf(_SC_PAGESIZE));
}

std::string Process::lastWords() const {
  if (!Problem.empty() || !Errors)
    return Problem;
  constexpr long Tail = 4096;
  std::string Text(Tail, '\0');
  std::fseek(Errors.get(), 0, SEEK_END);
  std::fseek(Errors.get(), std::max(0L, std::ftell(Errors.get()) - Tail),
             SEEK_SET);
  Text.resize(std::fread(Text.data(), 1, Text.size(), Errors.get()));
  llvm::StringRef Rest = llvm::StringRef(Text).rtrim();
  return Rest.substr(Rest.rfind('\n') + 1).str();
}

int Process::end() {
  if (Id < 0)
    return 0;
  int Status = 0;
  ::kill(Id, SIGKILL);
  while (::waitpid(Id, &Status, 0) < 0 && errno == EINTR)
    continue;
  ::close(Socket);
  Id = Socket = -1;
  return Status;
}

void forgetLastWords() {
  // Nothing to forget where it is no file that is nothing but memory.
  if (::ftruncate(STDERR_FILENO, 0) == 0)
    ::lseek(STDERR_FILENO, 0, SEEK_SET);
}

bool sendAll(int Socket, llvm::StringRef Text) {
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

} // namespace warpwise::confinement
