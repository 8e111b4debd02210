//===- LateCodeGeneration.h - Device code of a whole file -------*- C++ -*-===//
//
// What listens to every parse for the device, whoever runs the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_LATECODEGENERATION_H
#define WARPWISE_ANALYZER_FRONTEND_LATECODEGENERATION_H

#include "analyzer/frontend/ErrorCollector.h"
#include "analyzer/frontend/SharedObjects.h"
#include "analyzer/frontend/TranslationUnit.h"

#include "clang/AST/DeclGroup.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Sema/SemaConsumer.h"

#include <memory>
#include <vector>

namespace clang {
class CodeGenOptions;
class CompilerInstance;
} // namespace clang

namespace warpwise::frontend {

/// What one parse works on and fills.
struct ParseState {
  llvm::LLVMContext &Context;
  llvm::function_ref<void(clang::ASTContext &)> WithAST;
  SharedObjects &Shared;
  ErrorCollector Errors;
  ParseResult Result;
  /// There can be another parse.
  bool MayTryAgain = true;
  CodeFor Wanted = CodeFor::Kernels;
  /// The parse taught Shared something; another one will get further.
  bool TryAgain = false;
};

/// Whether \p Declaration is host code of the standard library, whose bodies
/// nobody looks into. Reading them is up to a quarter of a parse. What is
/// constexpr Clang keeps in any case; so the walk to a launch still leads
/// through algorithms (C++20's std::for_each).
bool isStandardHostCode(const clang::Decl &Declaration);

/// Generates code only once all errors are known. Clang's own order, code
/// after each declaration, would have emitted a kernel before the error that
/// makes it meaningless (a call of a host function is found last of all).
class LateCodeGeneration : public clang::SemaConsumer {
public:
  /// For the file \p Name that \p Compiler parses. \p Options have to live as
  /// long.
  LateCodeGeneration(clang::CompilerInstance &Compiler, llvm::StringRef Name,
                     const clang::CodeGenOptions &Options, ParseState &State);

  void InitializeSema(clang::Sema &S) override { Actions = &S; }
  void ForgetSema() override { Actions = nullptr; }
  void Initialize(clang::ASTContext &Context) override;
  void HandleTagDeclDefinition(clang::TagDecl *Tag) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *Function) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *Variable) override;
  bool shouldSkipFunctionBody(clang::Decl *Declaration) override;
  void HandleVTable(clang::CXXRecordDecl *Class) override;
  void HandleTranslationUnit(clang::ASTContext &Context) override;

private:
  void generate(clang::ASTContext &Context);
  void generate(clang::Decl &Declaration);

  std::unique_ptr<clang::CodeGenerator> Generator;
  clang::DiagnosticsEngine &Diagnostics;
  ParseState &State;
  clang::Sema *Actions = nullptr;

  std::vector<clang::DeclGroupRef> TopLevel;
  std::vector<clang::FunctionDecl *> InlineFunctions;
  std::vector<clang::VarDecl *> StaticMembers;
  std::vector<clang::CXXRecordDecl *> VTables;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_LATECODEGENERATION_H
