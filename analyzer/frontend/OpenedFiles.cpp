//===- OpenedFiles.cpp ----------------------------------------------------===//

#include "analyzer/frontend/OpenedFiles.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpwise::frontend {

/// The folder of the toolkit without links, ending in a slash; or empty.
static std::string toolkitFolder(const frontend::Toolkit &Cuda) {
  SmallString<256> Real;
  if (!Cuda.found() || sys::fs::real_path(Cuda.Path, Real))
    return {};
  return Real.str().str() + "/";
}

OpenedFiles openedFiles(const clang::ASTContext &Context,
                        const frontend::DeviceCommand &Command) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const std::string Toolkit = toolkitFolder(Command.Cuda);
  OpenedFiles Opened;
  for (unsigned N = 0; N != Sources.local_sloc_entry_size(); ++N) {
    const clang::SrcMgr::SLocEntry &Entry = Sources.getLocalSLocEntry(N);
    if (!Entry.isFile())
      continue;
    const auto File = Entry.getFile().getContentCache().OrigEntry;
    if (!File)
      continue;
    SmallString<256> Path = File->getName();
    if (sys::path::is_relative(Path)) {
      Path = Command.Directory;
      sys::path::append(Path, File->getName());
    }
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    const StringRef Real = File->getFileEntry().tryGetRealPathName();
    const bool IsSystem =
        clang::SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()) ||
        (!Toolkit.empty() && Real.starts_with(Toolkit));
    (IsSystem ? Opened.System : Opened.Users).insert(Path);
  }
  return Opened;
}

} // namespace warpwise::frontend
