//===- DefinedElsewhere.cpp - Device functions of other files -------------===//

#include "analyzer/pipeline/DefinedElsewhere.h"

#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

using namespace llvm;

namespace warpwise::pipeline {

/// Attribute of kernels, as their calls will be inlined.
constexpr StringLiteral CallsElsewhere = "warpwise-calls-elsewhere";

/// Each costs as much time as the unit's own front end.
constexpr unsigned MostUnits = 8;

namespace {

class Definitions {
public:
  Definitions(DeviceUnit &Unit, const frontend::DeviceCommand &Command,
              const RestOfProgram &Rest)
      : Unit(Unit), Command(Command), Rest(Rest), Code(*Unit.Parsed.Module),
        Library(std::make_unique<Module>(Command.File, Unit.Context)) {
    Library->setTargetTriple(Code.getTargetTriple());
    Library->setDataLayout(Code.getDataLayout());
  }

  /// False where nothing is missing, or nobody defines it.
  bool collect(std::vector<std::string> &Notes);
  void link();
  std::vector<std::string> takeFiles() { return std::move(Files); }

private:
  DeviceUnit &Unit;
  const frontend::DeviceCommand &Command;
  const RestOfProgram &Rest;
  Module &Code;
  std::unique_ptr<Module> Library;
  std::set<std::string> Read;
  std::vector<std::string> Files;

  std::vector<std::string> missing() const;
  bool linkFrom(frontend::DeviceCommand Other);
};

/// "merge" of "_Z5mergePKmS0_Pm". Empty for what the toolkit defines.
std::string nameInSource(const std::string &Symbol) {
  static const StringSet<> OfToolkit = {"vprintf", "malloc", "free"};
  ItaniumPartialDemangler Demangler; // points into the name
  if (Demangler.partialDemangle(Symbol.c_str()))
    return StringRef(Symbol).starts_with("__") ||
                   StringRef(Symbol).starts_with("cuda") ||
                   OfToolkit.contains(Symbol)
               ? ""
               : Symbol;
  char *Text = Demangler.getFunctionBaseName(nullptr, nullptr);
  std::string Name = Text ? Text : "";
  std::free(Text);
  return Name;
}

bool isStrong(const GlobalValue *G) {
  return G && !G->isDeclaration() && !G->hasLocalLinkage() &&
         !G->isWeakForLinker();
}

/// Leaves declarations in \p M of what \p Known defines, too. A compile
/// database may hold several programs with functions by the same names, and the
/// linker ends the process for those.
void leaveDefinitions(Module &M, const Module &Known) {
  const auto isKnown = [&](const GlobalObject &G) {
    return isStrong(&G) && isStrong(Known.getNamedValue(G.getName()));
  };
  for (Function &F : M)
    if (isKnown(F))
      F.deleteBody();
  for (GlobalVariable &V : M.globals())
    if (isKnown(V))
      V.setInitializer(nullptr);
}

} // namespace

/// Functions with an error in them are not missing: this unit defines them, and
/// says so.
std::vector<std::string> Definitions::missing() const {
  std::vector<std::string> Names;
  for (const Module *From : {&Code, Library.get()})
    for (const Function &F : *From) {
      const Function *Defined = Library->getFunction(F.getName());
      if (F.isDeclaration() && !F.use_empty() && !F.isIntrinsic() &&
          (!Defined || Defined->isDeclaration()) &&
          none_of(Unit.Parsed.Dropped, [&](const frontend::DroppedFunction &D) {
            return D.Mangled == F.getName();
          }))
        Names.push_back(F.getName().str());
    }
  return Names;
}

bool Definitions::linkFrom(frontend::DeviceCommand Other) {
  Other.AnalysedArch = Command.AnalysedArch;
  frontend::OpenedFiles Opened;
  auto Parsed = frontend::parseForDevice(
      Other, Unit.Context,
      [&](clang::ASTContext &Ast) {
        Opened = frontend::openedFiles(Ast, Other);
      },
      nullptr, frontend::CodeFor::OtherFiles);
  if (!Parsed) {
    // What is wrong with it is said where it is analysed itself.
    consumeError(Parsed.takeError());
    return false;
  }
  for (const auto &File : Opened.Users)
    Files.push_back(File.getKey().str());
  for (const auto &File : Opened.System)
    Unit.Files.System.insert(File.getKey());
  if (!Parsed->Module || none_of(missing(), [&](const std::string &Name) {
        const Function *F = Parsed->Module->getFunction(Name);
        return F && !F->isDeclaration();
      }))
    return false;
  for (Function *Kernel : lowering::kernelsOf(*Parsed->Module))
    Kernel->deleteBody();
  leaveDefinitions(*Parsed->Module, *Library);
  return !Linker::linkModules(*Library, std::move(Parsed->Module));
}

bool Definitions::collect(std::vector<std::string> &Notes) {
  for (bool More = true; More;) {
    More = false;
    StringSet<> Names;
    for (const std::string &Symbol : missing())
      if (std::string Name = nameInSource(Symbol); !Name.empty())
        Names.insert(Name);
    if (Names.empty())
      break;
    for (const frontend::DeviceCommand &Other : Rest.defining(Names)) {
      if (Read.size() == MostUnits || !Read.insert(Other.File).second ||
          !linkFrom(Other))
        continue;
      Notes.push_back(fmt::format("device functions of '{}' are read too",
                                  sys::path::filename(Other.File).str()));
      More = true;
    }
  }
  return !Library->empty();
}

/// Whether \p Kernel leads to a function of \p Names.
static bool leadsTo(const Function &Kernel, const StringSet<> &Names) {
  SmallVector<const Function *, 16> Pending = {&Kernel};
  SmallPtrSet<const Function *, 16> Seen;
  while (!Pending.empty()) {
    const Function *At = Pending.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    if (Names.contains(At->getName()))
      return true;
    for (const Instruction &I : instructions(*At))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          Pending.push_back(Callee);
  }
  return false;
}

void Definitions::link() {
  lowering::simplifyForLinking(*Library, *Unit.Machine);
  StringSet<> Names;
  for (const Function &F : *Library)
    if (isStrong(&F))
      Names.insert(F.getName());
  Linker::linkModules(Code, std::move(Library), Linker::Flags::LinkOnlyNeeded);
  for (Function *Kernel : lowering::kernelsOf(Code))
    if (leadsTo(*Kernel, Names))
      Kernel->addFnAttr(CallsElsewhere);
}

std::vector<std::string> linkDefinitions(DeviceUnit &Unit,
                                         const frontend::DeviceCommand &Command,
                                         const RestOfProgram &Rest,
                                         std::vector<std::string> &Notes) {
  if (!Unit.Parsed.Module)
    return {};
  Definitions All(Unit, Command, Rest);
  if (All.collect(Notes))
    All.link();
  return All.takeFiles();
}

bool callsElsewhere(const Function &Kernel) {
  return Kernel.hasFnAttribute(CallsElsewhere);
}

} // namespace warpwise::pipeline
