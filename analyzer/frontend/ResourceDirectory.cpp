//===- ResourceDirectory.cpp - Where Clang's own headers are --------------===//

#include "analyzer/frontend/EmbeddedHeaders.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

namespace warpwise::frontend {

std::string resourceDirectory() {
  if (llvm::sys::fs::is_directory(WARPWISE_CLANG_RESOURCE_DIR))
    return WARPWISE_CLANG_RESOURCE_DIR;
  // Moved to another machine: the headers lie beside the libraries, so look
  // from where a function of LLVM was loaded.
  Dl_info Library;
  if (!dladdr(reinterpret_cast<void *>(&llvm::outs), &Library) ||
      !Library.dli_fname)
    return WARPWISE_CLANG_RESOURCE_DIR;
  llvm::SmallString<128> Real;
  if (llvm::sys::fs::real_path(Library.dli_fname, Real))
    return WARPWISE_CLANG_RESOURCE_DIR;
  llvm::SmallString<128> Folder = llvm::sys::path::parent_path(Real);
  for (const char *Above : {"", "../lib", "llvm-19/lib"}) {
    llvm::SmallString<128> Candidate = Folder;
    llvm::sys::path::append(Candidate, Above, "clang",
                            std::to_string(LLVM_VERSION_MAJOR));
    if (llvm::sys::fs::is_directory(Candidate))
      return Candidate.str().str();
  }
  return WARPWISE_CLANG_RESOURCE_DIR;
}

} // namespace warpwise::frontend
