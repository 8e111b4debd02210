//===- Paths.cpp - Paths as people read them ------------------------------===//

#include "analyzer/output/Paths.h"

#include "llvm/ADT/StringRef.h"

namespace warpwise::output {

std::string shortenPath(const std::string &Path, const std::string &Folder) {
  llvm::StringRef Rest = Path;
  if (Folder.empty() || !Rest.consume_front(Folder))
    return Path;
  if (!Folder.ends_with('/') && !Rest.consume_front("/"))
    return Path;
  return Rest.empty() ? Path : Rest.str();
}

} // namespace warpwise::output
