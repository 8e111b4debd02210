//===- DeviceInvocation.h - Arguments to Clang's device job -----*- C++ -*-===//
//
// Asks Clang's driver, in this process, what the device compilation of a
// command is, and takes everything out of it that would write files, load
// plugins or run programs. Opening a hostile checkout has to be safe.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_DEVICEINVOCATION_H
#define WARPWISE_ANALYZER_FRONTEND_DEVICEINVOCATION_H

#include "analyzer/frontend/CompileCommands.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace warpwise::frontend {

/// Code with every access of the source, that can be inlined and located, and
/// without anything from files that a command names.
void setUpCodeGeneration(clang::CodeGenOptions &CodeGen);

/// The device-side invocation for \p Command, set up to emit IR for analysis;
/// null when Clang cannot make one, with the reason in \p Diagnostics.
std::shared_ptr<clang::CompilerInvocation>
deviceInvocation(const DeviceCommand &Command,
                 llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Diagnostics,
                 llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_DEVICEINVOCATION_H
