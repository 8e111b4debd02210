//===- DebugTypes.cpp - What the source calls a type ----------------------===//

#include "analyzer/lowering/DebugTypes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace warpwise::lowering {

const DIType *plainType(const DIType *T) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_template_alias:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      T = Derived->getBaseType();
      break;
    default:
      return Derived;
    }
  }
  return T;
}

} // namespace warpwise::lowering
