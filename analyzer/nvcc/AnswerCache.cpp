//===- AnswerCache.cpp - What nvcc said before ----------------------------===//

#include "analyzer/nvcc/AnswerCache.h"

#include "profiler/io/JsonDepth.h"
#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace warpwise::nvcc {
namespace {

namespace json = llvm::json;

constexpr llvm::StringLiteral Schema = "warpwise-nvcc/1";

/// Answers that are kept; of more, the older half goes.
constexpr size_t MostAnswers = 2048;

std::string hashed(llvm::StringRef Text) {
  llvm::SHA256 Hash;
  Hash.update(Text);
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

/// "i3/detail/a.h" leads through a link that is gone after the compilation.
std::string throughLinks(const std::string &File, const NvccInput &Input) {
  const auto [First, Rest] = llvm::StringRef(File).split('/');
  for (const auto &[Name, To] : Input.Links)
    if (First == Name)
      return To + "/" + Rest.str();
  return File;
}

std::optional<ResourceTable> readKernels(const json::Object *From) {
  if (!From)
    return std::nullopt;
  ResourceTable Table;
  for (const auto &[Name, Value] : *From) {
    const json::Array *Numbers = Value.getAsArray();
    if (!Numbers || Numbers->size() != 4)
      return std::nullopt;
    int64_t Of[4];
    for (size_t I = 0; I != 4; ++I) {
      const std::optional<int64_t> Number = (*Numbers)[I].getAsInteger();
      if (!Number || *Number < 0)
        return std::nullopt;
      Of[I] = *Number;
    }
    Table[Name.str()] = {unsigned(Of[0]), uint64_t(Of[1]), uint64_t(Of[2]),
                         uint64_t(Of[3])};
  }
  return Table;
}

} // namespace

std::vector<std::string> filesOfRule(const std::string &Rule) {
  std::vector<std::string> Files;
  const size_t Colon = Rule.find(": ");
  if (Colon == Rule.npos)
    return Files;
  std::string Name;
  for (size_t I = Colon + 1; I <= Rule.size(); ++I) {
    const char C = I < Rule.size() ? Rule[I] : '\n';
    const char Next = I + 1 < Rule.size() ? Rule[I + 1] : '\0';
    if (C == '\\' && Next == '\n') {
      ++I; // the rule goes on
    } else if ((C == '\\' && (Next == ' ' || Next == '#' || Next == '\\')) ||
               (C == '$' && Next == '$')) {
      Name += Next;
      ++I;
      continue;
    } else if (C != ' ' && C != '\n' && C != '\t') {
      Name += C;
      continue;
    }
    if (!Name.empty())
      Files.push_back(std::exchange(Name, ""));
    if (C == '\n') // other rules have no files
      break;
  }
  return Files;
}

AnswerCache::AnswerCache(const std::string &Nvcc, std::string Folder)
    : Folder(std::move(Folder)) {
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Nvcc, Status))
    return;
  Program =
      fmt::format("{} {} {}", Nvcc, Status.getSize(),
                  Status.getLastModificationTime().time_since_epoch().count());
}

std::string AnswerCache::userFolder() {
  const char *Cache = std::getenv("XDG_CACHE_HOME");
  // The XDG base directory specification has relative paths ignored.
  if (Cache && *Cache == '/')
    return std::string(Cache) + "/warpwise/nvcc";
  const char *Home = std::getenv("HOME");
  return Home && *Home == '/' ? std::string(Home) + "/.cache/warpwise/nvcc"
                              : "";
}

std::string AnswerCache::pathFor(const NvccInput &Input) const {
  std::string Question = Program + '\0' + Input.Source;
  for (const auto &[Name, To] : Input.Links)
    Question += '\0' + Name + '\0' + To;
  for (const std::string &Argument : Input.Arguments)
    Question += '\0' + Argument;
  // Flags that nvcc takes from its environment.
  for (const char *Name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                           "NVCC_CCBIN", "CPATH", "CPLUS_INCLUDE_PATH"}) {
    const char *Value = std::getenv(Name);
    Question += '\0' + std::string(Value ? Value : "");
  }
  return Folder + "/" + hashed(Question) + ".json";
}

const std::string &AnswerCache::hashOf(const std::string &File) {
  auto [Known, New] = Hashes.try_emplace(File);
  if (!New)
    return Known->second;
  if (const auto Text = io::readFile(File))
    Known->second = hashed(*Text);
  return Known->second;
}

std::optional<ResourceTable> AnswerCache::find(const NvccInput &Input) {
  if (Folder.empty())
    return std::nullopt;
  const auto Text = io::readFile(pathFor(Input));
  if (!Text || io::isNestedDeeperThan(*Text))
    return std::nullopt;
  llvm::Expected<json::Value> Parsed = json::parse(*Text);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    return std::nullopt;
  }
  const json::Object *Top = Parsed->getAsObject();
  const json::Object *Files = Top ? Top->getObject("files") : nullptr;
  if (!Files || Files->empty() || Top->getString("schema") != Schema)
    return std::nullopt;
  for (const auto &[Name, Hash] : *Files) {
    const std::string &Now = hashOf(Name.str());
    if (Now.empty() || Hash.getAsString() != Now)
      return std::nullopt;
  }
  return readKernels(Top->getObject("kernels"));
}

void AnswerCache::makeRoom() const {
  namespace fs = std::filesystem;
  std::error_code Ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> Answers;
  for (const fs::directory_entry &Entry : fs::directory_iterator(
           Folder, fs::directory_options::skip_permission_denied, Ignored))
    if (Entry.path().extension() == ".json")
      Answers.emplace_back(Entry.last_write_time(Ignored), Entry.path());
  if (Answers.size() <= MostAnswers)
    return;
  std::sort(Answers.begin(), Answers.end());
  for (size_t I = 0; I != Answers.size() / 2; ++I)
    fs::remove(Answers[I].second, Ignored);
}

void AnswerCache::keep(const NvccInput &Input, const std::string &Dependencies,
                       const ResourceTable &Answer) {
  json::Object Files, Kernels;
  for (const std::string &File : filesOfRule(Dependencies)) {
    if (File == NvccInput::SourceName)
      continue;
    const std::string Path = throughLinks(File, Input);
    const std::string &Hash = hashOf(Path);
    if (Hash.empty() || !json::isUTF8(Path))
      return;
    Files[Path] = Hash;
  }
  if (Folder.empty() || Files.empty())
    return;
  for (const auto &[Name, R] : Answer)
    if (json::isUTF8(Name))
      Kernels[Name] =
          json::Array{int64_t(R.Registers), int64_t(R.StackBytes),
                      int64_t(R.SpillStoreBytes), int64_t(R.SpillLoadBytes)};
  if (llvm::sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                        llvm::sys::fs::perms::owner_all))
    return;
  makeRoom();
  std::string Text;
  llvm::raw_string_ostream(Text)
      << json::Value(json::Object{{"schema", Schema},
                                  {"files", std::move(Files)},
                                  {"kernels", std::move(Kernels)}});
  io::writeFile(pathFor(Input), Text);
}

} // namespace warpwise::nvcc
