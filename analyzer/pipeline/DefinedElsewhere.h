//===- DefinedElsewhere.h - Device functions of other files -----*- C++ -*-===//
//
// With relocatable device code (nvcc -rdc=true, -dc) a kernel calls functions
// that another file of its program defines. Their accesses are the kernel's as
// much as those of its own file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_DEFINEDELSEWHERE_H
#define WARPWISE_ANALYZER_PIPELINE_DEFINEDELSEWHERE_H

#include "analyzer/pipeline/DeviceUnit.h"
#include "analyzer/pipeline/RestOfProgram.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace warpwise::pipeline {

/// Links into \p Unit's code the functions that it calls and \p Rest defines,
/// of several by one name the first. Does nothing, and reads no file, where all
/// is defined. Returns the user's files that were read; adds headers of the
/// system to \p Unit's.
/// \p Notes gets a sentence for each file that functions came from.
std::vector<std::string> linkDefinitions(DeviceUnit &Unit,
                                         const frontend::DeviceCommand &Command,
                                         const RestOfProgram &Rest,
                                         std::vector<std::string> &Notes);

/// Whether \p Kernel called functions that linkDefinitions() brought: nvcc
/// compiles those by themselves, and inlines none of them.
bool callsElsewhere(const llvm::Function &Kernel);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_DEFINEDELSEWHERE_H
