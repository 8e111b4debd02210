//===- ProjectAnalysis.h - All translation units, in processes --*- C++ -*-===//
//
// Analyses every unit in a process of its own and carries to it what comes to
// light elsewhere: a kernel that its own file does not launch is analysed again
// with the launches that another file has for it, and one with private arrays
// with what nvcc says about them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_PROJECTANALYSIS_H
#define WARPWISE_ANALYZER_TOOL_PROJECTANALYSIS_H

#include "analyzer/tool/Inputs.h"
#include "analyzer/tool/ReportStore.h"
#include "analyzer/tool/UnitReport.h"
#include "analyzer/tool/WorkerPool.h"

#include <functional>
#include <vector>

namespace warpwise::tool {

/// Runs in the unit's process and becomes UnitReport::Payload.
using Summary =
    std::function<llvm::json::Value(const pipeline::AnalyzeResult &Result)>;

/// One report for each of \p From.Units, in that order. \p Compiler is asked
/// about private arrays; null: nobody is. What \p Known has is not done again;
/// null: everything is done.
std::vector<UnitReport>
analyzeProject(const Inputs &From, const pipeline::AnalyzeOptions &Options,
               const PoolOptions &Pool, const Summary &Summarize,
               nvcc::Nvcc *Compiler, ReportStore *Known, bool Quiet);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_PROJECTANALYSIS_H
