//===- SourceFiles.cpp ----------------------------------------------------===//

#include "analyzer/tool/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace warpwise::tool {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string normalize(llvm::StringRef Path, llvm::StringRef Folder) {
  llvm::SmallString<256> Result(Path);
  if (Folder.empty())
    fs::make_absolute(Result);
  else
    fs::make_absolute(Folder, Result);
  llvm::SmallString<256> Real;
  if (!fs::real_path(Result, Real))
    return Real.str().str();
  path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

bool isBelow(llvm::StringRef File, llvm::StringRef Folder) {
  return File.consume_front(Folder) &&
         (Folder.ends_with("/") || File.starts_with("/"));
}

bool isHostSource(llvm::StringRef File) {
  return llvm::is_contained({".cu", ".cpp", ".cc", ".cxx", ".c", ".c++"},
                            llvm::sys::path::extension(File).lower());
}

llvm::Error checkUsable(llvm::StringRef File) {
  auto CannotRead = [&](std::error_code Error) {
    return llvm::createStringError(
        fmt::format("cannot read '{}': {}", File.str(), Error.message()));
  };
  fs::file_status Status;
  if (std::error_code Error = fs::status(File, Status))
    return CannotRead(Error);
  if (!fs::is_regular_file(Status))
    return llvm::createStringError(
        fmt::format("'{}' is not a file", File.str()));
  if (Status.getSize() == 0)
    return llvm::createStringError(fmt::format("'{}' is empty", File.str()));
  llvm::Expected<fs::file_t> Handle = fs::openNativeFileForRead(File);
  if (!Handle)
    return CannotRead(llvm::errorToErrorCode(Handle.takeError()));
  fs::closeFile(*Handle);
  return llvm::Error::success();
}

llvm::Error cannotReadFolder(const std::string &Folder, std::error_code Error) {
  return llvm::createStringError(
      fmt::format("cannot read folder '{}': {}", Folder, Error.message()));
}

llvm::Expected<std::vector<std::string>>
findSources(const std::string &Folder) {
  std::vector<std::string> Sources, Headers;
  std::error_code Error;
  fs::recursive_directory_iterator Entry(Folder, Error,
                                         /*follow_symlinks=*/false);
  for (fs::recursive_directory_iterator End; !Error && Entry != End;
       Entry.increment(Error)) {
    llvm::StringRef Name = path::filename(Entry->path());
    // CMakeFiles holds the programs that CMake tries a compiler with.
    if (Name.starts_with(".") || Name == "CMakeFiles") {
      Entry.no_push();
    } else if (Entry->type() == fs::file_type::directory_file) {
      // The recursive iterator passes over a folder that it cannot read.
      fs::directory_iterator Readable(Entry->path(), Error);
      if (Error)
        return cannotReadFolder(Entry->path(), Error);
    } else {
      if (Name.ends_with(".cu"))
        Sources.push_back(normalize(Entry->path()));
      else if (Name.ends_with(".cuh"))
        Headers.push_back(normalize(Entry->path()));
    }
  }
  if (Error)
    return cannotReadFolder(Folder, Error);
  std::vector<std::string> &Result = Sources.empty() ? Headers : Sources;
  llvm::sort(Result);
  return std::move(Result);
}

std::optional<std::string> readSource(const std::string &Path) {
  return readSource(Path, nullptr);
}

std::optional<std::string> readSource(const std::string &Path,
                                      const frontend::EditedTexts &Edited,
                                      size_t MostBytes) {
  if (Edited)
    if (const auto At = Edited->find(Path); At != Edited->end())
      return At->second;
  auto Text = io::readFile(Path, MostBytes);
  return Text ? std::optional(std::move(*Text)) : std::nullopt;
}

std::function<std::optional<std::string>(const std::string &Path)>
readOpened(std::set<std::string> Opened, frontend::EditedTexts Edited) {
  return [Opened = std::move(Opened),
          Edited = std::move(Edited)](const std::string &Path) {
    return Opened.count(Path) ? readSource(Path, Edited) : std::nullopt;
  };
}

bool anyWord(llvm::StringRef Text,
             llvm::function_ref<bool(llvm::StringRef Word)> Wanted) {
  const auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (!(Text = Text.drop_until(IsWord)).empty()) {
    const llvm::StringRef Word = Text.take_while(IsWord);
    if (Wanted(Word))
      return true;
    Text = Text.drop_front(Word.size());
  }
  return false;
}

} // namespace warpwise::tool
