//===- TableMemory.cpp - Memory of the simulated caches' tables -----------===//

#include "analyzer/reuse/TableMemory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <sys/mman.h>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

constexpr size_t CacheLine = 64, Page = 4096, LargePage = size_t(1) << 21;
/// Between two tables, so that those of all SMs, which are as large and used
/// alike, do not begin in the same sets of the host's caches.
constexpr size_t Gap = 17 * CacheLine;

size_t roundUp(size_t Value, size_t To) { return (Value + To - 1) / To * To; }

void *map(size_t Size) {
  void *At = ::mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return At == MAP_FAILED ? nullptr : At;
}

/// Whether the system gives large pages to those who ask for them.
bool givesLargePages() {
  std::ifstream File("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string Choices;
  return std::getline(File, Choices) && Choices.find("[never]") == Choices.npos;
}

} // namespace

TableMemory &TableMemory::shared() {
  // Never destroyed: arrays may live as long as the process.
  static TableMemory &Shared = *new TableMemory;
  return Shared;
}

TableMemory::~TableMemory() {
  if (Mapped)
    ::munmap(Mapped, Bytes + LargePage);
}

/// Addresses only; pages come when they are touched.
void TableMemory::reserve() {
  Tried = true;
  Mapped = static_cast<char *>(map(Bytes + LargePage));
  if (!Mapped)
    return;
  const auto Address = reinterpret_cast<uintptr_t>(Mapped);
  Begin = Mapped + (roundUp(Address, LargePage) - Address);
  HasLargePages =
      givesLargePages() && ::madvise(Begin, Bytes, MADV_HUGEPAGE) == 0;
}

bool TableMemory::contains(const void *At) const {
  return Mapped &&
         reinterpret_cast<uintptr_t>(At) - reinterpret_cast<uintptr_t>(Begin) <
             Bytes;
}

void *TableMemory::take(size_t Size, Initially Contents) {
  const std::lock_guard<std::mutex> Hold(Lock);
  if (!Tried)
    reserve();
  Size = roundUp(Size + Gap, CacheLine);
  if (Mapped && Size <= Bytes - Next) {
    char *At = Begin + Next;
    if (Contents == Initially::Zeros && Next < Untouched)
      std::memset(At, 0, std::min(Size, Untouched - Next));
    Next += Size;
    ++Taken;
    return At;
  }
  void *At = map(roundUp(Size, Page));
  if (!At)
    throw std::bad_alloc();
  return At;
}

void TableMemory::give(void *At, size_t Size) {
  const std::lock_guard<std::mutex> Hold(Lock);
  if (!contains(At)) {
    ::munmap(At, roundUp(roundUp(Size + Gap, CacheLine), Page));
    return;
  }
  if (--Taken != 0)
    return;
  // Clearing a large page is faster than getting another one; of small pages
  // few may have been touched.
  if (HasLargePages ||
      ::madvise(Begin, roundUp(Next, Page), MADV_DONTNEED) != 0)
    Untouched = std::max(Untouched, Next);
  Next = 0;
}
