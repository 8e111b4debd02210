//===- ReportStore.cpp - Analyses that need not be done again -------------===//

#include "analyzer/tool/ReportStore.h"

#include "analyzer/tool/LaunchJson.h"
#include "analyzer/tool/Messages.h"
#include "profiler/io/JsonDepth.h"
#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include <sys/stat.h>
#include <utime.h>

namespace json = llvm::json;

namespace warpwise::tool {

/// Its number changes when reports are written in another way.
static constexpr llvm::StringLiteral Schema = "warpwise-report/2";
static constexpr llvm::StringLiteral SoundEnding = ".report";
static constexpr llvm::StringLiteral DoubtfulEnding = ".doubtful";
static constexpr std::chrono::hours Month(30 * 24), Day(24);

static std::string digest(llvm::StringRef Text) {
  return llvm::toHex(
      llvm::SHA256::hash(llvm::ArrayRef(Text.bytes_begin(), Text.size())),
      /*LowerCase=*/true);
}

static int64_t timeOfChange(const struct stat &Status) {
  return int64_t(Status.st_mtim.tv_sec) * 1'000'000'000 +
         Status.st_mtim.tv_nsec;
}

/// Size and time of change in nanoseconds, and of the user's files the number
/// on the disk. What a system has is the same on all machines that have the
/// same packages, but for that number. Empty where there is no such file.
static std::string readStamp(const std::string &File, bool IsUsers) {
  struct stat Status;
  if (::stat(File.c_str(), &Status) != 0)
    return {};
  std::string Stamp =
      fmt::format("{} {}", Status.st_size, timeOfChange(Status));
  return IsUsers ? fmt::format("{} {}", Stamp, Status.st_ino) : Stamp;
}

static int64_t nanosecondsSinceEpoch() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

ReportStore::ReportStore(
    KeptReports Its, llvm::StringRef Profile,
    std::function<std::string(const std::string &File)> Judge)
    : Where(std::move(Its)), Judge(std::move(Judge)),
      Began(nanosecondsSinceEpoch()) {
  Program = readStamp(llvm::sys::fs::getMainExecutable(
                          nullptr, reinterpret_cast<void *>(&readStamp)),
                      /*IsUsers=*/false) +
            " " + digest(Profile);
}

llvm::Expected<std::shared_ptr<ReportStore>>
ReportStore::open(const KeptReports &Where, llvm::StringRef Profile,
                  std::function<std::string(const std::string &File)> Judge) {
  const std::string &Folder = Where.Folder;
  if (const std::error_code Error = llvm::sys::fs::create_directories(Folder))
    return llvm::createStringError(fmt::format(
        "cannot make the folder '{}': {}", Folder, Error.message()));
  if (!llvm::sys::fs::is_directory(Folder))
    return llvm::createStringError(fmt::format("'{}' is not a folder", Folder));
  return std::shared_ptr<ReportStore>(
      new ReportStore(Where, Profile, std::move(Judge)));
}

const std::string &ReportStore::stampOf(const std::string &File, bool IsUsers) {
  auto &Stamps = IsUsers ? UsersStamps : SystemStamps;
  const auto [Known, IsNew] = Stamps.try_emplace(File);
  if (IsNew)
    Known->second = readStamp(File, IsUsers);
  return Known->second;
}

std::string ReportStore::fileOf(const std::string &Name,
                                llvm::StringRef Ending) const {
  llvm::SmallString<256> Path(Where.Folder);
  llvm::sys::path::append(Path, Name + Ending);
  return Path.str().str();
}

//===--- Names ------------------------------------------------------------===//

static json::Object describe(const frontend::DeviceCommand &Unit) {
  json::Object Edited;
  if (Unit.Edited)
    for (const auto &[File, Text] : *Unit.Edited)
      Edited[File] = digest(Text);
  return json::Object{{"file", Unit.File},
                      {"directory", Unit.Directory},
                      {"arguments", Unit.Arguments},
                      {"requested", Unit.RequestedArch},
                      {"analysed", Unit.AnalysedArch},
                      {"toolkit", Unit.Cuda.Path},
                      {"version", Unit.Cuda.Version},
                      {"registers", Unit.MaxRegisters
                                        ? json::Value(*Unit.MaxRegisters)
                                        : json::Value(nullptr)},
                      {"restrict", Unit.RestrictPointers},
                      {"edited", std::move(Edited)}};
}

static json::Value describe(const nvcc::Answer &Says) {
  json::Object Kernels;
  for (const auto &[Name, K] : Says.Kernels)
    Kernels[Name] = json::Array{K.Registers, K.StackBytes, K.SpillStoreBytes,
                                K.SpillLoadBytes};
  return json::Object{{"problem", Says.Problem},
                      {"kernels", std::move(Kernels)}};
}

/// What a profile says is in the text of the judge.
static json::Object describe(const pipeline::AnalyzeOptions &Options) {
  json::Array Blocks;
  for (const auto &[Kernel, Block] : Options.BlockOverrides)
    Blocks.push_back(json::Array{Kernel, Block[0], Block[1], Block[2]});
  json::Object Contents, Arguments;
  for (const auto &[Name, C] : Options.Contents)
    Contents[Name] = json::Array{int64_t(C->What), C->ElementBytes, C->Elements,
                                 C->Below, digest(C->Data)};
  for (const auto &[Name, A] : Options.Arguments)
    Arguments[Name] = toJSON(A);
  return json::Object{{"launches", json::Array(Options.ForeignLaunches)},
                      {"blocks", std::move(Blocks)},
                      {"contents", std::move(Contents)},
                      {"values", std::move(Arguments)},
                      {"nvcc", Options.FromNvcc ? describe(*Options.FromNvcc)
                                                : json::Value(nullptr)},
                      {"awaits_nvcc", Options.AwaitsNvcc},
                      {"program", Options.Rest
                                      ? json::Value(Options.Rest->files())
                                      : json::Value(nullptr)},
                      {"arrays", Options.PrivateArrays}};
}

std::optional<std::string>
ReportStore::nameOf(Task What, const frontend::DeviceCommand &Unit,
                    const pipeline::AnalyzeOptions &Options) const {
  // Another tool's parse, and what was begun, are known to this process only.
  if (Unit.Invocation || Options.Begun)
    return std::nullopt;
  std::string Text;
  llvm::raw_string_ostream(Text)
      << json::Value(json::Object{{"schema", Schema},
                                  {"program", Program},
                                  {"task", int64_t(What)},
                                  {"judge", Judge(Unit.File)},
                                  {"unit", describe(Unit)},
                                  {"options", describe(Options)}});
  return digest(Text);
}

//===--- Reports ----------------------------------------------------------===//

static bool isDoubtful(const UnitReport &Report) {
  return !Report.Failure.empty() || !Report.MissingHeaders.empty();
}

std::optional<UnitReport> ReportStore::read(const std::string &Path) {
  const auto Text = io::readFile(Path);
  if (!Text)
    return std::nullopt;
  // The first line are the stamps, the second one is the report.
  const auto [Head, Rest] = llvm::StringRef(*Text).split('\n');
  if (io::isNestedDeeperThan(*Text))
    return std::nullopt;
  llvm::Expected<json::Value> Read = json::parse(Head);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return std::nullopt;
  }
  const json::Object *Stamps = Read->getAsObject();
  if (!Stamps)
    return std::nullopt;
  for (const bool IsUsers : {true, false}) {
    const json::Object *Files = Stamps->getObject(IsUsers ? "files" : "system");
    if (!Files)
      return std::nullopt;
    for (const auto &[File, Stamp] : *Files)
      if (Stamp.getAsString() != llvm::StringRef(stampOf(File.str(), IsUsers)))
        return std::nullopt;
  }
  llvm::Expected<UnitReport> Report = parseReport(Rest);
  if (Report)
    return std::move(*Report);
  llvm::consumeError(Report.takeError());
  return std::nullopt;
}

