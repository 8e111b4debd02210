#include "analyzer/frontend/SourcePlaces.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace warpwise::frontend {

access::Place placeOf(clang::SourceLocation Location,
                      const clang::SourceManager &Sources) {
  clang::PresumedLoc Presumed =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Location));
  if (Presumed.isInvalid())
    return {};
  llvm::SmallString<128> Path(Presumed.getFilename());
  Sources.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return {Path.str().str(), Presumed.getLine(), Presumed.getColumn()};
}

} // namespace warpwise::frontend
