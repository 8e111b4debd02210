//===- BlockExtents.h - How large the blocks of a function are --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_BLOCKEXTENTS_H
#define WARPWISE_ANALYZER_LAUNCH_BLOCKEXTENTS_H

#include "analyzer/launch/facts/LaunchFacts.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace warpwise::launch {

class LinkerNames;

/// The largest blocks that the functions of a unit run in; where anything about
/// them is not certain, the largest that there are.
class BlockExtents {
public:
  /// \p Said: block shapes for kernels that nothing launches, by globs over
  /// their names.
  BlockExtents(const std::vector<Launch> &Own,
               const std::vector<Launch> &Foreign,
               const std::vector<std::pair<std::string, Dim3>> &Said);

  ~BlockExtents();

  Dim3 of(const clang::FunctionDecl &F);

private:
  void add(const Launch &L);

  std::map<std::string, Dim3> ByKernel; ///< linker's names
  const std::vector<std::pair<std::string, Dim3>> &Said;
  std::unique_ptr<LinkerNames> Names;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_BLOCKEXTENTS_H
