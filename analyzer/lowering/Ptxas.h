//===- Ptxas.h - What the assembler makes of a kernel -----------*- C++ -*-===//
//
// Asks the toolkit's ptxas for registers, stack frame and spills. It settles
// what the optimiser can only suggest: whether an array ends up in local
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_PTXAS_H
#define WARPWISE_ANALYZER_LOWERING_PTXAS_H

#include "analyzer/confinement/ToolServer.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::lowering {

struct KernelResources {
  unsigned Registers = 0;
  uint64_t StackBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0;
};

/// How the assembler at \p Ptxas is run for \p Arch.
confinement::Tool ptxasTool(llvm::StringRef Ptxas, llvm::StringRef Arch);

/// Assembles \p Optimised, which loses its debug information, with the program
/// at \p Ptxas for \p Arch and returns what it says of each kernel, by mangled
/// name. The error is one sentence.
llvm::Expected<std::map<std::string, KernelResources>>
askPtxas(llvm::Module &Optimised, llvm::TargetMachine &Machine,
         llvm::StringRef Ptxas, llvm::StringRef Arch);

/// Reads the output of `ptxas -v`.
std::map<std::string, KernelResources> parsePtxasOutput(llvm::StringRef Text);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_PTXAS_H
