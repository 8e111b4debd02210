//===- Compilation.h - One run of nvcc, held in bounds ----------*- C++ -*-===//
//
// Compiling foreign code runs nothing of it, but it may ask for endless files,
// time and memory. So nvcc gets a folder of its own, limits, no input, and a
// process beside it that ends it and all it has started when its time is up or
// when Warpwise is gone.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_NVCC_COMPILATION_H
#define WARPWISE_ANALYZER_NVCC_COMPILATION_H

#include "analyzer/nvcc/NvccInput.h"

#include <chrono>
#include <string>

#include <sys/types.h>

namespace warpwise::nvcc {

struct CompilationLimits {
  /// CPU time of each process, so that a busy machine gives the same answers.
  std::chrono::seconds Time = std::chrono::seconds(60);
  /// What the whole may take on the clock: a process that hangs takes none of
  /// the processor's.
  std::chrono::seconds Patience = std::chrono::seconds(300);
  uint64_t MemoryBytes = uint64_t(8) << 30; ///< of each process
  uint64_t FileBytes = uint64_t(1) << 30;
};

class Compilation {
public:
  /// Starts the program at \p Nvcc. When that fails, it has ended already.
  Compilation(const std::string &Nvcc, const NvccInput &Input,
              const CompilationLimits &Limits);
  Compilation(Compilation &&Other) noexcept;
  Compilation &operator=(Compilation &&) = delete;
  ~Compilation();

  /// Whether it has ended; never waits.
  bool hasEnded();

  /// Of one that has ended: why there is no result, as half a sentence, or
  /// empty.
  const std::string &problem() const { return Problem; }
  /// What nvcc and its parts printed.
  std::string output() const;
  /// What it read, as `make` is told of it.
  std::string dependencies() const;

private:
  std::string Folder;
  std::string Problem;
  CompilationLimits Limits;
  pid_t Keeper = -1; ///< the process beside nvcc; its exit status says how

  std::string pathOf(const char *Name) const { return Folder + "/" + Name; }
};

} // namespace warpwise::nvcc

#endif // WARPWISE_ANALYZER_NVCC_COMPILATION_H
