//===- ParseBeside.h - Device code from another tool's parse ----*- C++ -*-===//
//
// A tool that parses a file anyway, like clang-tidy, need not have it parsed
// twice.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_PARSEBESIDE_H
#define WARPWISE_ANALYZER_FRONTEND_PARSEBESIDE_H

#include "analyzer/frontend/CompileCommands.h"
#include "analyzer/frontend/TranslationUnit.h"

#include <functional>
#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace warpwise::frontend {

/// What there is to know of a device pass that another tool runs; nothing when
/// \p Compiler is not set up for one.
std::optional<DeviceCommand> commandOf(clang::CompilerInstance &Compiler,
                                       llvm::StringRef File);

/// A consumer to run beside the tool's own ones. It does what parseForDevice()
/// does, with the tool's flags and one parse: objects that Clang alone cannot
/// make stay errors. \p Done gets the result when the file has been read; what
/// \p WithAST owns lives as long as the consumer, and so must \p Context. The
/// tool still hears of every error.
std::unique_ptr<clang::ASTConsumer>
parseBeside(clang::CompilerInstance &Compiler, llvm::StringRef File,
            llvm::LLVMContext &Context,
            std::function<void(clang::ASTContext &)> WithAST,
            std::function<void(ParseResult)> Done);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_PARSEBESIDE_H
