//===- LaunchCollector.h - Reads launches off the host code -----*- C++ -*-===//
//
// Walks the host functions of a translation unit as an abstract interpreter for
// integers, dim3 and pointers-into-allocations: what a variable holds at the
// launch is what the launch gets. Works on a device-only parse, because Clang
// parses host bodies there too.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LAUNCHCOLLECTOR_H
#define WARPWISE_ANALYZER_LAUNCH_LAUNCHCOLLECTOR_H

#include "analyzer/launch/HostSettings.h"
#include "analyzer/launch/facts/LaunchFacts.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace warpwise::launch {

/// The host code of one program, and the run that is of interest. The first
/// unit has the kernels that are asked for.
struct HostProgram {
  std::vector<clang::ASTContext *> Units;
  HostSettings Settings;
};

/// All launches in \p Program in source order, equal ones merged: where a
/// condition is not known, those of both sides. At most \p MaxPerKernel
/// different ones are kept for each kernel. \p Notes gets sentences on what is
/// left out.
std::vector<Launch> collectLaunches(HostProgram Program,
                                    std::vector<std::string> &Notes,
                                    unsigned MaxPerKernel = 16);

/// The launches of a run of \p Program. Those of a kernel that main launches
/// are in the order of the run, equal ones in a row merged; else they are as
/// collectLaunches() gives them. At most \p MaxPerKernel, the first ones, are
/// kept for each kernel.
/// \p Wanted gets the kernels whose resources the run depends on and the
/// settings do not tell, by mangled name. \p Notes gets sentences on what may
/// be missing.
std::vector<Launch> collectRun(const HostProgram &Program,
                               unsigned MaxPerKernel,
                               std::set<std::string> *Wanted = nullptr,
                               std::vector<std::string> *Notes = nullptr);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LAUNCHCOLLECTOR_H
