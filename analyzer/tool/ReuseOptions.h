//===- ReuseOptions.h - The options of warpwise reuse -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_REUSEOPTIONS_H
#define WARPWISE_ANALYZER_TOOL_REUSEOPTIONS_H

#include "analyzer/output/reuse/Format.h"
#include "analyzer/reuse/launches/ModelKernel.h"
#include "analyzer/tool/ReuseUnit.h"
#include "analyzer/tool/Session.h"

#include "llvm/Support/GlobPattern.h"

namespace warpwise::tool {

struct KernelGlob {
  std::string Text; ///< as the user has it
  llvm::GlobPattern Pattern;
};

/// What the options ask for.
struct ReuseRequest {
  std::string File; ///< as the user has it
  reuse::ReuseRun Run;
  reuse::ModelSettings Settings;
  size_t Borrowed = 0; ///< parameters of Settings.Caches that are an H200's
  std::vector<KernelGlob> Kernels; ///< none: all
  std::vector<std::string> Hosts;  ///< other files; none: those found
  const output::ReuseFormat *Format = nullptr; ///< never null once it is read
  std::string Output;                          ///< file, or empty
};

/// The one file that the command line names, or one sentence. Takes apart what
/// follows --explore, too.
llvm::Expected<std::string> reuseFile();

/// What the other options say of \p File, which reuseFile() returned. The error
/// is one sentence.
llvm::Expected<ReuseRequest> readReuseRequest(const Session &S,
                                              const std::string &File);

/// Whether the user asks for the parameters of the caches instead of a result.
bool wantsCacheOptions();

/// Writes the parameters with their values for the profile that was named, or
/// the usual one. Returns the exit status.
llvm::Expected<int> listCacheOptions();

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REUSEOPTIONS_H
