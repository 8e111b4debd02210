//===- DebugNames.cpp - From IR back to the source ------------------------===//

#include "analyzer/pipeline/DebugNames.h"

#include "analyzer/lowering/UserLines.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpwise::access;
using warpwise::lowering::pathOf;

namespace warpwise::pipeline {
namespace {

/// Follows pointers, references, arrays and qualifiers to the element.
std::string elementName(const DIType *T) {
  for (unsigned Depth = 0; T && Depth != 16; ++Depth) {
    if (auto *Array = dyn_cast<DICompositeType>(T);
        Array && Array->getTag() == dwarf::DW_TAG_array_type) {
      T = Array->getBaseType();
      continue;
    }
    auto *Derived = dyn_cast<DIDerivedType>(T);
    if (!Derived)
      return T->getName().str();
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
      T = Derived->getBaseType();
      continue;
    default:
      return Derived->getName().str();
    }
  }
  return {};
}

} // namespace

DebugNames::DebugNames(const Module &Raw, StringSet<> Files,
                       std::map<Place, Place> MovedPlaces)
    : SystemFiles(std::move(Files)), Moved(std::move(MovedPlaces)) {
  // Names of arguments are read before any pass, while each still has its
  // declaration.
  for (const Function &F : Raw) {
    const DISubprogram *Program = F.getSubprogram();
    if (F.isDeclaration() || !Program)
      continue;
    std::vector<Named> &Names = Arguments[&F];
    Names.resize(F.arg_size());
    for (const DINode *Node : Program->getRetainedNodes())
      if (auto *Variable = dyn_cast<DILocalVariable>(Node);
          Variable && Variable->getArg() && Variable->getArg() <= Names.size())
        Names[Variable->getArg() - 1] = {Variable->getName().str(),
                                         elementName(Variable->getType())};
  }
}

bool DebugNames::isUsers(StringRef Path) const {
  return !Path.empty() && !SystemFiles.contains(Path);
}

Place DebugNames::placeOf(const DILocation *Location) const {
  Access A;
  locate(Location, A);
  return A.Where;
}

Place DebugNames::placeOf(const DIFile *File, unsigned Line) const {
  return {pathOf(File), Line, 0};
}

void DebugNames::locate(const DILocation *Location, Access &A) const {
  bool Found = false;
  for (const DILocation *At = Location; At; At = At->getInlinedAt()) {
    const Place Here{pathOf(At->getFile()), At->getLine(), At->getColumn()};
    if (!Found) {
      // When no frame is the user's, the outermost has to do.
      A.Where = Here;
      Found = isUsers(Here.File) && Here.Line != 0;
      if (auto Other = Moved.find(Here); Other != Moved.end())
        A.Where = Other->second;
      continue;
    }
    const DISubprogram *Caller = At->getScope()->getSubprogram();
    A.InlinedAt.push_back({Here, Caller ? Caller->getName().str() : ""});
  }
}

Place DebugNames::placeOf(const Function &Kernel) const {
  const DISubprogram *Program = Kernel.getSubprogram();
  if (!Program)
    return {};
  return {pathOf(Program->getFile()), Program->getLine(), 0};
}

void DebugNames::name(const Value *Object, std::string &Name,
                      std::string &ElementType) const {
  if (auto *A = dyn_cast_or_null<Argument>(Object)) {
    auto Known = Arguments.find(A->getParent());
    if (Known != Arguments.end() && A->getArgNo() < Known->second.size()) {
      Name = Known->second[A->getArgNo()].Name;
      ElementType = Known->second[A->getArgNo()].ElementType;
    }
  } else if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Object)) {
    SmallVector<DIGlobalVariableExpression *, 1> Infos;
    Variable->getDebugInfo(Infos);
    if (!Infos.empty()) {
      Name = Infos[0]->getVariable()->getName().str();
      ElementType = elementName(Infos[0]->getVariable()->getType());
    } else {
      Name = demangle(Variable->getName());
    }
  }
}

} // namespace warpwise::pipeline
