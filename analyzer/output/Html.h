//===- Html.h - Words on pages ----------------------------------*- C++ -*-===//
//
// What the pages of this room have in common beyond charts: foreign text, and
// names of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_HTML_H
#define WARPWISE_ANALYZER_OUTPUT_HTML_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::output {

/// Text for HTML content and quoted attributes; valid UTF-8 whatever a source
/// file holds.
std::string html(llvm::StringRef Text);

/// "scale" of "void tools::scale<float>(float*)".
std::string shortName(llvm::StringRef Kernel);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_HTML_H