std::optional<UnitReport> ReportStore::find(const std::string &Name) {
  const std::string File = fileOf(Name, SoundEnding);
  std::optional<UnitReport> Report = read(File);
  if (!Report && Where.EvenDoubtful)
    Report = read(fileOf(Name, DoubtfulEnding));
  if (!Report)
    return std::nullopt;
  ++Found;
  struct stat Status;
  const auto Now = std::chrono::system_clock::now();
  if (::stat(File.c_str(), &Status) == 0 &&
      std::chrono::system_clock::from_time_t(Status.st_mtime) + Day < Now)
    ::utime(File.c_str(), nullptr); // it is still asked for
  return Report;
}

void ReportStore::keep(const std::string &Name, const std::string &File,
                       const UnitReport &Report) {
  ++Made;
  const bool Doubtful = isDoubtful(Report);
  if (Report.IsInterrupted || (Doubtful && !Where.EvenDoubtful))
    return;
  const auto StampsOf = [&](const std::vector<std::string> &Files,
                            bool IsUsers) -> std::optional<json::Object> {
    json::Object Stamps;
    for (const std::string &Each : Files) {
      Stamps[Each] = stampOf(Each, IsUsers);
      struct stat Status;
      if (::stat(Each.c_str(), &Status) == 0 && timeOfChange(Status) >= Began)
        return std::nullopt;
    }
    return Stamps;
  };
  // What failed does not say what it has read.
  std::vector<std::string> OfUser =
      Report.Files.empty() ? std::vector{File} : Report.Files;
  llvm::append_range(OfUser, Report.OtherFiles);
  auto Users = StampsOf(OfUser, true);
  auto System = StampsOf(Report.SystemFiles, false);
  if (!Users || !System)
    return;
  std::string All;
  llvm::raw_string_ostream(All) << json::Value(json::Object{
      {"files", std::move(*Users)}, {"system", std::move(*System)}});
  const std::string Why =
      io::writeFile(fileOf(Name, Doubtful ? DoubtfulEnding : SoundEnding),
                    All + "\n" + writeReport(Report));
  if (!Why.empty() && Problem.empty()) {
    Problem = fmt::format("nothing is kept in '{}': {}", Where.Folder, Why);
    printNote(Problem); // and so it is with the others
  }
}

/// Those whose time of change is before \p Before, in seconds.
void ReportStore::remove(llvm::StringRef Ending, int64_t Before) const {
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator At(Where.Folder, Error), End;
       !Error && At != End; At.increment(Error)) {
    const llvm::StringRef Name = llvm::sys::path::filename(At->path());
    if (Name.size() != 64 + Ending.size() || !Name.ends_with(Ending) ||
        !llvm::all_of(Name.take_front(64), llvm::isHexDigit))
      continue; // not ours
    struct stat Status;
    if (::lstat(At->path().c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
        Status.st_mtime < Before)
      // What cannot be removed stays.
      if (llvm::sys::fs::remove(At->path()))
        continue;
  }
}

void ReportStore::removeOld() const {
  remove(SoundEnding, std::chrono::system_clock::to_time_t(
                          std::chrono::system_clock::now() - Month));
}

void ReportStore::removeDoubtful() const {
  remove(DoubtfulEnding, std::numeric_limits<int64_t>::max());
}

} // namespace warpwise::tool
