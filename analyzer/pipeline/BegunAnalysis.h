//===- BegunAnalysis.h - An analysis that waits for its text ----*- C++ -*-===//
//
// Reads the headers of a file and waits where its own code begins, so that what
// is left after an edit is that code alone. Each edit goes on in a copy of the
// process: nothing is written down and read again, as with a precompiled
// header, and nothing has to be undone.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_BEGUNANALYSIS_H
#define WARPWISE_ANALYZER_PIPELINE_BEGUNANALYSIS_H

#include "analyzer/fiber/Fiber.h"
#include "analyzer/pipeline/Analyze.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace warpwise::pipeline {

class BegunAnalysis : private frontend::Interruption {
public:
  /// Reads \p Command up to the end of the #includes at the top of its file, or
  /// as many as read nothing that is edited. Null where there is no such place.
  static std::shared_ptr<BegunAnalysis>
  begin(const frontend::DeviceCommand &Command, const AnalyzeOptions &Options);
  ~BegunAnalysis() override;

  /// Whether \p Command is the one that was begun, but for what the file says
  /// behind that place and for files that were not read yet. Others on the disk
  /// are taken to be what they were.
  bool canFinish(const frontend::DeviceCommand &Command) const;
  /// The rest, once in the life of a process, and only if that is so.
  llvm::Expected<AnalyzeResult> finish(const frontend::DeviceCommand &Command,
                                       const AnalyzeOptions &Options);

  /// What was read on the way.
  const frontend::OpenedFiles &files() const { return Files; }

private:
  BegunAnalysis(const frontend::DeviceCommand &Command,
                const AnalyzeOptions &Options, size_t Target);
  /// Runs the parse until it waits or ends.
  void start();
  void run();
  static void enter();
  frontend::EditedTexts
  afterInclude(size_t Offset,
               llvm::function_ref<frontend::OpenedFiles()> Opened) override;

  using Texts = std::map<std::string, std::string>;

  frontend::DeviceCommand Command;
  AnalyzeOptions Options;
  /// The command's texts, that of the main file with room behind it.
  std::shared_ptr<Texts> Read;
  std::string Prefix; ///< of the main file, up to its last #include
  size_t Target;      ///< waits at the first place that is not before it
  bool IsWaiting = false, HasWaited = false;
  /// The last place at which nothing edited had been read.
  size_t LastClean = 0;
  frontend::OpenedFiles Files;
  std::optional<llvm::Expected<AnalyzeResult>> Result;
  /// What is read from where it goes on.
  frontend::EditedTexts Rest;

  char *Stack = nullptr;
  Fiber Parse, Caller;
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_BEGUNANALYSIS_H
