//===- LaneDrawing.h - The lanes of a request, drawn ------------*- C++ -*-===//
//
// What a sentence on coalescing or banks means, at a glance: the 32 lanes of a
// warp against the sectors, words or banks that they ask for.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_LANEDRAWING_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_LANEDRAWING_H

#include "analyzer/advice/Finding.h"

#include <string>

namespace warpwise::output {

/// A <figure> with inline SVG and a sentence. Of memory it shows the pieces
/// that are moved and what of each is used; of shared memory the banks, with
/// the words that a bank has to deliver below each other.
std::string drawRequest(const advice::Request &R,
                        const profile::RequestLaw &Law);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_LANEDRAWING_H
