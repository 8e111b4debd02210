//===- BlockReach.h - What a block gets to by an access ---------*- C++ -*-===//
//
// What rules ask of a footprint: how much of an array a block touches, and
// whether lanes and blocks touch the same of it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_BLOCKREACH_H
#define WARPWISE_RULES_BLOCKREACH_H

#include "analyzer/model/AccessModel.h"

#include <optional>

namespace warpwise::rules {

/// Warps of all blocks.
double warpsOf(const access::Work &W);

/// Whether \p C is of a launch that \p K has work for, and makes requests.
bool isExecuted(const access::Kernel &K, const access::Cost &C);

/// Whether \p C is known of a launch that \p K has work for, with a footprint.
/// The questions below are asked of such costs only.
bool hasReach(const access::Kernel &K, const access::Cost &C);

/// Warp requests of one block.
double blockRequests(const access::Kernel &K, const access::Cost &C);

/// Sectors that a block touches, each counted once.
double blockSectors(const access::Kernel &K, const access::Cost &C);

/// Whether all lanes of each request want one address, whatever is not known.
bool isOneAddress(const access::Cost &C);

/// Whether the blocks beside it touch the same. What lies along an axis of one
/// block only is nobody's.
bool isSameForBlocks(const access::Kernel &K, const access::Cost &C);

/// Whether the blocks beside it touch nothing of the same.
bool isApart(const access::Kernel &K, const access::Cost &C);

/// Whether all lanes of all blocks read the same words of a table that constant
/// memory has room for.
bool isSmallTable(const access::Kernel &K, const access::Cost &C,
                  double SectorBytes);

/// How often a block loads each sector by \p A, in a loop of which tiles in
/// shared memory could hold the rounds. Not known where that is too seldom to
/// pay for barriers, lanes are neither side by side nor at one address, or it
/// is the window of a stencil.
std::optional<double> timesInTiles(const access::Kernel &K,
                                   const access::Access &A,
                                   const access::Cost &C);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_BLOCKREACH_H
