//===- ConstantTable.h - Constant memory that is none of it -----*- C++ -*-===//
//
// What the rules about constant memory offer alike.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_CONSTANTTABLE_H
#define WARPWISE_RULES_CONSTANTTABLE_H

#include "analyzer/advice/Finding.h"
#include "analyzer/model/AccessModel.h"

#include <optional>

namespace warpwise::rules {

/// The array that \p A reads, a __constant__ one, in global memory. Code that
/// reads it, and the host code that fills it, is the same for both. Nothing
/// where its declaration is not known.
std::optional<advice::Rewrite> moveToGlobal(const access::Kernel &K,
                                            const access::Access &A);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_CONSTANTTABLE_H
