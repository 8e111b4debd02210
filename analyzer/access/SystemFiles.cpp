//===- SystemFiles.cpp - Which files are not the user's -------------------===//

#include "analyzer/access/SystemFiles.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpwise::access {

StringSet<> systemFiles(const clang::ASTContext &Context, StringRef Directory) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  StringSet<> Files;
  for (unsigned N = 0; N != Sources.local_sloc_entry_size(); ++N) {
    const clang::SrcMgr::SLocEntry &Entry = Sources.getLocalSLocEntry(N);
    if (!Entry.isFile() ||
        !clang::SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    const auto File = Entry.getFile().getContentCache().OrigEntry;
    if (!File)
      continue;
    SmallString<256> Path = File->getName();
    if (sys::path::is_relative(Path)) {
      Path = Directory;
      sys::path::append(Path, File->getName());
    }
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Files.insert(Path);
  }
  return Files;
}

} // namespace warpwise::access
