//===- Toolkit.cpp - The CUDA headers and the architecture ----------------===//
//
// Where the CUDA toolkit of a compile command is, and which of the command's
// architectures is analysed. Only file names are looked at and two files read:
// asking nvcc itself would run a program that the command names.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CommandParts.h"

#include "profiler/io/JsonDepth.h"
#include "profiler/io/ReadFile.h"

#include "clang/Basic/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <optional>

namespace warpwise::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string join(llvm::StringRef Folder, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

/// "12.4" from {"cuda": {"version": "12.4.1"}}; empty when that is not there.
std::string readJsonVersion(llvm::StringRef Root) {
  const auto Text = io::readFile(join(Root, "version.json"));
  if (!Text || io::isNestedDeeperThan(*Text))
    return "";
  auto Parsed = llvm::json::parse(*Text);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    return "";
  }
  const llvm::json::Object *Top = Parsed->getAsObject();
  const llvm::json::Object *Cuda = Top ? Top->getObject("cuda") : nullptr;
  if (!Cuda)
    return "";
  llvm::StringRef Version = Cuda->getString("version").value_or("");
  auto [Major, Rest] = Version.split('.');
  return Rest.empty() ? Version.str()
                      : (Major + "." + Rest.split('.').first).str();
}

/// "13.0" from `#define CUDA_VERSION 13000`.
std::string readHeaderVersion(llvm::StringRef Root) {
  const auto Header = io::readFile(join(Root, "include/cuda.h"));
  if (!Header)
    return "";
  constexpr llvm::StringLiteral Define = "#define CUDA_VERSION ";
  llvm::StringRef Text = *Header;
  size_t At = Text.find(Define);
  unsigned Number = 0;
  if (At == llvm::StringRef::npos ||
      Text.drop_front(At + Define.size()).ltrim().consumeInteger(10, Number))
    return "";
  return fmt::format("{}.{}", Number / 1000, Number % 1000 / 10);
}

/// The toolkit that a path to nvcc belongs to: bin/.. of the path as written,
/// then of the file it links to (/usr/bin/nvcc is often a link).
Toolkit toolkitOfNvcc(llvm::StringRef Nvcc) {
  auto rootOf = [](llvm::StringRef Program) {
    return path::parent_path(path::parent_path(Program));
  };
  if (!fs::exists(Nvcc))
    return {};
  if (Toolkit Found = toolkitAt(rootOf(Nvcc)); Found.found())
    return Found;
  llvm::SmallString<256> Real;
  if (fs::real_path(Nvcc, Real))
    return {};
  return toolkitAt(rootOf(Real));
}

//===--- Architecture -----------------------------------------------------===//

/// "sm_90a", "compute_90a" and "lto_90a" are 90 and "a".
struct Arch {
  unsigned Number = 0;
  std::string Suffix;

  auto operator<=>(const Arch &) const = default;
  std::string name() const { return fmt::format("sm_{}{}", Number, Suffix); }
};

/// None for native, all, all-major and what is no architecture.
std::optional<Arch> parseArch(llvm::StringRef Name) {
  Name = Name.substr(Name.find('_') + 1);
  Arch Result;
  if (Name.consumeInteger(10, Result.Number) || Result.Number < 10)
    return std::nullopt;
  Result.Suffix = Name.take_while(llvm::isAlpha).str();
  return Result;
}

bool isKnown(const Arch &Wanted) {
  return clang::IsNVIDIAOffloadArch(clang::StringToOffloadArch(Wanted.name()));
}

/// The architecture that stands in for one that Clang does not know: the
/// newest that it does know and that is not newer.
Arch nearestKnown(Arch Wanted) {
  constexpr unsigned Newest = 90, Oldest = 20;
  if (isKnown(Wanted))
    return Wanted;
  if (Wanted.Number > Newest)
    return {Newest, "a"};
  for (Wanted.Suffix.clear(); Wanted.Number > Oldest; --Wanted.Number)
    if (isKnown(Wanted))
      return Wanted;
  return {Oldest, ""};
}

} // namespace

