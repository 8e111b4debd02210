//===- Interrupt.cpp - What Ctrl-C leaves behind: nothing -----------------===//
//
// A handler may do next to nothing, so it only tells a thread which signal
// came. The mask is left alone: a child would inherit it and not end with us.
//
//===----------------------------------------------------------------------===//

#include "profiler/tool/Interrupt.h"

#include "profiler/tool/Messages.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace warpwise::tool {

/// Where the handler writes the signal. Open for the rest of the process,
/// because the thread that reads it is, too.
static int SignalPipe[2] = {-1, -1};

static void tellThread(int Signal) {
  const unsigned char Byte = static_cast<unsigned char>(Signal);
  [[maybe_unused]] const ssize_t Written = ::write(SignalPipe[1], &Byte, 1);
}

static void setHandlers(void (*Handler)(int)) {
  for (int Signal : {SIGINT, SIGTERM})
    std::signal(Signal, Handler);
}

/// Waits for a signal and ends the program.
[[noreturn]] static void sayGoodbye(const std::string &Folder) {
  unsigned char Signal = 0;
  while (::read(SignalPipe[0], &Signal, 1) != 1)
    ;
  // A benchmark may be making files in there.
  std::error_code Wrong;
  for (unsigned Try = 0; Try != 3 && !Folder.empty(); ++Try)
    fs::remove_all(Folder, Wrong);
  if (stderrIsTerminal())
    std::fputs("\r\033[K", stderr);
  printError("interrupted; no profile was written");
  ::_exit(128 + Signal);
}

Interruptible::Interruptible() {
  std::error_code Wrong;
  std::string Name =
      (fs::temp_directory_path(Wrong) / "warpwise-profile-XXXXXX").string();
  if (!Wrong && ::mkdtemp(Name.data())) {
    Folder = Name;
    ::setenv("TMPDIR", Folder.c_str(), 1);
  }
  if (::pipe2(SignalPipe, O_CLOEXEC) != 0)
    return; // then a signal ends the program as it would without us
  std::thread(sayGoodbye, Folder).detach();
  setHandlers(tellThread);
}

Interruptible::~Interruptible() {
  setHandlers(SIG_DFL);
  std::error_code Wrong;
  if (!Folder.empty())
    fs::remove_all(Folder, Wrong);
}

IgnoreSignals::IgnoreSignals() { setHandlers(SIG_IGN); }
IgnoreSignals::~IgnoreSignals() { setHandlers(SIG_DFL); }

} // namespace warpwise::tool
