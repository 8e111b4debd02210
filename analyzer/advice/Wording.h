//===- Wording.h - How a finding reads --------------------------*- C++ -*-===//
//
// The sentences of a finding, for all who show one: the terminal, clang-tidy,
// editors and reports say the same.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_WORDING_H
#define WARPWISE_ANALYZER_ADVICE_WORDING_H

#include "analyzer/advice/Finding.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::advice {

/// "warning", as compilers begin a line.
std::string_view nameOf(Severity Level);

/// "about 3.1x faster [2.6, 3.4] when repaired", for the end of a message.
/// \p F has a gain.
std::string stateGain(const Finding &F);

/// "the kernel takes about 12 us, bound by L2".
std::string describeTime(const price::Gain &G);

/// "in 12 of 14 instantiations, costliest in reduce<float, 512>", or empty
/// when there is only one. Not a part of Finding::Notes, because it changes
/// with every merge: writers print it as a note of its own.
std::string describeInstances(const Finding &F);

/// The fact and what its repair gains: what stands in the first line.
std::string headline(const Finding &F);

/// How much is said below it.
struct Detail {
  bool Evidence = false; ///< the cost, the launches, what the profile says
  bool Fixes = false;    ///< what came of the rewrite, which was tried
  std::string Gpu = {};  ///< "NVIDIA H100 PCIe", for the evidence
};

/// The lines below it in the order to read them: the reason, the evidence, the
/// remedy, the rewrite.
std::vector<Note> explanation(const Finding &F, const Detail &Wanted);

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_WORDING_H
