//===- FileStamps.cpp - Whether files are what they were ------------------===//

#include "analyzer/tool/FileStamps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <sys/stat.h>

namespace warpwise::tool {

FileStamps::Stamp FileStamps::stampOf(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return {0, -1, 0};
  return {uint64_t(Status.st_size),
          int64_t(Status.st_mtim.tv_sec) * 1'000'000'000 +
              Status.st_mtim.tv_nsec,
          uint64_t(Status.st_ino)};
}

void FileStamps::add(llvm::StringRef Path) {
  Known.try_emplace(Path.str(), stampOf(Path.str()));
}

void FileStamps::addAbove(llvm::StringRef File,
                          std::initializer_list<llvm::StringRef> Names) {
  for (llvm::StringRef Folder = llvm::sys::path::parent_path(File);
       !Folder.empty(); Folder = llvm::sys::path::parent_path(Folder))
    for (const llvm::StringRef Name : Names) {
      llvm::SmallString<256> Path(Folder);
      llvm::sys::path::append(Path, Name);
      add(Path);
    }
}

bool FileStamps::hold() const {
  return llvm::all_of(
      Known, [](const auto &One) { return stampOf(One.first) == One.second; });
}

} // namespace warpwise::tool
