//===- LateCodeGeneration.cpp - Device code of a whole file ---------------===//

#include "analyzer/frontend/LateCodeGeneration.h"

#include "analyzer/frontend/BrokenFunctions.h"
#include "analyzer/frontend/ConstTables.h"
#include "analyzer/frontend/DeviceLaunches.h"
#include "analyzer/frontend/MathCalls.h"
#include "analyzer/frontend/TrustedCasts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace warpwise::frontend {

bool isStandardHostCode(const Decl &Declaration) {
  const FunctionDecl *Function = Declaration.getAsFunction();
  if (!Function || Function->hasAttr<CUDADeviceAttr>() ||
      Function->hasAttr<CUDAGlobalAttr>())
    return false;
  for (const DeclContext *In = Function->getDeclContext(); In;
       In = In->getParent())
    if (In->isStdNamespace())
      return true;
  return false;
}

/// Whether kernels can have to do with \p Declaration: without an attribute it
/// is the host's, but for textures, and what is used says so, but for names
/// that another declaration of theirs may be used by.
static bool concernsKernels(const Decl &Declaration, CodeFor Wanted) {
  const auto *Function = dyn_cast<FunctionDecl>(&Declaration);
  const auto *Variable = dyn_cast<VarDecl>(&Declaration);
  if (Variable && (Variable->getType()->isCUDADeviceBuiltinTextureType() ||
                   Variable->getType()->isCUDADeviceBuiltinSurfaceType()))
    return true;
  if (!Declaration.hasAttrs() ||
      (Function && !Function->isThisDeclarationADefinition()))
    return false;
  if (Wanted == CodeFor::OtherFiles && Function && !Function->isInlined() &&
      Function->hasAttr<CUDADeviceAttr>() && Function->isExternallyVisible())
    return true;
  return Declaration.isUsed() || Declaration.hasAttr<CUDAGlobalAttr>() ||
         Declaration.hasAttr<AsmLabelAttr>() ||
         (Function && Function->isExternC()) ||
         (Variable && Variable->isExternC());
}

/// cuda_fp16.h can make a __half2 of a __half2_raw and assign one, too. Clang
/// takes `Pair = {}` to be ambiguous then, as the standard has it; nvcc does
/// not. From its definition on an assignment that a constructor of the class
/// does as well is no candidate any more.
static void disableIfRepeated(CXXMethodDecl &Method) {
  ASTContext &Context = Method.getASTContext();
  if (Method.getOverloadedOperator() != OO_Equal || !Method.isOutOfLine() ||
      Method.isCopyAssignmentOperator() || Method.isMoveAssignmentOperator() ||
      Method.isInvalidDecl() || Method.isTemplated() ||
      !Context.getSourceManager().isInSystemHeader(Method.getLocation()))
    return;
  const QualType From = Method.getParamDecl(0)->getType();
  const bool IsRepeated = llvm::any_of(
      Method.getParent()->ctors(), [&](const CXXConstructorDecl *Constructor) {
        return Constructor->isConvertingConstructor(/*AllowExplicit=*/false) &&
               !Constructor->isDeleted() &&
               Constructor->getMinRequiredArguments() == 1 &&
               Context.hasSameType(Constructor->getParamDecl(0)->getType(),
                                   From);
      });
  if (IsRepeated && From.getNonReferenceType()->isRecordType())
    Method.addAttr(EnableIfAttr::CreateImplicit(
        Context,
        CXXBoolLiteralExpr::Create(Context, false, Context.BoolTy,
                                   Method.getLocation()),
        "a constructor does it"));
}

LateCodeGeneration::LateCodeGeneration(CompilerInstance &Compiler,
                                       StringRef Name,
                                       const CodeGenOptions &Options,
                                       ParseState &State)
    : Generator(CreateLLVMCodeGen(
          Compiler.getDiagnostics(), Name, &Compiler.getVirtualFileSystem(),
          Compiler.getHeaderSearchOpts(), Compiler.getPreprocessorOpts(),
          Options, State.Context)),
      Diagnostics(Compiler.getDiagnostics()), State(State) {}

void LateCodeGeneration::Initialize(ASTContext &Context) {
  Generator->Initialize(Context);
}

/// The length of "static constexpr bool IsActive[] = {Active...};" is known
/// once it is instantiated. Clang 19 does that too late for a constant of a
/// member template that takes an element, and says that the array has no bound.
static void instantiateUnboundedArrays(const TagDecl &Tag, Sema &Actions) {
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&Tag);
  if (!Class || Class->isDependentContext() || Class->isInvalidDecl())
    return;
  std::vector<VarDecl *> Arrays; // what is instantiated may add declarations
  for (Decl *Member : Class->decls())
    if (auto *Variable = dyn_cast<VarDecl>(Member);
        Variable && Variable->isConstexpr() && !Variable->isInvalidDecl() &&
        Variable->getType()->isIncompleteArrayType() &&
        Variable->getTemplateInstantiationPattern())
      Arrays.push_back(Variable);
  for (VarDecl *Variable : Arrays)
    Actions.InstantiateVariableDefinition(Variable->getLocation(), Variable);
}

