//===- RowsOfLanes.h - A row that data choose for each lane -----*- C++ -*-===//

#ifndef WARPWISE_RULES_GATHER_ROWSOFLANES_H
#define WARPWISE_RULES_GATHER_ROWSOFLANES_H

#include "rules/Rule.h"

#include <set>

namespace warpwise::rules {

/// Reports where data lead each lane of \p Kernel to a row of its own, along
/// which it goes by itself and adds up, and returns those loads.
std::set<const access::Access *>
checkRowsOfLanes(const access::Kernel &Kernel, const profile::Profile &Device,
                 const Sink &Report);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_GATHER_ROWSOFLANES_H
