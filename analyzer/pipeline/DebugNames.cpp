//===- DebugNames.cpp - From IR back to the source ------------------------===//

#include "analyzer/pipeline/DebugNames.h"

#include "analyzer/lowering/DebugTypes.h"
#include "analyzer/lowering/UserLines.h"

#include "llvm/Analysis/ValueTracking.h"
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

/// Types that are nested deeper are not looked into.
constexpr unsigned DeepestType = 16;

Element::Kind kindOf(const DIBasicType &T) {
  switch (T.getEncoding()) {
  case dwarf::DW_ATE_boolean:
    return Element::Kind::Boolean;
  case dwarf::DW_ATE_float:
    return Element::Kind::Float;
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_signed_char:
    return Element::Kind::Signed;
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_unsigned_char:
  case dwarf::DW_ATE_UTF:
    return Element::Kind::Unsigned;
  default:
    return Element::Kind::Unknown;
  }
}

/// The type of the only member of \p Class that takes room, or null.
const DIType *onlyMember(const DICompositeType &Class) {
  const DIType *Only = nullptr;
  for (const DINode *Node : Class.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Node);
    if (!Member || Member->isStaticMember() ||
        (Member->getTag() != dwarf::DW_TAG_member &&
         Member->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    if (Only)
      return nullptr;
    Only = Member->getBaseType();
  }
  return Only;
}

/// Fills in size and kind from \p T, which is not a pointer to the element any
/// more.
void describe(const DIType *T, Element &Into) {
  for (unsigned Depth = 0; T && Depth != DeepestType; ++Depth) {
    const unsigned Bytes = unsigned(T->getSizeInBits() / 8);
    if (!Into.Bytes && Bytes != 0)
      Into.Bytes = Bytes;
    if (const auto *Basic = dyn_cast<DIBasicType>(T)) {
      Into.Holds = kindOf(*Basic);
      return;
    }
    if (const auto *Derived = dyn_cast<DIDerivedType>(T)) {
      if (Derived->getTag() == dwarf::DW_TAG_pointer_type ||
          Derived->getTag() == dwarf::DW_TAG_reference_type) {
        Into.Holds = Element::Kind::Unsigned;
        return;
      }
      T = Derived->getBaseType(); // a typedef or a qualifier
      continue;
    }
    const auto *Class = dyn_cast<DICompositeType>(T);
    if (!Class)
      return;
    if (Class->getTag() == dwarf::DW_TAG_enumeration_type) {
      Into.Holds = Element::Kind::Signed;
      return;
    }
    Into.Holds = Element::Kind::Record;
    T = Class->getTag() == dwarf::DW_TAG_array_type ? nullptr
                                                    : onlyMember(*Class);
    if (T && T->getSizeInBits() / 8 > Into.Bytes.value_or(0))
      return; // a member that is laid out elsewhere
  }
}

/// Whether \p Class is some numbers of one type side by side.
bool isVector(const DICompositeType &Class) {
  const DIType *First = nullptr;
  for (const DINode *Node : Class.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Node);
    if (!Member || Member->isStaticMember() ||
        Member->getTag() != dwarf::DW_TAG_member)
      continue;
    const DIType *Of = Member->getBaseType();
    while (const auto *Named = dyn_cast_or_null<DIDerivedType>(Of))
      Of = Named->getBaseType();
    if (!isa_and_nonnull<DIBasicType>(Of) || (First && Of != First))
      return false;
    First = Of;
  }
  return true;
}

/// The class that \p T names, or null.
const DICompositeType *classOf(const DIType *T) {
  for (unsigned Depth = 0; T && Depth != DeepestType; ++Depth) {
    if (const auto *Class = dyn_cast<DICompositeType>(T))
      return Class;
    const auto *Named = dyn_cast<DIDerivedType>(T);
    if (!Named || Named->getTag() == dwarf::DW_TAG_pointer_type)
      return nullptr;
    T = Named->getBaseType();
  }
  return nullptr;
}

/// See Element::LongestMember.
unsigned longestMember(const DICompositeType &Class) {
  unsigned Longest = 0;
  for (const DINode *Node : Class.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Node);
    if (!Member || Member->isStaticMember() ||
        Member->getTag() != dwarf::DW_TAG_member)
      continue;
    const DICompositeType *Its = classOf(Member->getBaseType());
    if (!Its)
      continue; // a number
    Element Of;
    if (Its->getTag() == dwarf::DW_TAG_array_type)
      describe(Its->getBaseType(), Of);
    if (!Of.isScalar() || !Of.Bytes)
      return 0;
    Longest = std::max(Longest, unsigned(Its->getSizeInBits() / 8 / *Of.Bytes));
  }
  return Longest;
}

