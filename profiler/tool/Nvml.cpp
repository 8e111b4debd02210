//===- Nvml.cpp - What the driver says of a GPU's use ---------------------===//
//
// The NVIDIA Management Library comes with the driver, not with the toolkit, so
// its few functions are declared here (NVML API Reference Guide).
//
//===----------------------------------------------------------------------===//

#include "profiler/tool/Nvml.h"

#include <dlfcn.h>

namespace warpwise::tool {
namespace {

constexpr int Success = 0;
/// nvmlPcieUtilCounter_t
constexpr int BytesSent = 0, BytesReceived = 1;

struct Utilisation {
  unsigned Gpu = 0, Memory = 0;
};

template <typename Signature> Signature *find(void *Library, const char *Name) {
  return Library ? reinterpret_cast<Signature *>(dlsym(Library, Name))
                 : nullptr;
}

} // namespace

Nvml::Nvml(const std::string &Uuid)
    : Library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  auto *Start = find<int()>(Library, "nvmlInit_v2");
  Started = Start && Start() == Success;
  auto *ByUuid =
      find<int(const char *, void **)>(Library, "nvmlDeviceGetHandleByUUID");
  if (!Started || !ByUuid || ByUuid(Uuid.c_str(), &Device) != Success)
    Device = nullptr;
}

Nvml::~Nvml() {
  if (auto *Stop = Started ? find<int()>(Library, "nvmlShutdown") : nullptr)
    Stop();
  if (Library)
    dlclose(Library);
}

std::optional<Nvml::Use> Nvml::use() const {
  auto *Rates = find<int(void *, Utilisation *)>(
      Library, "nvmlDeviceGetUtilizationRates");
  Utilisation Used;
  if (!Device || !Rates || Rates(Device, &Used) != Success)
    return std::nullopt;
  return Use{Used.Gpu, Used.Memory};
}

std::optional<double> Nvml::busMegabytesPerSecond() const {
  auto *Throughput = find<int(void *, int, unsigned *)>(
      Library, "nvmlDeviceGetPcieThroughput");
  if (!Device || !Throughput)
    return std::nullopt;
  double Sum = 0;
  for (const int Way : {BytesSent, BytesReceived}) {
    unsigned Kilobytes = 0;
    if (Throughput(Device, Way, &Kilobytes) != Success)
      return std::nullopt;
    Sum += Kilobytes / 1e3;
  }
  return Sum;
}

} // namespace warpwise::tool
