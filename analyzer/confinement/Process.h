//===- Process.h - Starting confined processes ------------------*- C++ -*-===//
//
// A forked process that gives up what Confinement.h says before it does
// anything, and a socket to talk to it. No threads: a child forked from a
// process with threads may not even allocate memory.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CONFINEMENT_PROCESS_H
#define WARPWISE_ANALYZER_CONFINEMENT_PROCESS_H

#include "analyzer/confinement/Confinement.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include <sys/types.h>

namespace warpwise::confinement {

struct ProcessOptions {
  Level To = Level::Alone;
  /// Address space beyond what the parent has, in bytes; 0: no limit.
  uint64_t AddressSpace = 0;
};

/// What the process itself has.
struct Inside {
  int Socket = -1;
  /// WithChildren: the parent's stderr, to show progress there.
  int Terminal = -1;
};

class Process {
public:
  /// None yet.
  Process() = default;
  /// Runs \p Body in a new process, which ends when that returns: the parent's
  /// buffers and destructors are not its to run. What it writes to stderr is
  /// kept; it ends when its parent does. Where none can be started, isRunning()
  /// is false and lastWords() says why.
  static Process start(const ProcessOptions &Options,
                       llvm::function_ref<void(const Inside &)> Body);
  Process(Process &&Other) noexcept { *this = std::move(Other); }
  Process &operator=(Process &&Other) noexcept;
  /// Ends the process.
  ~Process();

  bool isRunning() const { return Id >= 0; }
  int socket() const { return Socket; }
  /// The CPU time that it has had.
  std::chrono::milliseconds cpuTime() const;
  /// The memory that it has now, in bytes; 0 when it is gone.
  uint64_t residentMemory() const;
  /// The last line that it wrote to stderr.
  std::string lastWords() const;

  /// Ends it, if it has not ended by itself, and returns what waitpid() says:
  /// one that closed its socket or has said its result may still be caught in
  /// something.
  int end();

private:
  struct CloseFile {
    void operator()(std::FILE *File) const { std::fclose(File); }
  };

  pid_t Id = -1;
  int Socket = -1;
  std::unique_ptr<std::FILE, CloseFile> Errors;
  clockid_t CpuClock = 0;
  std::string Problem;
};

/// In a process that Process::start() made: what was written to stderr so far
/// does not count as its last words any more.
void forgetLastWords();

/// Sends all of it; false when the other side is gone.
bool sendAll(int Socket, llvm::StringRef Text);

} // namespace warpwise::confinement

#endif // WARPWISE_ANALYZER_CONFINEMENT_PROCESS_H
