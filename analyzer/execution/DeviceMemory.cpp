//===- DeviceMemory.cpp - The memory that kernels run on ------------------===//

#include "analyzer/execution/DeviceMemory.h"

#include <cstring>
#include <sys/mman.h>

namespace warpwise::execution {
namespace {

constexpr uint64_t Before = uint64_t(1) << 30;
constexpr uint64_t Behind = uint64_t(4) << 30;
/// How much of a buffer gets contents other than zero.
constexpr uint64_t FilledBytes = 256 << 10;
/// Indices into everything, but small enough to stay inside.
constexpr uint32_t MostSmall = 61;

void fill(char *Begin) {
  uint32_t State = 12345;
  for (uint64_t At = 0; At != FilledBytes; At += sizeof(uint32_t)) {
    State = State * 1664525 + 1013904223;
    const uint32_t Number = (State >> 16) % MostSmall;
    std::memcpy(Begin + At, &Number, sizeof Number);
  }
}

} // namespace

DeviceMemory::~DeviceMemory() { reset(); }

char *DeviceMemory::allocate(Contents Initial) {
  void *Mapping = mmap(nullptr, Before + Behind, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapping == MAP_FAILED)
    return nullptr;
  const auto Begin = reinterpret_cast<uint64_t>(Mapping);
  Regions.push_back(
      {Begin, Begin + Before + Behind, access::Space::Global, true});
  char *Buffer = static_cast<char *>(Mapping) + Before;
  if (Initial == Contents::SmallNumbers)
    fill(Buffer);
  return Buffer;
}

void DeviceMemory::addRegion(char *Begin, uint64_t Bytes,
                             access::Space Memory) {
  const auto At = reinterpret_cast<uint64_t>(Begin);
  Regions.push_back({At, At + Bytes, Memory, false});
}

void DeviceMemory::reset() {
  std::vector<Region> Kept;
  for (const Region &R : Regions)
    if (R.Mapped)
      munmap(reinterpret_cast<void *>(R.Begin), R.End - R.Begin);
    else if (R.Memory != access::Space::Local)
      Kept.push_back(R);
  Regions = std::move(Kept);
}

void DeviceMemory::clearShared() {
  for (const Region &R : Regions)
    if (R.Memory == access::Space::Shared)
      std::memset(reinterpret_cast<void *>(R.Begin), 0, R.End - R.Begin);
}

std::optional<access::Space> DeviceMemory::spaceOf(uint64_t Address,
                                                   uint64_t Bytes) const {
  for (const Region &R : Regions)
    if (Address >= R.Begin && Address < R.End && Bytes <= R.End - Address)
      return R.Memory;
  return std::nullopt;
}

uint64_t DeviceMemory::sharedAt(uint32_t Short) const {
  for (const Region &R : Regions)
    if (const uint64_t Offset = uint32_t(Short - uint32_t(R.Begin));
        R.Memory == access::Space::Shared && Offset < R.End - R.Begin)
      return R.Begin + Offset;
  return Short;
}

} // namespace warpwise::execution
