//===- HostDevice.cpp - The device as host code sees it -------------------===//

#include "analyzer/reuse/launches/HostDevice.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/RequestLaw.h"

namespace warpwise::reuse {

std::map<std::string, int64_t, std::less<>>
deviceProperties(const profile::Profile &Device) {
  std::map<std::string, int64_t, std::less<>> Result = {
      {"warpSize", profile::RequestLaw::Lanes},
      {"maxThreadsPerBlock", profile::MostBlockThreads},
      {"totalConstMem", int64_t(profile::ConstantBytes)},
      {"sharedMemPerBlock", int64_t(profile::StaticSharedBytes)},
      {"unifiedAddressing", 1},
      {"canMapHostMemory", 1},
      {"concurrentKernels", 1},
      {"managedMemory", 1},
      {"computeMode", 0},
      {"integrated", 0}};
  if (const std::optional<unsigned> Number =
          profile::capabilityOf(Device.Architecture)) {
    const profile::ArchitectureLimits Limits =
        profile::closestLimits(Device.Architecture).Limits;
    Result["major"] = *Number / 10;
    Result["minor"] = *Number % 10;
    Result["regsPerBlock"] = Limits.BlockRegisters;
    Result["regsPerMultiprocessor"] = Limits.SmRegisters;
    Result["maxThreadsPerMultiProcessor"] = Limits.SmThreads;
    Result["maxBlocksPerMultiProcessor"] = Limits.SmBlocks;
    Result["sharedMemPerMultiprocessor"] = int64_t(Limits.SmSharedBytes);
    Result["sharedMemPerBlockOptin"] = int64_t(Limits.BlockSharedBytes);
    Result["reservedSharedMemPerBlock"] = int64_t(Limits.ReservedSharedBytes);
    Result["cooperativeLaunch"] = *Number >= 60;
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
