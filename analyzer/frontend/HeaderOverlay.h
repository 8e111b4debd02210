//===- HeaderOverlay.h - CUDA headers that are missing ----------*- C++ -*-===//
//
// Headers that Warpwise brings along, as files in memory: shims for what a
// newer CUDA removed and Clang still asks for, a bridge for removed runtime
// APIs and texture references, and, without a toolkit, minimal CUDA headers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_HEADEROVERLAY_H
#define WARPWISE_ANALYZER_FRONTEND_HEADEROVERLAY_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace warpwise::frontend {

/// The root below which the headers appear in memory.
constexpr llvm::StringLiteral OverlayRoot = "/__warpwise__/include";

/// The headers that belong to \p Cuda with this build's Clang, laid over
/// \p Base.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
overlayHeaders(const Toolkit &Cuda,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base);

/// Clang driver flags that select the headers of \p Cuda: --cuda-path or
/// -nocudainc, include/cccl, the overlay below \p Root, the forced bridge
/// header, -Wno-unknown-cuda-version, -resource-dir.
std::vector<std::string> headerArguments(const Toolkit &Cuda,
                                         llvm::StringRef Root = OverlayRoot);

/// Writes the overlay's files for \p Cuda to the folder \p Name in \p Root,
/// for stock tools. No link in Root is followed.
llvm::Error writeHeaders(const Toolkit &Cuda, llvm::StringRef Root,
                         llvm::StringRef Name);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_HEADEROVERLAY_H
