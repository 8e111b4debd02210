//===- UnitOptions.cpp - What a unit is analysed with ---------------------===//

#include "analyzer/tool/UnitOptions.h"

#include "analyzer/reuse/launches/HostDevice.h"
#include "profiler/profile/ArchitectureLimits.h"

#include "llvm/ADT/SmallVector.h"

#include <fmt/format.h>

namespace warpwise::tool {

llvm::Expected<BlockOverride> parseBlock(llvm::StringRef Text) {
  auto [Kernel, Shape] = Text.rsplit('=');
  if (Shape.empty() && !Text.ends_with("="))
    std::swap(Kernel, Shape);
  BlockOverride Result{Kernel.empty() ? "*" : Kernel.str(), {1, 1, 1}};
  llvm::SmallVector<llvm::StringRef> Sizes;
  Shape.split(Sizes, 'x');
  uint64_t Threads = 1;
  bool Valid = !Sizes.empty() && Sizes.size() <= 3;
  for (size_t I = 0; Valid && I < Sizes.size(); ++I) {
    uint32_t &Size = Result.second[I];
    Valid = !Sizes[I].getAsInteger(10, Size) && Size > 0 &&
            Size <= profile::MostBlockExtents[I];
    Threads *= Size;
  }
  if (!Valid)
    return llvm::createStringError(
        fmt::format("'--block={}': expected KERNEL=32x8", Text.str()));
  if (Threads > profile::MostBlockThreads)
    return llvm::createStringError(
        fmt::format("'--block={}': a block has at most {} threads, not {}",
                    Text.str(), profile::MostBlockThreads, Threads));
  return Result;
}

pipeline::AnalyzeOptions optionsFor(const profile::Profile &Device) {
  pipeline::AnalyzeOptions Options;
  Options.ProfileName = Device.Name;
  Options.Law = profile::requestLaw(Device);
  Options.Host.Device = reuse::deviceProperties(Device);
  Options.Host.UsualKernel = launch::KernelNeeds{32, 0, 1024};
  return Options;
}

} // namespace warpwise::tool
