//===- AddressSpaces.h - The numbers of NVPTX's address spaces --*- C++ -*-===//
//
// LLVM 19 keeps them to itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_ADDRESSSPACES_H
#define WARPWISE_ANALYZER_LOWERING_ADDRESSSPACES_H

#include "analyzer/model/AccessModel.h"

#include <optional>

namespace warpwise::lowering {

enum AddressSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ConstantSpace = 4,
  LocalSpace = 5
};

/// Nothing for a pointer that may lead to several.
constexpr std::optional<access::Space> spaceOfNumber(unsigned AddressSpace) {
  switch (AddressSpace) {
  case GlobalSpace:
    return access::Space::Global;
  case SharedSpace:
    return access::Space::Shared;
  case ConstantSpace:
    return access::Space::Constant;
  case LocalSpace:
    return access::Space::Local;
  default:
    return std::nullopt;
  }
}

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_ADDRESSSPACES_H
