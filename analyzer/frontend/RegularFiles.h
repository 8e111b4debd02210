//===- RegularFiles.h - What Clang may read ---------------------*- C++ -*-===//
//
// An #include can name a pipe, on which Clang would wait for ever, or a device
// that never ends. The compiler sees only regular files of a size that source
// code has, and says of others why it cannot open them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_REGULARFILES_H
#define WARPWISE_ANALYZER_FRONTEND_REGULARFILES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace warpwise::frontend {

/// \p Base without what is neither a folder nor a regular file of at most
/// \p MaxBytes: opening such a file fails.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
regularFilesOnly(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
                 uint64_t MaxBytes = uint64_t(256) << 20);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_REGULARFILES_H
