//===- FileStamps.h - Whether files are what they were ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_FILESTAMPS_H
#define WARPWISE_ANALYZER_TOOL_FILESTAMPS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>

namespace warpwise::tool {

class FileStamps {
public:
  /// Remembers what \p Path is now; there need not be such a file.
  void add(llvm::StringRef Path);
  /// The same of files with these names in the folder of \p File and those
  /// above.
  void addAbove(llvm::StringRef File,
                std::initializer_list<llvm::StringRef> Names);
  /// Whether all are what they were, by size and time.
  bool hold() const;

private:
  /// Size, time of change in nanoseconds, and number on the disk.
  using Stamp = std::tuple<uint64_t, int64_t, uint64_t>;
  static Stamp stampOf(const std::string &Path);

  std::map<std::string, Stamp> Known;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_FILESTAMPS_H
