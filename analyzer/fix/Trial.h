//===- Trial.h - Whether rewritten code is better ---------------*- C++ -*-===//
//
// Compares what the analysis says of the code as it is and of the code as it
// would be. A rewrite is offered only if it cures its finding, breaks nothing
// and makes no kernel slower.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FIX_TRIAL_H
#define WARPWISE_ANALYZER_FIX_TRIAL_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/KernelSummary.h"
#include "analyzer/fix/Edits.h"

#include <functional>
#include <string>
#include <vector>

namespace warpwise::fix {

/// What the analysis says of one state of the code.
struct Analysed {
  std::vector<advice::Finding> Findings;
  std::vector<advice::KernelSummary> Kernels;
  /// What does not compile.
  std::vector<std::string> Errors;
};

/// Why the rewrite of \p F, which is part of \p After, is withheld, as half a
/// sentence; empty when it holds what it promises and no kernel loses by it.
/// Rewrites keep the lines.
std::string whyWithheld(const advice::Finding &F, const Analysed &Before,
                        const Analysed &After);

/// "'transpose' takes about 78 us before and 39 us after", for a rewrite that
/// is not withheld.
std::string beforeAndAfter(const advice::Finding &F, const Analysed &Before,
                           const Analysed &After);

/// Analyses the code with these texts in place of the files.
using Analyse = std::function<Analysed(const Texts &)>;

/// Tries the rewrites of \p Before.Findings together, and leaves those out that
/// do not hold, until the others do. Withheld and Verified of the rewrites are
/// set. Returns the texts of what is left. \p MayNotGain: also those without a
/// gain that is known.
llvm::Expected<Texts> tryRewrites(Analysed &Before,
                                  const advice::SourceText &Read,
                                  const Analyse &Run, bool MayNotGain);

} // namespace warpwise::fix

#endif // WARPWISE_ANALYZER_FIX_TRIAL_H
