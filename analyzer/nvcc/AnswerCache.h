//===- AnswerCache.h - What nvcc said before --------------------*- C++ -*-===//
//
// One file for each question in the user's cache folder. It names the files
// that nvcc read and a hash of each, so that an answer counts as long as none
// of them has changed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_NVCC_ANSWERCACHE_H
#define WARPWISE_ANALYZER_NVCC_ANSWERCACHE_H

#include "analyzer/nvcc/KernelResources.h"
#include "analyzer/nvcc/NvccInput.h"

#include <map>
#include <optional>
#include <string>

namespace warpwise::nvcc {

class AnswerCache {
public:
  /// Keeps answers of the program \p Nvcc below \p Folder; empty: keeps none.
  AnswerCache(const std::string &Nvcc, std::string Folder);

  /// $XDG_CACHE_HOME/warpwise/nvcc, or the same below ~/.cache; empty without
  /// a home.
  static std::string userFolder();

  std::optional<ResourceTable> find(const NvccInput &Input);
  /// \p Dependencies is what the compiler wrote for `make`. A cache that cannot
  /// be written costs time and nothing else.
  void keep(const NvccInput &Input, const std::string &Dependencies,
            const ResourceTable &Answer);

private:
  std::string Folder;
  std::string Program; ///< which nvcc: path, size and time
  /// Of files that were looked at in this run; empty: cannot be read.
  std::map<std::string, std::string> Hashes;

  std::string pathFor(const NvccInput &Input) const;
  const std::string &hashOf(const std::string &File);
  void makeRoom() const;
};

/// The files of a rule as make reads it, "unit.o: a.h b\ c.h".
std::vector<std::string> filesOfRule(const std::string &Rule);

} // namespace warpwise::nvcc

#endif // WARPWISE_ANALYZER_NVCC_ANSWERCACHE_H
