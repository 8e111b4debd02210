//===- LineFilter.h - Findings in changed lines -----------------*- C++ -*-===//
//
// --line-filter of `warpwise check`, in clang-tidy's form, so that scripts that
// make one from a diff (clang-tidy-diff.py) do for both.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_LINEFILTER_H
#define WARPWISE_ANALYZER_TOOL_LINEFILTER_H

#include "analyzer/advice/Finding.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace warpwise::tool {

class LineFilter {
public:
  /// \p Text: [{"name": "a.cu", "lines": [[1, 3], [8, 8]]}, {"name": "b.cuh"}];
  /// empty: everything. The error is one sentence.
  static llvm::Expected<LineFilter> create(llvm::StringRef Text);

  /// Whether one of the places of \p F is in a line that counts.
  bool wants(const advice::Finding &F) const;

private:
  struct File {
    std::string Name;                                 ///< how the path ends
    std::vector<std::pair<unsigned, unsigned>> Lines; ///< empty: all
  };
  bool wants(const access::Place &Where) const;

  std::vector<File> Files; ///< empty: everything
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_LINEFILTER_H
