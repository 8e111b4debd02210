//===- IncludeScan.cpp ----------------------------------------------------===//

#include "analyzer/tool/IncludeScan.h"

#include "analyzer/tool/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warpwise::tool {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// A generated table is larger, and includes nothing.
constexpr size_t MostBytes = size_t(4) << 20;
/// Of one unit.
constexpr size_t MostFiles = 4096;

/// The folders that -I and its like name, and the files of -include, of a
/// command whose arguments the translation has put into canonical form.
static void readArguments(const frontend::DeviceCommand &Unit,
                          std::vector<std::string> &Search,
                          std::vector<std::string> &Forced) {
  for (size_t I = 0; I < Unit.Arguments.size(); ++I) {
    llvm::StringRef Word = Unit.Arguments[I];
    const auto take = [&](std::vector<std::string> &Into) {
      if (Word.empty() && I + 1 < Unit.Arguments.size())
        Word = Unit.Arguments[++I];
      Into.push_back(Word.str());
    };
    if (Word == "-include") {
      Word = "";
      take(Forced);
      continue;
    }
    for (llvm::StringRef Option : {"-iquote", "-isystem", "-idirafter", "-I"})
      if (Word.consume_front(Option)) {
        take(Search);
        break;
      }
  }
}

bool IncludeScan::isFile(const std::string &Path) {
  const auto [At, New] = Exists.try_emplace(Path, false);
  if (New)
    At->second = fs::is_regular_file(Path);
  return At->second;
}

/// The included file, or empty when it is not there.
std::string IncludeScan::resolve(const Include &I, llvm::StringRef Folder,
                                 const std::vector<std::string> &Search) {
  if (path::is_absolute(I.Name))
    return isFile(I.Name) ? I.Name : "";
  const auto in = [&](llvm::StringRef Where) {
    llvm::SmallString<256> Path(Where);
    path::append(Path, I.Name);
    return isFile(Path.str().str()) ? Path.str().str() : "";
  };
  if (I.Quoted)
    if (std::string Found = in(Folder); !Found.empty())
      return Found;
  for (const std::string &Where : Search)
    if (std::string Found = in(Where); !Found.empty())
      return Found;
  return "";
}

const std::vector<IncludeScan::Include> &
IncludeScan::includesIn(const std::string &File,
                        const frontend::EditedTexts &Edited) {
  const auto [At, New] = Texts.try_emplace(File);
  std::vector<Include> &Found = At->second;
  if (!New)
    return Found;
  const auto Text = readSource(File, Edited, MostBytes);
  if (!Text)
    return Found;
  llvm::StringRef Rest = *Text;
  while (!Rest.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim()).consume_front("include"))
      continue;
    Line = Line.ltrim();
    const bool Quoted = Line.starts_with("\"");
    if (!Quoted && !Line.starts_with("<"))
      continue;
    Line = Line.drop_front();
    Found.push_back(
        {Line.take_until([&](char C) { return C == (Quoted ? '"' : '>'); })
             .str(),
         Quoted});
  }
  return Found;
}

const std::vector<std::string> &
IncludeScan::includedBy(const frontend::DeviceCommand &Unit) {
  std::string Key = Unit.Directory;
  for (const std::string &Word : Unit.Arguments)
    Key += '\0' + Word;
  const auto [At, New] = Units.try_emplace(Key);
  std::vector<std::string> &Found = At->second;
  if (!New)
    return Found;
  std::vector<std::string> Search, Forced;
  readArguments(Unit, Search, Forced);
  for (std::string &Folder : Search)
    Folder = normalize(Folder, Unit.Directory);
  llvm::StringSet<> Seen;
  std::vector<std::string> Left = {normalize(Unit.File)};
  Seen.insert(Left.front());
  const auto add = [&](const std::string &Path) {
    const std::string File = Path.empty() ? "" : normalize(Path);
    if (File.empty() || !Seen.insert(File).second)
      return;
    Found.push_back(File);
    Left.push_back(File);
  };
  for (const std::string &Name : Forced)
    add(resolve({Name, true}, Unit.Directory, Search));
  while (!Left.empty() && Found.size() < MostFiles) {
    const std::string File = std::move(Left.back());
    Left.pop_back();
    const std::string Folder = path::parent_path(File).str();
    for (const Include &I : includesIn(File, Unit.Edited))
      add(resolve(I, Folder, Search));
  }
  llvm::sort(Found);
  return Found;
}

bool IncludeScan::includes(const frontend::DeviceCommand &Unit,
                           llvm::StringRef File) {
  const std::vector<std::string> &All = includedBy(Unit);
  return std::binary_search(All.begin(), All.end(), File);
}

} // namespace warpwise::tool
