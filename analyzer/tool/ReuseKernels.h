//===- ReuseKernels.h - The kernels of a file, each modelled ----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_REUSEKERNELS_H
#define WARPWISE_ANALYZER_TOOL_REUSEKERNELS_H

#include "analyzer/tool/ReuseOptions.h"

#include "llvm/Support/JSON.h"

namespace warpwise::tool {

/// What is said of a kernel.
struct ReuseOfKernel {
  llvm::json::Array Launches; ///< of the document
  std::string Text;           ///< of the form's TextOfLaunch, one by one
  std::string Note;
  std::vector<std::string> Problems; ///< of launches that are not modelled
};

llvm::json::Value toJSON(const ReuseOfKernel &Answer);
bool fromJSON(const llvm::json::Value &From, ReuseOfKernel &Into,
              llvm::json::Path Path);

/// How long a kernel may take, in CPU time, where the user does not say.
constexpr unsigned SecondsOfKernel = 3600;

/// Models the kernels of \p Unit that \p Request names, in processes of their
/// own, with progress on a terminal; \p Resources as far as they are known. A
/// kernel that crashes, takes too long or does not compile has an answer that
/// says so. The error is one sentence and about the request.
llvm::Expected<std::vector<ReuseOfKernel>>
modelKernels(const Session &S, const ReuseRequest &Request, ReuseUnit &Unit,
             const nvcc::ResourceTable &Resources);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REUSEKERNELS_H
