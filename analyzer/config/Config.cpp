//===- Config.cpp - .warpwise ---------------------------------------------===//

#include "analyzer/config/Config.h"

#include "profiler/io/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::config {

using OptionMap = std::map<std::string, std::string>;

/// Larger ones, and lines that nest deeper, are none: LLVM's parser calls
/// itself for each level.
static constexpr size_t MostBytes = 16384;
static constexpr size_t MostLevels = 16;

} // namespace warpwise::config

LLVM_YAML_IS_STRING_MAP(std::string)

namespace llvm::yaml {

template <> struct MappingTraits<warpwise::config::Config> {
  static void mapping(IO &Io, warpwise::config::Config &C) {
    Io.mapOptional("Checks", C.Checks);
    Io.mapOptional("Gpu", C.Gpu);
    Io.mapOptional("FailOn", C.FailOn);
    Io.mapOptional("HeaderFilter", C.HeaderFilter);
    Io.mapOptional("Exclude", C.Exclude);
    Io.mapOptional("InheritParentConfig", C.InheritParentConfig, false);
    Io.mapOptional("CheckOptions", C.Options);
  }
};

} // namespace llvm::yaml

namespace warpwise::config {

using llvm::StringRef;

static constexpr StringRef Keys[] = {"Checks",      "Gpu",
                                     "FailOn",      "HeaderFilter",
                                     "Exclude",     "InheritParentConfig",
                                     "CheckOptions"};

/// Options of no rule in particular.
static constexpr StringRef Globals[] = {"MinGain", "BlockDim", "Arguments"};

/// "; did you mean 'MinGain'?" for the nearest of \p Names, or nothing.
static std::string suggest(StringRef Wrong,
                           const std::vector<std::string> &Names) {
  const std::string *Nearest = nullptr;
  unsigned Least = unsigned(Wrong.size()) / 2 + 1; // farther is another word
  for (const std::string &Name : Names)
    if (const unsigned Distance =
            StringRef(Name).edit_distance_insensitive(Wrong);
        Distance < Least) {
      Least = Distance;
      Nearest = &Name;
    }
  return Nearest ? fmt::format("; did you mean '{}'?", *Nearest) : "";
}

static bool isFactor(StringRef Text) {
  double Value = 0;
  return !Text.getAsDouble(Value) && std::isfinite(Value) && Value >= 0;
}

/// What is wrong with an option, or nothing.
static std::string checkOption(StringRef Name, StringRef Value,
                               llvm::ArrayRef<std::string_view> Rules) {
  const auto [Rule, Own] = Name.rsplit('.');
  const bool IsGlobal = llvm::is_contained(Globals, Name);
  const bool IsOfRule =
      Own == "MinGain" &&
      llvm::is_contained(Rules, std::string_view(Rule.data(), Rule.size()));
  if (!IsGlobal && !IsOfRule) {
    std::vector<std::string> Names;
    for (const StringRef Global : Globals)
      Names.push_back(Global.str());
    for (const std::string_view Known : Rules)
      Names.push_back(std::string(Known) + ".MinGain");
    return fmt::format("unknown option '{}'{}", Name.str(),
                       suggest(Name, Names));
  }
  if (Name.ends_with("MinGain") && !isFactor(Value))
    return fmt::format("'{}: {}': expected a factor such as 1.05", Name.str(),
                       Value.str());
  return {};
}

/// A name of a profile, not a path to one.
static bool isName(StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '-' || C == '_';
  });
}

/// Why LLVM's parser is not let loose on \p Text, or nothing.
static std::string tooMuch(StringRef Text) {
  if (Text.size() > MostBytes)
    return fmt::format("it is larger than {} bytes", MostBytes);
  size_t Open = 0;
  llvm::SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    size_t Levels = 0; // "- - - x", "? ? x", "a: b: x"
    for (const char C : Line) {
      Open += C == '[' || C == '{';
      Open -= Open > 0 && (C == ']' || C == '}');
      Levels += C == '-' || C == '?' || C == ':';
      if (Open > MostLevels)
        return "it nests too deeply";
    }
    const StringRef Start = Line.ltrim();
    if (Levels > MostLevels &&
        (Start.starts_with("- -") || Start.starts_with("? ?")))
      return "it nests too deeply";
  }
  return {};
}

