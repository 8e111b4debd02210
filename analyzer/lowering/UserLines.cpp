//===- UserLines.cpp - Accesses belong to the user's lines ----------------===//

#include "analyzer/lowering/UserLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpwise::lowering {

std::string pathOf(const DIFile *File) {
  if (!File)
    return {};
  SmallString<256> Path = File->getFilename();
  if (sys::path::is_relative(Path)) {
    Path = File->getDirectory();
    sys::path::append(Path, File->getFilename());
  }
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

void bookOnUserLines(Module &M, function_ref<bool(StringRef)> IsUsers) {
  DenseMap<const DIFile *, bool> Known;
  const auto isUsers = [&](const DIFile *File) {
    auto [Entry, New] = Known.try_emplace(File, false);
    if (New)
      Entry->second = IsUsers(pathOf(File));
    return Entry->second;
  };
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      const DILocation *At = I.getDebugLoc().get();
      while (At && At->getInlinedAt() &&
             (At->getLine() == 0 || !isUsers(At->getFile())))
        At = At->getInlinedAt();
      if (At != I.getDebugLoc().get())
        I.setDebugLoc(At);
    }
}

} // namespace warpwise::lowering
