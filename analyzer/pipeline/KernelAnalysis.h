//===- KernelAnalysis.h - A kernel's part of the model ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H
#define WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H

#include "analyzer/pipeline/KernelKey.h"
#include "analyzer/pipeline/KernelQuestion.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace warpwise::pipeline {

class KernelEvaluation;
class KernelResults;

/// Evaluates a kernel under every launch, or takes what is known of one that is
/// the same; the answer is the same either way. All that LLVM has to be asked,
/// which one thread at a time may do, comes before and after the launches.
class KernelAnalysis {
public:
  /// \p Known, which may be null, is asked, and gets what is found. It and what
  /// \p Asked refers to have to live on.
  KernelAnalysis(KernelQuestion Asked, KernelResults *Known);
  ~KernelAnalysis();
  KernelAnalysis(KernelAnalysis &&) noexcept;

  /// How many there are to evaluate.
  size_t launches() const;
  /// Each once, in any order, also at the same time as another one of this or
  /// another kernel.
  void evaluate(size_t Launch);
  /// Once, after that.
  KernelAnswer finish();

private:
  std::optional<KernelAnswer> take(const KernelDigest &Digest);

  std::unique_ptr<const KernelQuestion> Asked;
  KernelResults *Known;
  std::optional<KernelKey> Key;          ///< where Known may be asked
  std::optional<KernelAnswer> Answer;    ///< where Known has it
  std::unique_ptr<KernelEvaluation> Its; ///< where it does not
};

/// Sets the state of \p K, which was analysed, and the reason for it.
void setState(access::Kernel &K);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_KERNELANALYSIS_H
