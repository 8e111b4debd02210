//===- DebugTypes.h - What the source calls a type --------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_DEBUGTYPES_H
#define WARPWISE_ANALYZER_LOWERING_DEBUGTYPES_H

namespace llvm {
class DIType;
} // namespace llvm

namespace warpwise::lowering {

/// \p T without its other names and its qualifiers. Pointers and references,
/// which may lead back to where they are members, stay.
const llvm::DIType *plainType(const llvm::DIType *T);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_DEBUGTYPES_H
