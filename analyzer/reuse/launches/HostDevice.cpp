//===- HostDevice.cpp - The device as host code sees it -------------------===//

#include "analyzer/reuse/launches/HostDevice.h"

#include "llvm/ADT/StringRef.h"

namespace warpwise::reuse {

/// "sm_90" and "sm_90a" are 90; 0 when it is neither.
static int64_t architectureNumber(llvm::StringRef Name) {
  int64_t Number = 0;
  if (!Name.consume_front("sm_") || Name.consumeInteger(10, Number))
    return 0;
  return Number;
}

/// CUDA C++ Programming Guide, technical specifications per compute capability.
static int64_t threadsPerSm(int64_t Architecture) {
  switch (Architecture) {
  case 75:
    return 1024;
  case 86:
  case 87:
  case 89:
  case 110:
  case 120:
  case 121:
    return 1536;
  default:
    return 2048;
  }
}

static int64_t blocksPerSm(int64_t Architecture) {
  if (Architecture < 50 || Architecture == 75 || Architecture == 86 ||
      Architecture == 87)
    return 16;
  if (Architecture == 89 || Architecture >= 110)
    return 24;
  return 32;
}

std::map<std::string, int64_t, std::less<>>
deviceProperties(const profile::Profile &Device) {
  std::map<std::string, int64_t, std::less<>> Result = {
      {"warpSize", 32},         {"maxThreadsPerBlock", 1024},
      {"totalConstMem", 65536}, {"sharedMemPerBlock", 49152},
      {"unifiedAddressing", 1}, {"canMapHostMemory", 1},
      {"concurrentKernels", 1}, {"managedMemory", 1},
      {"computeMode", 0},       {"integrated", 0}};
  if (const int64_t Number = architectureNumber(Device.Architecture)) {
    Result["major"] = Number / 10;
    Result["minor"] = Number % 10;
    Result["regsPerBlock"] = 65536;
    Result["regsPerMultiprocessor"] = Number == 37 ? 131072 : 65536;
    Result["maxThreadsPerMultiProcessor"] = threadsPerSm(Number);
    Result["maxBlocksPerMultiProcessor"] = blocksPerSm(Number);
    Result["cooperativeLaunch"] = Number >= 60;
  }
  const std::pair<const char *, const char *> Told[] = {
      {"multiProcessorCount", "device.sm_count"},
      {"sharedMemPerBlockOptin", "device.shared_per_block"},
      {"sharedMemPerMultiprocessor", "levels.shared.capacity"},
      {"reservedSharedMemPerBlock", "levels.shared.reserved_per_block"},
      {"l2CacheSize", "levels.l2.capacity"},
      {"totalGlobalMem", "levels.dram.capacity"},
      {"memoryBusWidth", "device.memory_bus"}};
  // What is measured or published may differ from what the runtime reports.
  for (const auto &[Member, Path] : Told)
    if (const profile::Quantity *Q = Device.find(Path);
        Q && Q->Value &&
        (Q->State == profile::Status::Api || Member == Told[0].first))
      Result[Member] = static_cast<int64_t>(*Q->Value);
  return Result;
}

} // namespace warpwise::reuse
