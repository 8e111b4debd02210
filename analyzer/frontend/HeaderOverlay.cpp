//===- HeaderOverlay.cpp - CUDA headers that are missing ------------------===//

#include "analyzer/frontend/HeaderOverlay.h"

#include "analyzer/frontend/EmbeddedHeaders.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpwise::frontend {
namespace {

/// The first version of a toolkit, 0 when it is not known.
unsigned majorVersion(const Toolkit &Cuda) {
  unsigned Major = 0;
  StringRef(Cuda.Version).split('.').first.getAsInteger(10, Major);
  return Major;
}

std::string under(StringRef Root, const Twine &Name) {
  SmallString<128> Path(Root);
  sys::path::append(Path, Name);
  return Path.str().str();
}

bool isInToolkit(const Toolkit &Cuda, StringRef Header) {
  return sys::fs::exists(under(Cuda.Path, "include/" + Header));
}

/// Headers of the toolkit that stay empty without one: what they declare is in
/// cuda_runtime.h, or in headers of Clang's own.
constexpr const char *EmptyWithoutToolkit[] = {
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "crt/common_functions.h",
    "crt/device_double_functions.hpp",
    "crt/device_functions.h",
    "crt/device_functions.hpp",
    "crt/host_config.h",
    "crt/host_defines.h",
    "crt/host_runtime.h",
    "crt/math_functions.h",
    "crt/math_functions.hpp",
    "crt/sm_100_rt.h",
    "crt/sm_100_rt.hpp",
    "crt/sm_90_rt.h",
    "crt/sm_90_rt.hpp",
    "crt/sm_80_rt.h",
    "crt/sm_80_rt.hpp",
    "crt/sm_70_rt.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_pipeline_primitives.h",
    "cudaProfiler.h",
    "curand_mtgp32_kernel.h",
    "device_atomic_functions.h",
    "device_atomic_functions.hpp",
    "device_double_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "host_config.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_atomic_functions.hpp",
    "sm_20_intrinsics.h",
    "sm_20_intrinsics.hpp",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_atomic_functions.hpp",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_60_atomic_functions.hpp",
    "sm_61_intrinsics.h",
    "sm_61_intrinsics.hpp",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h"};

/// Headers that Clang's wrapper includes and newer toolkits lack.
constexpr const char *EmptyWhenMissing[] = {
    "curand_mtgp32_kernel.h", "sm_20_atomic_functions.hpp",
    "sm_32_atomic_functions.hpp", "texture_fetch_functions.h",
    "texture_indirect_functions.h"};

/// Calls \p Add with the path below the overlay's root and the text of every
/// header for \p Cuda. The folders:
///   bridge/    before all others
///   shim/      with a toolkit: what it lacks
///   embedded/  without a toolkit
///   absent/    behind all others
void forEachHeader(const Toolkit &Cuda,
                   function_ref<void(const Twine &Path, StringRef Text)> Add) {
  for (const EmbeddedHeader &Header : embeddedHeaders())
    if (!Header.Path.starts_with("embedded/") || !Cuda.found())
      Add(Header.Path, Header.Text);
  if (Cuda.found()) {
    for (const char *Name : EmptyWhenMissing)
      if (!isInToolkit(Cuda, Name))
        Add(Twine("shim/") + Name, "");
  } else {
    for (const char *Name : EmptyWithoutToolkit)
      Add(Twine("embedded/") + Name, "");
  }
}

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
overlayHeaders(const Toolkit &Cuda, IntrusiveRefCntPtr<vfs::FileSystem> Base) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  forEachHeader(Cuda, [&](const Twine &Path, StringRef Text) {
    Memory->addFile(under(OverlayRoot, Path), /*ModificationTime=*/0,
                    MemoryBuffer::getMemBuffer(Text, Path.str()));
  });
  auto Overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(Base));
  Overlay->pushOverlay(std::move(Memory));
  return Overlay;
}

std::vector<std::string> headerArguments(const Toolkit &Cuda, StringRef Root) {
  std::vector<std::string> Arguments = {"-resource-dir", resourceDirectory(),
                                        "-Wno-unknown-cuda-version",

                                        "-isystem", under(Root, "bridge")};
  if (Cuda.found()) {
    Arguments.push_back("--cuda-path=" + Cuda.Path);
    Arguments.push_back("-isystem");
    Arguments.push_back(under(Root, "shim"));
    // From CUDA 13 on CUB, Thrust and libcu++ lie in a folder of their own,
    // which nvcc adds by itself.
    if (isInToolkit(Cuda, "cccl")) {
      Arguments.push_back("-isystem");
      Arguments.push_back(under(Cuda.Path, "include/cccl"));
    }
  } else {
    // Clang's own wrapper header works on top of the embedded headers too.
    for (std::string Argument :
         {std::string("-nocudainc"), std::string("-nocudalib"),
          std::string("--cuda-feature=+ptx83"), std::string("-isystem"),
          under(Root, "embedded"), std::string("-include"),
          std::string("__clang_cuda_runtime_wrapper.h")})
      Arguments.push_back(std::move(Argument));
  }
  if (Cuda.found())
    Arguments.push_back("-D__WARPWISE_BRIDGE_TOOLKIT__");
  if (!Cuda.found() || majorVersion(Cuda) >= 12)
    Arguments.push_back("-D__WARPWISE_BRIDGE_TEXTURE_REFERENCES__");
  if (!Cuda.found() || majorVersion(Cuda) >= 13)
    Arguments.push_back("-D__WARPWISE_BRIDGE_REMOVED_RUNTIME__");
  Arguments.push_back("-include");
  Arguments.push_back("warpwise_bridge.h");
  Arguments.push_back("-idirafter");
  Arguments.push_back(under(Root, "absent"));
  return Arguments;
}

Error writeHeaders(const Toolkit &Cuda, StringRef Root, StringRef Name) {
  Error Result = Error::success();
  forEachHeader(Cuda, [&](const Twine &Header, StringRef Text) {
    if (Result)
      return;
    const std::string Path = under(Name, Header);
    if (std::string Why = io::createBelow(Root.str(), Path, Text); !Why.empty())
      Result =
          createStringError("cannot write '" + under(Root, Path) + "': " + Why);
  });
  return Result;
}

} // namespace warpwise::frontend
