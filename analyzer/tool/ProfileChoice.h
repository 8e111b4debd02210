//===- ProfileChoice.h - Which device profile is used -----------*- C++ -*-===//
//
// What the user names, else the profile that was measured on this machine's
// GPU, else the one for the architecture that the compile commands ask for.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_PROFILECHOICE_H
#define WARPWISE_ANALYZER_TOOL_PROFILECHOICE_H

#include "profiler/profile/Profile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace warpwise::tool {

/// The profile of --gpu or --profile; nothing when neither was given. The error
/// is one sentence.
llvm::Expected<std::optional<profile::Profile>>
namedProfile(llvm::StringRef Gpu, llvm::StringRef ProfileFile);

/// The profile when the user named none. \p Architecture is what the first
/// compile command asks for.
profile::Profile defaultProfile(llvm::StringRef Architecture);

/// Models of the NVIDIA GPUs in this machine, as the driver names them, read
/// from \p Folder and without loading the driver.
std::vector<std::string>
machineGpus(llvm::StringRef Folder = "/proc/driver/nvidia/gpus");

/// "profile nvidia-h200: NVIDIA H200, sm_90; ORIGIN"
std::string stateProfile(const profile::Profile &Device);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_PROFILECHOICE_H
