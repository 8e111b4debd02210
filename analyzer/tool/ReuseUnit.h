//===- ReuseUnit.h - A file and its program, for reuse ----------*- C++ -*-===//
//
// What `warpwise reuse` knows of a file before it makes traces: the device code
// and the launches of the program that the file belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_REUSEUNIT_H
#define WARPWISE_ANALYZER_TOOL_REUSEUNIT_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/nvcc/KernelResources.h"
#include "analyzer/pipeline/DeviceUnit.h"
#include "analyzer/reuse/launches/Allocations.h"
#include "analyzer/tool/Session.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warpwise::tool {

/// A file, ready for its kernels to be traced.
struct ReuseUnit {
  /// With everything inlined into the kernels.
  std::unique_ptr<pipeline::DeviceUnit> Device;
  std::vector<launch::Launch> Launches;
  reuse::AllocationTable Allocations;
  std::vector<std::string> Notes;
  /// The user's files that the compiler has read.
  std::set<std::string> Files;

  /// Null when the file has no device code.
  llvm::Module *module() const { return Device->Parsed.Module.get(); }
};

/// Parses the session's first unit and walks its program on the session's
/// device. \p Hosts: other files of it; empty: those that are found.
/// \p Resources: of its kernels, as far as they are known.
llvm::Expected<std::unique_ptr<ReuseUnit>>
parseReuseUnit(const Session &S, const std::vector<std::string> &Hosts,
               const nvcc::ResourceTable &Resources);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REUSEUNIT_H
