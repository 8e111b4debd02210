//===- BrokenFunctions.cpp - Leaves out what does not compile -------------===//

#include "analyzer/frontend/BrokenFunctions.h"

#include "analyzer/frontend/InvalidUses.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace clang;

namespace warpwise::frontend {
namespace {

bool isDeviceFunction(const FunctionDecl &Function) {
  return Function.hasAttr<CUDADeviceAttr>() ||
         Function.hasAttr<CUDAGlobalAttr>();
}

/// The device functions and device variables of a translation unit, found by
/// their declarations alone: no body is entered.
class DeviceDeclarations {
public:
  explicit DeviceDeclarations(const ASTContext &Context) {
    collect(*Context.getTranslationUnitDecl());
  }

  std::vector<FunctionDecl *> Functions;
  std::vector<VarDecl *> Variables;

private:
  void collect(const DeclContext &Scope) {
    for (Decl *Declaration : Scope.decls())
      add(Declaration);
  }

  void add(Decl *Declaration) {
    if (auto *Function = dyn_cast<FunctionDecl>(Declaration)) {
      if (isDeviceFunction(*Function))
        Functions.push_back(Function);
    } else if (auto *Template = dyn_cast<FunctionTemplateDecl>(Declaration)) {
      addTemplate(*Template);
    } else if (auto *Class = dyn_cast<ClassTemplateDecl>(Declaration)) {
      if (Class->isCanonicalDecl())
        for (ClassTemplateSpecializationDecl *Special :
             Class->specializations())
          collect(*Special);
      collect(*Class->getTemplatedDecl());
    } else if (auto *Friend = dyn_cast<FriendDecl>(Declaration)) {
      if (NamedDecl *Befriended = Friend->getFriendDecl())
        add(Befriended);
    } else if (auto *Variable = dyn_cast<VarDecl>(Declaration)) {
      if (Variable->hasAttr<CUDADeviceAttr>() ||
          Variable->hasAttr<CUDAConstantAttr>() ||
          Variable->hasAttr<CUDASharedAttr>())
        Variables.push_back(Variable);
    } else if (isa<NamespaceDecl, LinkageSpecDecl, RecordDecl, ExportDecl>(
                   Declaration)) {
      collect(*cast<DeclContext>(Declaration));
    }
  }

  void addTemplate(const FunctionTemplateDecl &Template) {
    FunctionDecl *Pattern = Template.getTemplatedDecl();
    if (!isDeviceFunction(*Pattern))
      return;
    Functions.push_back(Pattern);
    if (Template.isCanonicalDecl())
      llvm::append_range(Functions, Template.specializations());
  }
};

/// Decides which functions are broken, by what, and removes them.
class Dropper {
public:
  Dropper(ASTContext &Context, const std::vector<CompileError> &Errors)
      : Context(Context), Sources(Context.getSourceManager()), Errors(Errors),
        Device(Context), Places(Sources, placesOf(Errors, /*All=*/true)),
        StrayPlaces(Sources, placesOf(Errors, /*All=*/false)) {}

  std::vector<DroppedFunction> run(std::vector<Problem> &HostErrors) {
    assignErrors(HostErrors);
    findInvalidUses();
    removeBrokenVariables();
    std::vector<DroppedFunction> Dropped;
    for (auto &[Function, Cause] : Broken) {
      if (isWorthNaming(*Function))
        Dropped.push_back(describe(*Function, Cause));
      removeBody(*Function);
    }
    llvm::sort(Dropped, [](const auto &Left, const auto &Right) {
      return std::tie(Left.Where, Left.Name, Left.Mangled) <
             std::tie(Right.Where, Right.Name, Right.Mangled);
    });
    return Dropped;
  }

private:
  /// Of all, or of those outside of functions.
  static std::vector<SourceLocation>
  placesOf(const std::vector<CompileError> &Errors, bool All) {
    std::vector<SourceLocation> Result;
    for (const CompileError &Error : Errors)
      if (All || Error.Owners.empty())
        Result.push_back(Error.Where);
    return Result;
  }

  void assignErrors(std::vector<Problem> &HostErrors) {
    // A function belongs to the first error in it, whether the compiler named
    // the function or not.
    std::vector<std::vector<const FunctionDecl *>> Around(Errors.size());
    for (const FunctionDecl *Function : Device.Functions)
      for (const unsigned N : Places.within(Function->getSourceRange()))
        if (Errors[N].Owners.empty())
          Around[N].push_back(Function);
    for (unsigned N = 0; N != Errors.size(); ++N) {
      for (const FunctionDecl *Owner : Errors[N].Owners)
        if (isDeviceFunction(*Owner))
          Around[N].push_back(Owner);
      for (const FunctionDecl *Function : Around[N])
        markBroken(*Function, problemOf(Errors[N]));
      if (Around[N].empty())
        HostErrors.push_back(problemOf(Errors[N]));
    }
  }

  void markBroken(const FunctionDecl &Function, Problem &&Cause) {
    Broken.try_emplace(&Function, std::move(Cause));
  }

