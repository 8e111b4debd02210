//===- Cupti.cpp - Opens libcupti and the driver --------------------------===//

#include "profiler/collect/Cupti.h"

#if WARPWISE_HAS_CUPTI

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace warpwise::collect {
namespace {

namespace fs = std::filesystem;

/// Where the library may be, in the order of trying. Only that of the headers'
/// major version: the parameters' layout may change with it.
std::vector<std::string> places(const std::string &Library) {
  if (!Library.empty())
    return {Library};
  const std::string Name = fmt::format("libcupti.so.{}", CUDA_VERSION / 1000);
  std::vector<std::string> Found = {Name};
  std::vector<fs::path> Toolkits;
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *Root = std::getenv(Variable); Root && *Root)
      Toolkits.emplace_back(Root);
  Toolkits.emplace_back("/usr/local/cuda");
  for (const fs::path &Toolkit : Toolkits)
    for (const char *Folder : {"extras/CUPTI/lib64", "lib64", "lib"})
      Found.push_back(Toolkit / Folder / Name);
  return Found;
}

template <typename Function>
bool find(void *Library, const char *Name, Function &Address) {
  Address = reinterpret_cast<Function>(dlsym(Library, Name));
  return Address != nullptr;
}

} // namespace

Expected<Cupti> Cupti::load(const std::string &Library) {
  const std::vector<std::string> Places = places(Library);
  void *Opened = nullptr;
  for (size_t I = 0; I != Places.size() && !Opened; ++I)
    Opened = dlopen(Places[I].c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Opened)
    return Failure{fmt::format("{} could not be opened", Places.front())};
  Cupti C;
#define WARPWISE_FIND(Name)                                                    \
  if (!find(Opened, #Name, C.Name))                                            \
    return Failure{fmt::format("{} has no " #Name, Places.front())};
  WARPWISE_CUPTI_FUNCTIONS(WARPWISE_FIND)
#undef WARPWISE_FIND
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Driver || !find(Driver, "cuCtxGetCurrent", C.cuCtxGetCurrent) ||
      !find(Driver, "cuCtxGetDevice", C.cuCtxGetDevice))
    return Failure{"there is no NVIDIA driver"};
  return C;
}

} // namespace warpwise::collect

#endif
