//===- AccessJson.h - The access model as JSON ------------------*- C++ -*-===//
//
// "warpwise-accesses/1", the stable form of what the analysis knows: for
// scripts, for scoring against hardware counters, for editors.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_ACCESSES_ACCESSJSON_H
#define WARPWISE_ANALYZER_OUTPUT_ACCESSES_ACCESSJSON_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/price/DeviceRates.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace warpwise::output {

using access::nameOf; // of spaces and operations
llvm::StringRef nameOf(access::Proof P);
llvm::StringRef nameOf(access::Status S);
llvm::StringRef nameOf(launch::ShapeSource S);

/// Writes one document and a newline. Members stand in the order of the
/// schema. A number that is not known is null, and so is one that does not
/// belong to the space of the access (wavefronts of global memory). Times are
/// those of a device of \p Rates, if they are known.
void writeAccesses(const access::Model &Model, const price::KnownRates &Rates,
                   llvm::raw_ostream &Out);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_ACCESSES_ACCESSJSON_H
