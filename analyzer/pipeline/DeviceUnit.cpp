//===- DeviceUnit.cpp - A file's kernels, ready to be analysed ------------===//

#include "analyzer/pipeline/DeviceUnit.h"

#include "analyzer/frontend/ParseBeside.h"
#include "analyzer/lowering/DevicePipeline.h"

#include "clang/AST/ASTConsumer.h"

namespace warpwise::pipeline {

/// A unit without its code.
static llvm::Expected<std::unique_ptr<DeviceUnit>>
makeUnit(const frontend::DeviceCommand &Command) {
  auto Unit = std::make_unique<DeviceUnit>();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> Machine =
      lowering::createTargetMachine(Command.AnalysedArch);
  if (!Machine)
    return Machine.takeError();
  Unit->Machine = std::move(*Machine);
  return std::move(Unit);
}

llvm::Expected<std::unique_ptr<DeviceUnit>>
openDeviceUnit(const frontend::DeviceCommand &Command,
               llvm::function_ref<void(clang::ASTContext &)> WithAst,
               frontend::Interruption *Stop) {
  auto Made = makeUnit(Command);
  if (!Made)
    return Made.takeError();
  DeviceUnit &Unit = **Made;
  llvm::Expected<frontend::ParseResult> Parsed = frontend::parseForDevice(
      Command, Unit.Context,
      [&](clang::ASTContext &Ast) {
        Unit.Files = frontend::openedFiles(Ast, Command);
        WithAst(Ast);
      },
      Stop);
  if (!Parsed)
    return Parsed.takeError();
  Unit.Parsed = std::move(*Parsed);
  return std::move(*Made);
}

llvm::Expected<std::unique_ptr<clang::ASTConsumer>>
openBeside(clang::CompilerInstance &Compiler,
           const frontend::DeviceCommand &Command,
           std::function<void(clang::ASTContext &)> WithAst,
           std::function<void(std::shared_ptr<DeviceUnit>)> Done) {
  auto Made = makeUnit(Command);
  if (!Made)
    return Made.takeError();
  // Both functions own it: the code generator needs its context to the end.
  const std::shared_ptr<DeviceUnit> Unit = std::move(*Made);
  return frontend::parseBeside(
      Compiler, Command.File, Unit->Context,
      [=, WithAst = std::move(WithAst)](clang::ASTContext &Ast) {
        Unit->Files = frontend::openedFiles(Ast, Command);
        WithAst(Ast);
      },
      [=, Done = std::move(Done)](frontend::ParseResult Parsed) {
        Unit->Parsed = std::move(Parsed);
        Done(Unit);
      });
}

} // namespace warpwise::pipeline
