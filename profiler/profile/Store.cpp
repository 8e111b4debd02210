//===- Store.cpp - Which profiles there are, and which is meant -----------===//
//
// The user's folder comes before the built-in profiles everywhere: what was
// measured on this machine's GPU is better than what papers say about others.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/BuiltinProfiles.h"
#include "profiler/profile/Profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <tuple>

using namespace warpwise;
using namespace warpwise::profile;
using io::Expected;
using io::Failure;
namespace fs = std::filesystem;

namespace {

/// A profile that could be meant.
struct Candidate {
  std::string Name;
  bool User;

  Expected<Profile> load() const {
    if (User)
      return read((fs::path(userFolder()) / (Name + ".json")).string());
    if (auto Known = builtin(Name))
      return std::move(*Known);
    return Failure{fmt::format("there is no built-in '{}'", Name)};
  }
};

std::vector<Candidate> candidates(bool User) {
  std::vector<Candidate> Result;
  for (std::string &Name : User ? userNames() : builtinNames())
    Result.push_back({std::move(Name), User});
  return Result;
}

/// For comparing names: "NVIDIA H100 PCIe" and "nvidia-h100-pcie" are equal.
std::string folded(std::string_view Text) {
  std::string Result;
  for (char C : Text)
    Result +=
        C == '-' || C == '_'
            ? ' '
            : static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  return Result;
}

bool hasPart(const Candidate &C, const std::string &Part) {
  if (folded(C.Name).find(Part) != std::string::npos)
    return true;
  // A broken file of another name is no reason to fail here.
  Expected<Profile> Loaded = C.load();
  return Loaded && folded(Loaded->Gpu).find(Part) != std::string::npos;
}

std::string listing() {
  std::string Text =
      fmt::format("built in are {}", fmt::join(builtinNames(), ", "));
  if (auto Names = userNames(); !Names.empty())
    Text += fmt::format("; {} has {}", userFolder(), fmt::join(Names, ", "));
  return Text;
}

Expected<Profile> ambiguous(std::string_view Text,
                            const std::vector<Candidate> &Matches) {
  std::vector<std::string_view> Names;
  for (const Candidate &Each : Matches)
    Names.push_back(Each.Name);
  return Failure{fmt::format("'{}' could be any of these profiles: {}", Text,
                             fmt::join(Names, ", "))};
}

/// 90 for "sm_90a", 0 for what is no architecture.
unsigned architectureNumber(std::string_view Text) {
  unsigned Number = 0;
  if (size_t Bar = Text.find('_'); Bar != Text.npos)
    std::from_chars(Text.data() + Bar + 1, Text.data() + Text.size(), Number);
  return Number;
}

/// The better of two profiles for one architecture: measured rather than
/// copied from papers. Names decide the rest, so that the choice is stable.
/// In the user's folder only a measured profile speaks for this machine.
std::optional<Profile> bestOfUsers(unsigned Architecture) {
  const auto quality = [](const Profile &P) {
    const auto Measured = std::count_if(
        P.Quantities.begin(), P.Quantities.end(),
        [](const auto &Each) { return Each.second.State == Status::Measured; });
    return std::tuple(Measured, P.Name);
  };
  std::optional<Profile> Best;
  for (const Candidate &Each : candidates(/*User=*/true)) {
    Expected<Profile> Loaded = Each.load();
    if (Loaded && architectureNumber(Loaded->Architecture) == Architecture &&
        std::get<0>(quality(*Loaded)) > 0 &&
        (!Best || quality(*Best) < quality(*Loaded)))
      Best = std::move(*Loaded);
  }
  return Best;
}

/// The same of the built-in ones.
std::optional<Profile> bestBuiltin(unsigned Architecture) {
  const auto quality = [](const BuiltinProfile &P) {
    return std::tuple(P.isMeasured(), P.Name);
  };
  const BuiltinProfile *Best = nullptr;
  for (const BuiltinProfile &Each : builtinProfiles())
    if (architectureNumber(Each.Architecture) == Architecture &&
        (!Best || quality(*Best) < quality(Each)))
      Best = &Each;
  return Best ? std::optional(Best->unpack()) : std::nullopt;
}

unsigned newestArchitecture() {
  unsigned Newest = 0;
  for (const BuiltinProfile &Each : builtinProfiles())
    Newest = std::max(Newest, architectureNumber(Each.Architecture));
  return Newest;
}

} // namespace

std::vector<std::string> profile::builtinNames() {
  std::vector<std::string> Names;
  for (const BuiltinProfile &Each : builtinProfiles())
    Names.emplace_back(Each.Name);
  return Names;
}

std::optional<Profile> profile::builtin(std::string_view Name) {
  for (const BuiltinProfile &Each : builtinProfiles())
    if (Each.Name == Name)
      return Each.unpack();
  return std::nullopt;
}

std::string profile::userFolder() {
  const char *Data = std::getenv("XDG_DATA_HOME");
  // The XDG base directory specification has relative paths ignored.
  if (Data && Data[0] == '/')
    return (fs::path(Data) / "warpwise" / "profiles").string();
  const char *Home = std::getenv("HOME");
  if (!Home || !*Home)
    return "";
  return (fs::path(Home) / ".local" / "share" / "warpwise" / "profiles")
      .string();
}

std::vector<std::string> profile::userNames() {
  std::vector<std::string> Names;
  std::error_code Error;
  fs::directory_iterator Entry(userFolder(), Error), End;
  for (; !Error && Entry != End; Entry.increment(Error))
    if (Entry->path().extension() == ".json")
      Names.push_back(Entry->path().stem().string());
  std::sort(Names.begin(), Names.end());
  return Names;
}

Expected<Profile> profile::find(std::string_view Text) {
  std::string Path(Text);
  std::error_code Error;
  if (Text.find('/') != Text.npos || Text.ends_with(".json"))
    return read(Path);

  std::string Wanted = folded(Text);
  if (Wanted.find_first_not_of(' ') == Wanted.npos)
    return Failure{fmt::format("no GPU or profile is named; {}", listing())};
  for (bool User : {true, false})
    for (const Candidate &Each : candidates(User))
      if (folded(Each.Name) == Wanted)
        return Each.load();

  for (bool User : {true, false}) {
    std::vector<Candidate> Matches;
    for (const Candidate &Each : candidates(User))
      if (hasPart(Each, Wanted))
        Matches.push_back(Each);
    // "h100" is nvidia-h100, not nvidia-h100-pcie.
    const auto Ends = std::partition(
        Matches.begin(), Matches.end(), [&](const Candidate &Each) {
          return folded(Each.Name).ends_with(" " + Wanted);
        });
    if (Matches.size() == 1 || Ends - Matches.begin() == 1)
      return Matches.front().load();
    if (Matches.size() > 1)
      return ambiguous(Text, Matches);
  }
  if (fs::is_regular_file(Path, Error))
    return read(Path);
  return Failure{fmt::format("no profile for '{}'; {}", Text, listing())};
}

Profile profile::forArchitecture(std::string_view Architecture) {
  unsigned Wanted = architectureNumber(Architecture);
  if (auto Own = bestOfUsers(Wanted))
    return std::move(*Own);
  if (auto Exact = bestBuiltin(Wanted))
    return std::move(*Exact);
  // The build sees to it that there is a valid built-in profile.
  return bestBuiltin(newestArchitecture()).value_or(Profile());
}