/// Follows pointers, references, arrays and qualifiers to the element, or null.
const DIType *elementType(const DIType *T) {
  for (unsigned Depth = 0; T && Depth != DeepestType; ++Depth) {
    if (auto *Array = dyn_cast<DICompositeType>(T);
        Array && Array->getTag() == dwarf::DW_TAG_array_type) {
      T = Array->getBaseType();
      continue;
    }
    auto *Derived = dyn_cast<DIDerivedType>(T);
    switch (Derived ? Derived->getTag() : 0) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
      T = Derived->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return nullptr;
}

/// ".Stride[1]" for what lies \p Bits from the beginning of a \p T; nothing
/// where that has no name of its own.
std::optional<std::string> memberAt(const DIType *T, uint64_t Bits) {
  std::string Path;
  for (unsigned Depth = 0; Depth != DeepestType; ++Depth) {
    T = lowering::plainType(T);
    const auto *Whole = dyn_cast_or_null<DICompositeType>(T);
    if (!Whole)
      return T && Bits == 0 ? std::optional(Path) : std::nullopt;
    if (Whole->getTag() == dwarf::DW_TAG_array_type) {
      T = Whole->getBaseType();
      const uint64_t Each = T ? lowering::plainType(T)->getSizeInBits() : 0;
      if (Each == 0 || Whole->getElements().size() != 1)
        return std::nullopt;
      Path += "[" + std::to_string(Bits / Each) + "]";
      Bits %= Each;
      continue;
    }
    const DIDerivedType *Its = nullptr;
    for (const DINode *Node : Whole->getElements())
      if (const auto *Member = dyn_cast<DIDerivedType>(Node);
          Member && !Member->isStaticMember() &&
          Member->getOffsetInBits() <= Bits &&
          Bits < Member->getOffsetInBits() + Member->getSizeInBits())
        Its = Member; // of a union, the last
    if (!Its)
      return std::nullopt;
    if (!Its->getName().empty()) // else a base, or a struct without a name
      Path += "." + Its->getName().str();
    Bits -= Its->getOffsetInBits();
    T = Its->getBaseType();
  }
  return std::nullopt;
}

} // namespace

DebugNames::DebugNames(const Module &Raw, StringSet<> Files,
                       std::map<Place, Place> MovedPlaces,
                       std::map<Place, std::vector<Place>> OtherLines)
    : SystemFiles(std::move(Files)), Moved(std::move(MovedPlaces)),
      InLineTable(std::move(OtherLines)) {
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
                                         Variable->getType(),
                                         elementOf(Variable->getType())};
  }
}

Element DebugNames::elementOf(const DIType *T) const {
  Element Found;
  T = elementType(T);
  if (!T)
    return Found;
  Found.Type = T->getName().str();
  describe(T, Found);
  if (const DICompositeType *Class = classOf(T);
      Class && Found.Holds == Element::Kind::Record) {
    Found.IsLibrarys = !isVector(*Class) && !isUsers(pathOf(Class->getFile()));
    Found.LongestMember = longestMember(*Class);
  }
  return Found;
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
      A.InLibrary = At != Location;
      Found = isUsers(Here.File) && Here.Line != 0;
      if (auto Other = Moved.find(Here); Other != Moved.end())
        A.Where = Other->second;
      if (auto Others = InLineTable.find(Here);
          Others != InLineTable.end() && !A.InLibrary)
        for (const Place &Other : Others->second)
          if (Other.Line != A.Where.Line && !is_contained(A.MergedWith, Other))
            A.MergedWith.push_back(Other);
      continue;
    }
    const DISubprogram *Caller = At->getScope()->getSubprogram();
    A.InlinedAt.push_back({Here, Caller ? Caller->getName().str() : ""});
  }
}

bool DebugNames::isInCollective(const DILocation *Location) const {
  for (const DILocation *At = Location; At; At = At->getInlinedAt()) {
    const std::string Path = pathOf(At->getFile());
    if (!isUsers(Path) && StringRef(Path).contains("/cub/"))
      return true;
  }
  return false;
}

Place DebugNames::placeOf(const Function &Kernel) const {
  const DISubprogram *Program = Kernel.getSubprogram();
  if (!Program)
    return {};
  return {pathOf(Program->getFile()), Program->getLine(), 0};
}

Place DebugNames::declared(const Value *Object) const {
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Object))
    Variable->getDebugInfo(Infos);
  if (Infos.empty())
    return {};
  const DIGlobalVariable *Info = Infos[0]->getVariable();
  return placeOf(Info->getFile(), Info->getLine());
}

DebugNames::Named DebugNames::named(const Value *Object) const {
  if (auto *A = dyn_cast_or_null<Argument>(Object)) {
    auto Known = Arguments.find(A->getParent());
    if (Known != Arguments.end() && A->getArgNo() < Known->second.size())
      return Known->second[A->getArgNo()];
  } else if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Object)) {
    SmallVector<DIGlobalVariableExpression *, 1> Infos;
    Variable->getDebugInfo(Infos);
    if (Infos.empty())
      return {demangle(Variable->getName()), nullptr, {}};
    const DIGlobalVariable *Info = Infos[0]->getVariable();
    return {Info->getName().str(), Info->getType(), elementOf(Info->getType())};
  }
  return {};
}

void DebugNames::name(const Value *Object, std::string &Name,
                      Element &Of) const {
  if (Named Its = named(Object); !Its.Name.empty()) {
    Name = std::move(Its.Name);
    Of = std::move(Its.Of);
  }
}

std::string DebugNames::nameOfNumber(const Value &Given) const {
  const auto *Load = dyn_cast<LoadInst>(&Given);
  if (!Load)
    return named(&Given).Name;
  int64_t Offset = 0;
  const Named Its = named(GetPointerBaseWithConstantOffset(
      Load->getPointerOperand(), Offset, Load->getModule()->getDataLayout()));
  if (Its.Name.empty() || Offset < 0)
    return {};
  const auto Member = memberAt(Its.Type, uint64_t(Offset) * 8);
  return Member ? Its.Name + *Member : std::string();
}

} // namespace warpwise::pipeline