void LateCodeGeneration::HandleTagDeclDefinition(TagDecl *Tag) {
  if (!Actions)
    return;
  State.Shared.completed(*Tag, *Actions);
  instantiateUnboundedArrays(*Tag, *Actions);
}

bool LateCodeGeneration::HandleTopLevelDecl(DeclGroupRef Group) {
  for (Decl *Declaration : Group)
    if (auto *Method = dyn_cast<CXXMethodDecl>(Declaration))
      disableIfRepeated(*Method);
  TopLevel.push_back(Group);
  return true;
}

void LateCodeGeneration::HandleInlineFunctionDefinition(
    FunctionDecl *Function) {
  InlineFunctions.push_back(Function);
}

void LateCodeGeneration::HandleCXXStaticMemberVarInstantiation(
    VarDecl *Variable) {
  StaticMembers.push_back(Variable);
}

bool LateCodeGeneration::shouldSkipFunctionBody(Decl *Declaration) {
  return isStandardHostCode(*Declaration);
}

void LateCodeGeneration::HandleVTable(CXXRecordDecl *Class) {
  VTables.push_back(Class);
}

void LateCodeGeneration::HandleTranslationUnit(ASTContext &Context) {
  const std::vector<CompileError> &Errors = State.Errors.errors();
  State.TryAgain = State.Shared.learn(Errors) && State.MayTryAgain;
  State.Shared.restore();
  if (State.TryAgain)
    return;
  State.WithAST(Context);
  State.Result.Dropped =
      dropBrokenFunctions(Context, Errors, State.Result.HostErrors);
  generate(Context);
  if (llvm::Module *Made = Generator->GetModule())
    moveConstTables(*Made, [&](const llvm::GlobalVariable &Variable) {
      const Decl *Declared =
          Generator->GetDeclForMangledName(Variable.getName());
      const auto *Says =
          Declared ? Declared->getAttr<CUDAConstantAttr>() : nullptr;
      return Says && !Says->isImplicit();
    });
  State.Result.Module.reset(Generator->ReleaseModule());
  if (State.Result.Module) {
    removeDeviceLaunches(*State.Result.Module);
    describeMathCalls(*State.Result.Module);
    if (Context.getLangOpts().GPURelocatableDeviceCode)
      State.Result.Module->addModuleFlag(llvm::Module::Max,
                                         "warpwise-relocatable", 1);
  }
}

void LateCodeGeneration::generate(Decl &Declaration) {
  if (Declaration.isInvalidDecl())
    return;
  if (isa<NamespaceDecl, LinkageSpecDecl>(Declaration)) {
    for (Decl *Inside : cast<DeclContext>(Declaration).decls())
      generate(*Inside);
    return;
  }
  // Most of what headers declare. Names of namespaces would be debug
  // information.
  if (isa<UsingDecl, UsingDirectiveDecl>(Declaration) ||
      (isa<FunctionDecl, VarDecl>(Declaration) &&
       !concernsKernels(Declaration, State.Wanted)))
    return;
  // Of classes what is static: types are taken in where code has to do with
  // them, and std::numeric_limits has 600 members that nobody asks for.
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Declaration);
      Class && !Class->isDependentContext()) {
    for (Decl *Inside : Class->decls())
      if (isa<VarDecl, CXXRecordDecl>(Inside))
        generate(*Inside);
    return;
  }
  if (auto *Function = dyn_cast<FunctionDecl>(&Declaration);
      Function && Function->doesThisDeclarationHaveABody())
    trustCasts(*Function);
  Generator->HandleTopLevelDecl(DeclGroupRef(&Declaration));
}

void LateCodeGeneration::generate(ASTContext &Context) {
  // The generator refuses to work after an error; those are dealt with now.
  Diagnostics.Reset(/*soft=*/true);
  for (FunctionDecl *Function : InlineFunctions)
    if (Function->doesThisDeclarationHaveABody() &&
        concernsKernels(*Function, State.Wanted)) {
      trustCasts(*Function);
      Generator->HandleInlineFunctionDefinition(Function);
    }
  for (DeclGroupRef Group : TopLevel)
    for (Decl *Declaration : Group)
      generate(*Declaration);
  for (VarDecl *Variable : StaticMembers)
    if (!Variable->isInvalidDecl())
      Generator->HandleCXXStaticMemberVarInstantiation(Variable);
  for (CXXRecordDecl *Class : VTables)
    if (!Class->isInvalidDecl())
      Generator->HandleVTable(Class);
  Diagnostics.Reset(/*soft=*/true);
  Generator->HandleTranslationUnit(Context);
}

} // namespace warpwise::frontend