  void findInvalidUses() {
    bool SystemIsSound =
        llvm::none_of(Errors, [this](const CompileError &Error) {
          return Error.Where.isValid() &&
                 Sources.isInSystemHeader(Sources.getExpansionLoc(Error.Where));
        });
    InvalidUses Uses(Context, StrayPlaces);
    llvm::SmallVector<const FunctionDecl *, 8> Work;
    for (const FunctionDecl *Function : llvm::reverse(Device.Functions)) {
      // What a sound system header defines cannot use anything of the user's,
      // unless it is a template.
      bool IsOwn = Function->isTemplateInstantiation() ||
                   !Sources.isInSystemHeader(Function->getLocation());
      if (Function->isThisDeclarationADefinition() && (IsOwn || !SystemIsSound))
        Work.push_back(Function);
    }
    llvm::SmallPtrSet<const FunctionDecl *, 32> Visited;
    while (!Work.empty()) {
      const FunctionDecl *Function = Work.pop_back_val();
      if (Visited.insert(Function).second && !Broken.contains(Function))
        check(*Function, Uses, Work);
    }
  }

  void check(const FunctionDecl &Function, InvalidUses &Uses,
             llvm::SmallVectorImpl<const FunctionDecl *> &Lambdas) {
    if (const FunctionDecl *Pattern =
            Function.getTemplateInstantiationPattern()) {
      if (auto Known = Broken.find(Pattern); Known != Broken.end()) {
        // Copied: marking may move what the iterator points to.
        Problem Cause = Known->second;
        markBroken(Function, std::move(Cause));
        return;
      }
    }
    if (Function.isTemplated() && !Function.isInvalidDecl())
      return;
    if (std::optional<InvalidUse> Use = Uses.findIn(Function, Lambdas))
      markBroken(Function, problemOf(*Use));
  }

  Problem problemOf(const CompileError &Error) const {
    return {placeOf(Error.Where, Sources), Error.Message};
  }

  /// The error behind \p Use: the one inside what it uses, if there is one.
  Problem problemOf(const InvalidUse &Use) const {
    SourceRange Culprit =
        Use.Used ? Use.Used->getSourceRange() : SourceRange(Use.Where);
    if (const std::vector<unsigned> Within = Places.within(Culprit);
        !Within.empty())
      return problemOf(Errors[Within.front()]);
    std::string Message = Use.Used
                              ? llvm::formatv("uses '{0}', which has an error",
                                              Use.Used->getNameAsString())
                                    .str()
                              : "contains an expression with an error";
    return {placeOf(Use.Where, Sources), std::move(Message)};
  }

  /// A broken variable stops being one of the device; its users are dropped.
  void removeBrokenVariables() {
    InvalidUses Uses(Context, StrayPlaces);
    for (VarDecl *Variable : Device.Variables) {
      if (!Variable->isTemplated() && Uses.isBroken(*Variable))
        Variable->dropAttrs<CUDADeviceAttr, CUDAConstantAttr, CUDASharedAttr,
                            HIPManagedAttr>();
    }
  }

  static void removeBody(const FunctionDecl &Function) {
    auto &Mutable = const_cast<FunctionDecl &>(Function);
    Mutable.setBody(nullptr);
    Mutable.setWillHaveBody(false);
    Mutable.setDefaulted(false);
  }

  /// Nobody wrote an implicit member. A template is named by its
  /// instantiations, when it has any.
  bool isWorthNaming(const FunctionDecl &Function) const {
    if (Function.isImplicit())
      return false;
    if (!Function.isTemplated())
      return true;
    return llvm::none_of(Broken, [&](const auto &Other) {
      return Other.first->getTemplateInstantiationPattern() == &Function;
    });
  }

  DroppedFunction describe(const FunctionDecl &Function,
                           const Problem &Cause) const {
    DroppedFunction Dropped;
    llvm::raw_string_ostream Name(Dropped.Name);
    Function.getNameForDiagnostic(Name, Context.getPrintingPolicy(),
                                  /*Qualified=*/true);
    Dropped.Mangled = mangledName(Function);
    Dropped.IsKernel = Function.hasAttr<CUDAGlobalAttr>();
    Dropped.Where = placeOf(Function.getLocation(), Sources);
    Dropped.Cause = Cause;
    return Dropped;
  }

  std::string mangledName(const FunctionDecl &Function) const {
    if (Function.isTemplated() || Function.getType()->containsErrors() ||
        Function.getReturnType()->isUndeducedType() ||
        isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
      return {};
    std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
    if (!Mangler->shouldMangleDeclName(&Function))
      return Function.getNameAsString();
    std::string Mangled;
    llvm::raw_string_ostream Stream(Mangled);
    Mangler->mangleName(Function.hasAttr<CUDAGlobalAttr>()
                            ? GlobalDecl(&Function, KernelReferenceKind::Kernel)
                            : GlobalDecl(&Function),
                        Stream);
    return Mangled;
  }

  ASTContext &Context;
  const SourceManager &Sources;
  const std::vector<CompileError> &Errors;
  DeviceDeclarations Device;
  const ErrorPlaces Places, StrayPlaces;
  llvm::MapVector<const FunctionDecl *, Problem> Broken;
};

} // namespace

std::vector<DroppedFunction>
dropBrokenFunctions(ASTContext &Context,
                    const std::vector<CompileError> &Errors,
                    std::vector<Problem> &HostErrors) {
  if (Errors.empty())
    return {};
  return Dropper(Context, Errors).run(HostErrors);
}

} // namespace warpwise::frontend
