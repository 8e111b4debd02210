//===- KernelResults.h - Results that processes share -----------*- C++ -*-===//
//
// What was found out about kernels, by their keys, in memory that a process
// shares with all that are forked from it: each of them finds what any has
// added, also of one that was ended on the way. Only adding changes it. The
// process that has made it reads nothing of it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_KERNELRESULTS_H
#define WARPWISE_ANALYZER_PIPELINE_KERNELRESULTS_H

#include "analyzer/pipeline/KernelKey.h"

#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace warpwise::pipeline {

class KernelResults {
public:
  /// With room for so many bytes, which count for nothing until they are used;
  /// null when there is no memory. What finds no room is not added.
  static std::shared_ptr<KernelResults> create(size_t Bytes);
  ~KernelResults();

  std::optional<llvm::StringRef> find(const KernelDigest &Of);
  void add(const KernelDigest &Of, llvm::StringRef Result);
  /// Something found no room.
  bool isFull() const;

private:
  struct Use;
  struct Entry;
  KernelResults(char *Memory, size_t Size);

  char *Memory;
  size_t Size;
  std::atomic<uint64_t> *Used; ///< a Use
  Entry *Entries;
  unsigned MostEntries;
  char *Results;
  uint64_t ResultsSize;
  /// What this process has seen of it.
  std::map<KernelDigest, llvm::StringRef> Known;
  unsigned Seen = 0;
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_KERNELRESULTS_H
