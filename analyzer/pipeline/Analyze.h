//===- Analyze.h - One translation unit, from command to model --*- C++ -*-===//
//
// The whole analysis of a file: parse for the device, read the launches off the
// host code, lower, evaluate every kernel under every launch.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_ANALYZE_H
#define WARPWISE_ANALYZER_PIPELINE_ANALYZE_H

#include "analyzer/frontend/KernelTemplates.h"
#include "analyzer/frontend/OpenedFiles.h"
#include "analyzer/frontend/TranslationUnit.h"
#include "analyzer/launch/HostSettings.h"
#include "analyzer/launch/facts/Contents.h"
#include "analyzer/model/AccessModel.h"
#include "analyzer/nvcc/Nvcc.h"
#include "analyzer/pipeline/RestOfProgram.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
} // namespace clang

namespace warpwise::pipeline {

class BegunAnalysis;
class KernelResults;

struct AnalyzeOptions {
  /// Name of the device profile, for Model::Profile.
  std::string ProfileName;
  /// Its law, which every cost is counted under.
  profile::KnownLaw Law;
  /// Launches that other translation units contain.
  std::vector<launch::Launch> ForeignLaunches;
  /// Block shapes that the user gave: a glob over the kernel's name, the shape.
  std::vector<std::pair<std::string, launch::Dim3>> BlockOverrides;
  /// What is behind pointer arguments of that name, as the user says.
  std::map<std::string, std::shared_ptr<const launch::Contents>> Contents;
  /// Values of arguments of that name, as the user says.
  std::map<std::string, launch::Argument> Arguments;
  /// The machine that the host code is interpreted for.
  launch::HostSettings Host;
  /// The other files of its program, where launches may not tell their shapes
  /// or device functions have no body here.
  std::shared_ptr<const RestOfProgram> Rest;
  /// What nvcc says of this file; null: it has not been asked.
  std::shared_ptr<const nvcc::Answer> FromNvcc;
  /// nvcc will be asked. Until it has answered nothing is said of private
  /// arrays: a run that is interrupted before must not report Clang's view.
  bool AwaitsNvcc = false;
  /// False: private arrays are left out, and with them the optimiser.
  bool PrivateArrays = true;
  /// What goes on where it has been begun, if it is with the same command and
  /// headers; null: all begin anew.
  std::shared_ptr<BegunAnalysis> Begun;
  /// Results of kernels that need not be evaluated again; null: all are.
  std::shared_ptr<KernelResults> Known;
  /// Threads that evaluate kernels. The result does not depend on it.
  unsigned Threads = 1;
};

struct AnalyzeResult {
  access::Model Result;
  /// All launches that the host code of this file contains.
  std::vector<launch::Launch> Launches;
  /// The user's files of its program that were read for them, and for device
  /// functions.
  std::vector<std::string> OtherFiles;
  /// Sentences on launches that the host code may contain beyond those, and on
  /// files that were read.
  std::vector<std::string> LaunchNotes;
  /// Mangled names of kernels for which no launch was found.
  std::vector<std::string> KernelsWithoutLaunch;
  std::vector<frontend::DroppedFunction> Dropped;
  std::vector<frontend::Problem> HostErrors;
  std::vector<std::string> MissingHeaders;
  /// Those of AnalyzeOptions::Arguments that some kernel has.
  std::set<std::string> ArgumentsUsed;
  /// There are private arrays on which nvcc has the last word.
  bool AsksNvcc = false;
  frontend::OpenedFiles Files;
  std::vector<frontend::KernelTemplate> UnusedTemplates;
};

/// The error is one sentence for the user. \p Stop may be null.
llvm::Expected<AnalyzeResult> analyze(const frontend::DeviceCommand &Command,
                                      const AnalyzeOptions &Options,
                                      frontend::Interruption *Stop = nullptr);

/// The same of what another tool parses: a consumer to run beside its own
/// (frontend/ParseBeside.h). \p Options is asked when the file has been parsed;
/// what it returns has to live as long as the consumer. \p Parsed then gets
/// what is left to do, once: it asks nothing of Clang any more, so that another
/// thread may do it while the tool goes on. It has to be done when the consumer
/// ends. The error is one sentence.
llvm::Expected<std::unique_ptr<clang::ASTConsumer>>
analyzeBeside(clang::CompilerInstance &Compiler,
              const frontend::DeviceCommand &Command,
              std::function<const AnalyzeOptions &()> Options,
              std::function<void(std::function<AnalyzeResult()>)> Parsed);

/// What a file launches, whichever pass has parsed it, a sentence each:
/// "a.cu:12 launches 'rows' <<<4096x1x1, 256x1x1>>>"; "?" is a shape that is
/// not known.
std::vector<std::string> launchesIn(clang::ASTContext &Ast);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_ANALYZE_H
