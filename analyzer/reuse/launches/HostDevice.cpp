//===- HostDevice.cpp - The device as host code sees it -------------------===//

#include "analyzer/reuse/launches/HostDevice.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
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
  const std::pair<const char *, profile::EntryPath> Told[] = {
      {"multiProcessorCount", paths::device_sm_count},
      {"sharedMemPerBlockOptin", paths::device_shared_per_block},
      {"sharedMemPerMultiprocessor", paths::levels_shared_capacity},
      {"reservedSharedMemPerBlock", paths::levels_shared_reserved_per_block},
      {"l2CacheSize", paths::levels_l2_capacity},
      {"totalGlobalMem", paths::levels_dram_capacity},
      {"memoryBusWidth", paths::device_memory_bus}};
  // What is measured or published may differ from what the runtime reports.
  for (const auto &[Member, Path] : Told)
    if (const profile::Quantity *Q = Device.find(Path);
        Q && Q->Value &&
        (Q->State == profile::Status::Api || Member == Told[0].first))
      Result[Member] = static_cast<int64_t>(*Q->Value);
  return Result;
}

} // namespace warpwise::reuse
