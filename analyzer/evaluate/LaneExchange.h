//===- LaneExchange.h - Shuffles and votes ----------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LANEEXCHANGE_H
#define WARPWISE_ANALYZER_EVALUATE_LANEEXCHANGE_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/Program.h"

namespace warpwise::access {

/// Carries out a shuffle, vote or active-mask step for the lanes in \p Active.
/// A result that is Uniform and Unknown is the same in all lanes, but nobody
/// knows what.
LaneValue exchangeLanes(const Step &S, const LaneValue *Value,
                        const LaneValue *Lane, const LaneValue *Clamp,
                        uint32_t Active);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LANEEXCHANGE_H
