//===- ReuseUnit.h - A file and its program, for reuse ----------*- C++ -*-===//
//
// What `warpwise reuse` knows of a file before it makes traces: the device code
// and the launches of the program that the file belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_REUSEUNIT_H
#define WARPWISE_ANALYZER_TOOL_REUSEUNIT_H

#include "analyzer/frontend/TranslationUnit.h"
#include "analyzer/launch/LaunchFacts.h"
#include "analyzer/nvcc/KernelResources.h"
#include "analyzer/reuse/launches/Allocations.h"
#include "analyzer/tool/Session.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warpwise::tool {

/// A file, ready for its kernels to be traced.
struct ReuseUnit {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> Machine;
  frontend::ParseResult Parsed;
  std::vector<launch::Launch> Launches;
  reuse::AllocationTable Allocations;
  std::vector<std::string> Notes;
  /// The user's files that the compiler has read.
  std::set<std::string> Files;
};

/// What the user says about the program.
struct ProgramInput {
  std::vector<std::string> Hosts; ///< other files; empty: those that are found
  std::string Arguments;          ///< its command line, quoted as in a shell
};

/// Parses the session's first unit and walks its program on the session's
/// device. \p Resources: of its kernels, as far as they are known.
llvm::Expected<std::unique_ptr<ReuseUnit>>
parseReuseUnit(const Session &S, const ProgramInput &Program,
               const nvcc::ResourceTable &Resources);

/// The name that nvcc gives a kernel. Clang marks internal linkage in it, nvcc
/// does not.
std::string linkerName(llvm::StringRef Name);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REUSEUNIT_H