Toolkit toolkitAt(llvm::StringRef Root) {
  if (Root.empty() || !fs::exists(join(Root, "include/cuda_runtime.h")))
    return {};
  llvm::SmallString<256> Path(Root);
  fs::make_absolute(Path);
  path::remove_dots(Path, /*remove_dot_dot=*/false);
  std::string Version = readJsonVersion(Path);
  if (Version.empty())
    Version = readHeaderVersion(Path);
  return {Path.str().str(), Version};
}

Toolkit findToolkit(llvm::StringRef Argv0) {
  if (path::filename(Argv0).starts_with("nvcc")) {
    std::string Nvcc = Argv0.str();
    if (!path::has_parent_path(Argv0))
      if (auto Found = llvm::sys::findProgramByName(Argv0))
        Nvcc = *Found;
    llvm::SmallString<256> Absolute(Nvcc);
    fs::make_absolute(Absolute);
    if (Toolkit Found = toolkitOfNvcc(Absolute); Found.found())
      return Found;
  }
  for (llvm::StringRef Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Root = llvm::sys::Process::GetEnv(Variable))
      if (Toolkit Found = toolkitAt(*Root); Found.found())
        return Found;
  return toolkitAt("/usr/local/cuda");
}

llvm::Expected<Toolkit> chooseToolkit(const CommandOptions &Options,
                                      llvm::StringRef CudaPath,
                                      llvm::StringRef Program,
                                      llvm::StringRef Directory) {
  if (Options.CudaPath == "none")
    return Toolkit();
  if (!Options.CudaPath.empty()) {
    if (Toolkit Found = toolkitAt(Options.CudaPath); Found.found())
      return Found;
    return llvm::createStringError("no CUDA toolkit in '" + Options.CudaPath +
                                   "': include/cuda_runtime.h is not there");
  }
  llvm::SmallString<256> Path(CudaPath);
  if (!Path.empty()) {
    fs::make_absolute(Directory, Path);
    if (Toolkit Found = toolkitAt(Path); Found.found())
      return Found;
  }
  Path = Program;
  if (path::has_parent_path(Program))
    fs::make_absolute(Directory, Path);
  return findToolkit(Path);
}

std::string chooseArch(llvm::ArrayRef<std::string> Listed,
                       llvm::StringRef Preferred, DeviceCommand &Result) {
  std::vector<Arch> Archs;
  for (const std::string &Name : Listed)
    if (auto Parsed = parseArch(Name))
      Archs.push_back(*Parsed);
  Arch Favourite = parseArch(Preferred).value_or(Arch{90, ""});
  if (Archs.empty())
    Archs.push_back(Favourite);
  llvm::sort(Archs);
  auto Chosen = Preferred.empty()
                    ? Archs.end()
                    : llvm::find_if(Archs, [&](const Arch &Candidate) {
                        return Candidate.Number == Favourite.Number;
                      });
  Arch Requested = Chosen == Archs.end() ? Archs.back() : *Chosen;
  Arch Analysed = nearestKnown(Requested);
  Result.RequestedArch = Requested.name();
  Result.AnalysedArch = Analysed.name();
  if (Result.RequestedArch != Result.AnalysedArch)
    Result.Notes.push_back(fmt::format(
        "{} is analysed as {}, the nearest architecture that Clang {} knows",
        Result.RequestedArch, Result.AnalysedArch, LLVM_VERSION_MAJOR));
  std::vector<std::string> Numbers;
  for (const Arch &Each : Archs)
    Numbers.push_back(fmt::format("{}", Each.Number * 10));
  Numbers.erase(std::unique(Numbers.begin(), Numbers.end()), Numbers.end());
  return llvm::join(Numbers, ",");
}

} // namespace warpwise::frontend
