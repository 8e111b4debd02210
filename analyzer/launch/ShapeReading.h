//===- ShapeReading.h - What values say of a block or grid ------*- C++ -*-===//
//
// What a dim3 or a number holds at a launch, as facts about its extents: what
// they are, what is certain, what limits them, what they are computed from.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_SHAPEREADING_H
#define WARPWISE_ANALYZER_LAUNCH_SHAPEREADING_H

#include "analyzer/launch/Value.h"
#include "analyzer/launch/facts/LaunchFacts.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace warpwise::launch {

/// The components of a dim3, all or none: 0 is not a length, a launch with it
/// fails. \p Certain becomes false where something of it is in doubt.
std::optional<Dim3> readShape(const Value &V, bool &Certain);

/// What of the dim3 \p V is certain, 0 where nothing is.
Dim3 certainAxes(const Value &V);

/// What the extents of an unknown block or grid are limited by, if that is no
/// more than \p Limit along an axis. Negative ones are no extents.
Dim3 mostAlongAxes(const Value &V, uint64_t Limit);

/// What the extents of the unknown \p Grid are computed from, as far as that is
/// one of \p Arguments as it is.
FromArguments formulasOf(const Value &Grid, llvm::ArrayRef<Value> Arguments);

/// The least number that an integer among \p Arguments is no multiple of.
unsigned noMultipleOf(llvm::ArrayRef<Value> Arguments);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_SHAPEREADING_H
