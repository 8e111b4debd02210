//===- Hover.h - An access, lane by lane ------------------------*- C++ -*-===//
//
// What an editor shows over an access: where the 32 lanes of its costliest
// request go, what that costs, and how sure that is.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_HOVER_H
#define WARPWISE_ANALYZER_LSP_HOVER_H

#include "analyzer/model/AccessModel.h"

#include <string>

namespace warpwise::lsp {

/// \p A of \p K as Markdown, with its request under the launch in which it
/// wastes most. \p Law gives the sizes of sectors and banks.
std::string describeAccess(const access::Kernel &K, const access::Access &A,
                           const profile::RequestLaw &Law);

/// The same in two words, for the end of its line: "32 sectors", "8-way",
/// "4 words". Empty where the cost is not known, and for requests to shared and
/// constant memory that cost no more than they have to.
std::string costLabel(const access::Access &A);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_HOVER_H
