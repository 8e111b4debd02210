//===- Nvcc.h - Asking the compiler that will compile -----------*- C++ -*-===//
//
// Whether an array ends up in registers is decided by nvcc's own optimiser.
// Where the user's toolkit has nvcc, it is asked; only for files where the
// answer matters, several at a time, and never twice for the same text.
//
// It is the nvcc that the user has installed or named, never one that a compile
// command or the analysed folder names.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_NVCC_NVCC_H
#define WARPWISE_ANALYZER_NVCC_NVCC_H

#include "analyzer/nvcc/AnswerCache.h"
#include "analyzer/nvcc/Compilation.h"
#include "analyzer/nvcc/KernelResources.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::nvcc {

/// What nvcc says about one translation unit.
struct Answer {
  /// Why it says nothing ("nvcc was not asked: it took more than 60 s of CPU
  /// time"); the table is then empty.
  std::string Problem;
  ResourceTable Kernels;
};

/// The nvcc of the toolkit that the user named (\p CudaPath, "none": none) or
/// installed; empty when there is none.
std::string findNvcc(const std::string &CudaPath);

class Nvcc {
public:
  /// \p Program: from findNvcc(). \p Jobs run at a time.
  Nvcc(std::string Program, unsigned Jobs,
       std::string CacheFolder = AnswerCache::userFolder(),
       CompilationLimits Limits = {});

  /// The answer, if it takes no compilation.
  std::optional<Answer> known(const frontend::DeviceCommand &Command);
  /// Starts to find the answer for \p Command, which get() gives as \p Id.
  void ask(size_t Id, const frontend::DeviceCommand &Command);
  /// Waits for everything that was asked, or until \p IsStopped: what is still
  /// under way has no answer then.
  std::map<size_t, Answer> takeAnswers(llvm::function_ref<bool()> IsStopped =
                                           [] { return false; });

private:
  struct Question {
    size_t Id;
    NvccInput Input;
  };
  struct Running {
    Question Asked;
    Compilation Run;
  };

  std::string Program;
  unsigned Jobs;
  CompilationLimits Limits;
  AnswerCache Cache;
  std::vector<Question> Waiting;
  std::vector<Running> Busy;
  std::map<size_t, Answer> Answers;

  void startMore();
  void collect();
};

} // namespace warpwise::nvcc

#endif // WARPWISE_ANALYZER_NVCC_NVCC_H
