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

struct Utilisation {
  unsigned Gpu = 0, Memory = 0;
};

/// Loaded and started, or neither.
class Library {
  void *Handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  bool Started = false;

public:
  Library() {
    auto *Start = find<int()>("nvmlInit_v2");
    Started = Start && Start() == Success;
  }
  ~Library() {
    if (auto *Stop = Started ? find<int()>("nvmlShutdown") : nullptr)
      Stop();
    if (Handle)
      dlclose(Handle);
  }
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  explicit operator bool() const { return Started; }

  template <typename Signature> Signature *find(const char *Name) const {
    return Handle ? reinterpret_cast<Signature *>(dlsym(Handle, Name))
                  : nullptr;
  }
};

} // namespace

std::optional<unsigned> utilisationOf(const std::string &Uuid) {
  const Library Nvml;
  if (!Nvml)
    return std::nullopt;
  auto *ByUuid =
      Nvml.find<int(const char *, void **)>("nvmlDeviceGetHandleByUUID");
  auto *Rates =
      Nvml.find<int(void *, Utilisation *)>("nvmlDeviceGetUtilizationRates");
  void *Device = nullptr;
  Utilisation Used;
  if (!ByUuid || !Rates || ByUuid(Uuid.c_str(), &Device) != Success ||
      Rates(Device, &Used) != Success)
    return std::nullopt;
  return Used.Gpu;
}

} // namespace warpwise::tool