llvm::Expected<Config> parse(StringRef Text, StringRef File,
                             llvm::ArrayRef<std::string_view> Rules) {
  const auto Wrong = [&](const std::string &Why) {
    return llvm::createStringError(fmt::format("'{}': {}", File.str(), Why));
  };
  if (const std::string Why = tooMuch(Text); !Why.empty())
    return Wrong(Why);
  struct Complaint {
    std::string Message;
    int Line = 0;
  } First;
  llvm::yaml::Input Yaml(
      Text, /*Ctxt=*/nullptr,
      [](const llvm::SMDiagnostic &D, void *Into) {
        auto &Said = *static_cast<Complaint *>(Into);
        if (Said.Message.empty())
          Said = {D.getMessage().str(), D.getLineNo()};
      },
      &First);
  Config Result;
  Yaml >> Result;
  if (Yaml.error()) {
    std::string Why = First.Message.empty() ? "it is no YAML" : First.Message;
    StringRef Name = Why;
    if (Name.consume_front("unknown key '") && Name.consume_back("'")) {
      std::vector<std::string> Names;
      for (const StringRef Key : Keys)
        Names.push_back(Key.str());
      Why += suggest(Name, Names);
    }
    return llvm::createStringError(
        fmt::format("{}:{}: {}", File.str(), First.Line, Why));
  }
  for (const auto &[Name, Value] : Result.Options)
    if (const std::string Why = checkOption(Name, Value, Rules); !Why.empty())
      return Wrong(Why);
  if (Result.Gpu && !isName(*Result.Gpu))
    return Wrong(fmt::format("'Gpu: {}' is no name of a profile", *Result.Gpu));
  return Result;
}

std::optional<double> Config::minGain(StringRef Rule) const {
  for (const std::string &Name :
       {Rule.str() + ".MinGain", std::string("MinGain")}) {
    double Value = 0;
    const auto At = Options.find(Name);
    if (At != Options.end() && !StringRef(At->second).getAsDouble(Value))
      return Value;
  }
  return std::nullopt;
}

std::vector<std::string> Config::list(StringRef Name) const {
  std::vector<std::string> Parts;
  const auto At = Options.find(Name.str());
  if (At == Options.end())
    return Parts;
  llvm::SmallVector<StringRef> Texts;
  StringRef(At->second).split(Texts, ',');
  for (const StringRef Part : Texts)
    if (!Part.trim().empty())
      Parts.push_back(Part.trim().str());
  return Parts;
}

std::string dump(const Config &C) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Config Copy = C;
  Yaml << Copy;
  return Text;
}

/// \p Own over what stands above it.
static Config inherit(Config Own, const Config &Above) {
  if (Above.Checks)
    Own.Checks = *Above.Checks + (Own.Checks ? "," + *Own.Checks : "");
  if (!Own.Gpu)
    Own.Gpu = Above.Gpu;
  if (!Own.FailOn)
    Own.FailOn = Above.FailOn;
  if (!Own.HeaderFilter)
    Own.HeaderFilter = Above.HeaderFilter;
  Own.Exclude.insert(Own.Exclude.begin(), Above.Exclude.begin(),
                     Above.Exclude.end());
  Own.Options.insert(Above.Options.begin(), Above.Options.end());
  return Own;
}

llvm::Expected<Config> Files::of(StringRef Folder) {
  if (const auto At = Known.find(Folder.str()); At != Known.end())
    return At->second;
  llvm::Expected<Config> Found = find(Folder);
  if (Found)
    Known[Folder.str()] = *Found;
  return Found;
}

llvm::Expected<Config> Files::find(StringRef Folder) {
  const StringRef Parent = llvm::sys::path::parent_path(Folder);
  const bool IsTop = Parent.empty() || Parent == Folder;
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, FileName);
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Path, Status, /*follow=*/false))
    return IsTop ? llvm::Expected<Config>(Config()) : of(Parent);
  // What it leads to is not the project's to have quoted in messages.
  if (llvm::sys::fs::is_symlink_file(Status))
    return llvm::createStringError(
        fmt::format("cannot read '{}': it is a link", Path.str().str()));
  const auto Text = io::readFile(Path.str().str(), MostBytes);
  if (!Text)
    return llvm::createStringError(
        fmt::format("cannot read '{}': {}", Path.str().str(), Text.reason()));
  Read.push_back(Path.str().str());
  auto Own = parse(*Text, Path, Rules);
  if (!Own || !Own->InheritParentConfig || IsTop)
    return Own;
  auto Above = of(Parent);
  return Above ? inherit(std::move(*Own), *Above) : std::move(Above);
}

} // namespace warpwise::config
