//===- Summary.h - A run on one screen --------------------------*- C++ -*-===//
//
// What stands below the findings: which kernels waste how much, which findings
// cost most, and what was not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_SUMMARY_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_SUMMARY_H

#include "analyzer/output/findings/Format.h"

#include <string>
#include <vector>

namespace warpwise::output {

/// What one run did, for its last line.
struct RunSummary {
  size_t Warnings = 0, Remarks = 0, Suppressed = 0;
  size_t Kernels = 0, SkippedKernels = 0;
  size_t Accesses = 0, Judged = 0; ///< those whose cost is known
};

/// "5 warnings and 1 remark in 12 kernels, 80 of 84 accesses judged (2
/// suppressed by NOLINT, 1 kernel not analysed)"
std::string summaryLine(const RunSummary &S);

/// "transpose<float, 32>" of "void transpose<float, 32>(float*)", as a cell of
/// a table.
std::string kernelName(const std::string &Demangled);

/// "12 us", "3.4 ms"
std::string timeText(double Nanoseconds);

/// The findings in the kernel.
size_t findingsIn(const advice::KernelSummary &K, const FindingsReport &Report);

/// The kernels with findings, those first that waste most: time, where every
/// time is known, else of their time.
std::vector<const advice::KernelSummary *>
rankKernels(const FindingsReport &Report);

/// The kernels with findings, those first that waste most of their time, as a
/// table: one line each, the first one names the columns. Empty without any.
std::vector<std::string> kernelTable(const FindingsReport &Report);

/// The findings that gain most, a line each. Empty where the findings
/// themselves are as few.
std::vector<std::string> costliest(const FindingsReport &Report);

/// "launches: 10 kernels have one in the code, 2 were tried under assumed block
/// shapes (--block)", or empty without kernels.
std::string launchLine(const std::vector<advice::KernelSummary> &Kernels);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_SUMMARY_H
