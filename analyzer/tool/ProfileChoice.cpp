//===- ProfileChoice.cpp --------------------------------------------------===//

#include "analyzer/tool/ProfileChoice.h"

#include "analyzer/price/DeviceRates.h"
#include "profiler/profile/RequestLaw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace warpwise::tool {

llvm::Expected<std::optional<profile::Profile>>
namedProfile(llvm::StringRef Gpu, llvm::StringRef ProfileFile) {
  if (Gpu.empty() && ProfileFile.empty())
    return std::nullopt;
  auto Result =
      profile::find(ProfileFile.empty() ? Gpu.str() : ProfileFile.str());
  if (!Result)
    return llvm::createStringError(Result.reason());
  return std::move(*Result);
}

std::vector<std::string> machineGpus(llvm::StringRef Folder) {
  std::vector<std::string> Models;
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator Device(Folder, Error), End;
       !Error && Device != End; Device.increment(Error)) {
    llvm::SmallString<128> Path(Device->path());
    llvm::sys::path::append(Path, "information");
    // Files below /proc have no size, so they are read as a stream.
    std::ifstream File(Path.c_str());
    for (std::string Line; std::getline(File, Line);) {
      llvm::StringRef Text = Line;
      if (Text.consume_front("Model:"))
        Models.push_back(Text.trim().str());
    }
  }
  std::sort(Models.begin(), Models.end());
  return Models;
}

static std::optional<profile::Profile> measuredHere() {
  std::vector<std::string> Gpus = machineGpus();
  if (Gpus.empty())
    return std::nullopt;
  for (const std::string &Name : profile::userNames()) {
    auto Result = profile::find(Name);
    if (Result && llvm::is_contained(Gpus, Result->Gpu))
      return std::move(*Result);
  }
  return std::nullopt;
}

profile::Profile defaultProfile(llvm::StringRef Architecture) {
  if (std::optional<profile::Profile> Here = measuredHere())
    return std::move(*Here);
  return profile::forArchitecture(Architecture.str());
}

std::string stateProfile(const profile::Profile &Device) {
  std::string Text =
      fmt::format("profile {}: {}, {}; {}", Device.Name, Device.Gpu,
                  Device.Architecture, Device.Origin);
  std::vector<std::string> Assumed = profile::requestLaw(Device).Assumed;
  llvm::append_range(Assumed, price::ratesOf(Device).Assumed);
  if (!Assumed.empty())
    Text += fmt::format("; assumed: {}", fmt::join(Assumed, ", "));
  return Text;
}

} // namespace warpwise::tool
