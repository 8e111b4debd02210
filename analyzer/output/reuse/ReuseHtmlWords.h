//===- ReuseHtmlWords.h - Words of the page of the cache model --*- C++ -*-===//
//
// From members of "warpwise-reuse/1" to escaped HTML.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLWORDS_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLWORDS_H

#include "analyzer/output/Html.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace warpwise::output {

/// Empty where \p Key is no text.
llvm::StringRef textIn(const llvm::json::Object &Of, llvm::StringRef Key);

/// Sectors that arrive at each level, of a launch, a site or a variant.
double l1Sectors(const llvm::json::Object &Of);
double l2Sectors(const llvm::json::Object &Of);
double dramSectors(const llvm::json::Object &Of);

/// "87.50 %", or a dash.
std::string percent(std::optional<double> Rate);
std::string count(double Number);
/// "12.5 B", "8 MiB".
std::string traffic(double Bytes);
/// "64 x 64 x 1", or "?".
std::string shape(const llvm::json::Object &Launch, llvm::StringRef Key);

/// The status of a launch as a coloured word.
std::string badge(const llvm::json::Object &Launch);
bool isModelled(const llvm::json::Object &Launch);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLWORDS_H
