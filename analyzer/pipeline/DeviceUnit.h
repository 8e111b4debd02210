//===- DeviceUnit.h - A file's kernels, to be analysed ----------*- C++ -*-===//
//
// The way from a compile command to device IR: where `accesses` and `check`,
// which evaluate it, and `reuse`, which traces it, begin.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_DEVICEUNIT_H
#define WARPWISE_ANALYZER_PIPELINE_DEVICEUNIT_H

#include "analyzer/frontend/OpenedFiles.h"
#include "analyzer/frontend/TranslationUnit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace warpwise::pipeline {

struct DeviceUnit {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> Machine;
  /// Its module is null when the file has no device code that compiles.
  frontend::ParseResult Parsed;
  frontend::OpenedFiles Files;
};

/// Parses the file of \p Command and shows its AST to \p WithAst. The module is
/// as Clang makes it: lowering::inlineIntoKernels comes next. The error is one
/// sentence. \p Stop may be null.
llvm::Expected<std::unique_ptr<DeviceUnit>>
openDeviceUnit(const frontend::DeviceCommand &Command,
               llvm::function_ref<void(clang::ASTContext &)> WithAst,
               frontend::Interruption *Stop = nullptr);

/// The same of what another tool parses, as frontend::parseBeside() has it.
/// What \p Done gets must not be used once the consumer is gone. The error is
/// one sentence.
llvm::Expected<std::unique_ptr<clang::ASTConsumer>>
openBeside(clang::CompilerInstance &Compiler,
           const frontend::DeviceCommand &Command,
           std::function<void(clang::ASTContext &)> WithAst,
           std::function<void(std::shared_ptr<DeviceUnit>)> Done);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_DEVICEUNIT_H
