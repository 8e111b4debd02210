//===- DeviceUnit.cpp - A file's kernels, ready to be analysed ------------===//

#include "analyzer/pipeline/DeviceUnit.h"

#include "analyzer/lowering/DevicePipeline.h"

namespace warpwise::pipeline {

llvm::Expected<std::unique_ptr<DeviceUnit>>
openDeviceUnit(const frontend::DeviceCommand &Command,
               llvm::function_ref<void(clang::ASTContext &)> WithAst) {
  auto Unit = std::make_unique<DeviceUnit>();
  llvm::Expected<frontend::ParseResult> Parsed = frontend::parseForDevice(
      Command, Unit->Context, [&](clang::ASTContext &Ast) {
        Unit->Files = frontend::openedFiles(Ast, Command);
        WithAst(Ast);
      });
  if (!Parsed)
    return Parsed.takeError();
  Unit->Parsed = std::move(*Parsed);
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> Machine =
      lowering::createTargetMachine(Command.AnalysedArch);
  if (!Machine)
    return Machine.takeError();
  Unit->Machine = std::move(*Machine);
  return std::move(Unit);
}

} // namespace warpwise::pipeline
