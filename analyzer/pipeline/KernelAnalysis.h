//===- KernelAnalysis.h - A kernel's part of the model ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H
#define WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H

#include "analyzer/pipeline/KernelQuestion.h"

namespace warpwise::pipeline {

class KernelResults;

/// Evaluates the kernel under every launch, or takes what \p Known (may be
/// null) has of one that is the same. The answer is the same either way.
KernelAnswer analyzeKernel(const KernelQuestion &Asked, KernelResults *Known);

/// Sets the state of \p K, which was analysed, and the reason for it.
void setState(access::Kernel &K);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H
