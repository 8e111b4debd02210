//===- KernelResults.cpp - Results that processes share -------------------===//

#include "analyzer/pipeline/KernelResults.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>

using namespace llvm;

namespace warpwise::pipeline {

/// How much is taken, in one word, so that a process that is ended while it
/// takes some leaves nothing half taken.
struct KernelResults::Use {
  static constexpr unsigned CountBits = 24;
  uint64_t Bytes = 0;
  unsigned Count = 0;

  static Use of(uint64_t Word) {
    return {Word >> CountBits, unsigned(Word & ((1u << CountBits) - 1))};
  }
  uint64_t word() const { return Bytes << CountBits | Count; }
};

/// Counts if the sum is right, which is written last.
struct KernelResults::Entry {
  uint64_t Begin, Size;
  KernelDigest Of;
  std::atomic<uint64_t> Sum;

  uint64_t sum(StringRef Result) const {
    // Never 0, which stands where nothing has been written.
    return (xxh3_64bits(Of) * 31 + xxh3_64bits(Result)) | 1;
  }
};

/// What a result is thought to take at least.
constexpr size_t LeastBytes = 1024;

std::shared_ptr<KernelResults> KernelResults::create(size_t Bytes) {
  void *Memory = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return nullptr;
  return std::shared_ptr<KernelResults>(
      new KernelResults(static_cast<char *>(Memory), Bytes));
}

KernelResults::KernelResults(char *Memory, size_t Size)
    : Memory(Memory), Size(Size), Used(new(Memory) std::atomic<uint64_t>(0)),
      Entries(reinterpret_cast<Entry *>(Memory + sizeof(*Used))),
      MostEntries(unsigned(Size / LeastBytes)),
      Results(reinterpret_cast<char *>(Entries + MostEntries)),
      ResultsSize(Size - size_t(Results - Memory)) {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(2 * sizeof(Entry) < LeastBytes);
}

KernelResults::~KernelResults() { ::munmap(Memory, Size); }

bool KernelResults::isFull() const {
  const Use Now = Use::of(*Used);
  return Now.Count > MostEntries || Now.Bytes > ResultsSize;
}

std::optional<StringRef> KernelResults::find(const KernelDigest &Of) {
  for (; Seen != std::min(Use::of(*Used).Count, MostEntries); ++Seen) {
    // Another process may have written anything there, or nothing yet.
    const Entry &Next = Entries[Seen];
    const uint64_t Sum = Next.Sum.load(std::memory_order_acquire);
    const uint64_t Begin = Next.Begin, Bytes = Next.Size;
    if (Sum == 0 || Begin > ResultsSize || Bytes > ResultsSize - Begin)
      continue;
    const StringRef Result(Results + Begin, Bytes);
    if (Sum == Next.sum(Result))
      Known[Next.Of] = Result;
  }
  const auto Found = Known.find(Of);
  if (Found == Known.end())
    return std::nullopt;
  return Found->second;
}

void KernelResults::add(const KernelDigest &Of, StringRef Result) {
  if (isFull())
    return;
  const Use Mine{Result.size(), 1};
  const Use Before = Use::of(Used->fetch_add(Mine.word()));
  if (Before.Count >= MostEntries || Before.Bytes > ResultsSize ||
      Result.size() > ResultsSize - Before.Bytes)
    return;
  Entry &New = Entries[Before.Count];
  New.Begin = Before.Bytes;
  New.Size = Result.size();
  New.Of = Of;
  std::memcpy(Results + Before.Bytes, Result.data(), Result.size());
  New.Sum.store(New.sum(Result), std::memory_order_release);
}

} // namespace warpwise::pipeline
