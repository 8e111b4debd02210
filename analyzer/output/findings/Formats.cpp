//===- Formats.cpp - The forms in which findings leave --------------------===//

#include "analyzer/output/findings/Json.h"
#include "analyzer/output/findings/Sarif.h"
#include "analyzer/output/findings/Text.h"
#include "analyzer/output/findings/html/FindingsHtml.h"

namespace warpwise::output {

llvm::ArrayRef<FindingsFormat> findingsFormats() {
  static constexpr FindingsFormat All[] = {
      {"text", "as clang-tidy", writeFindingsAsText},
      {"json", "for programs", writeFindingsAsJson},
      {"sarif", "for code scanning: SARIF 2.1.0", writeFindingsAsSarif,
       /*HasFixes=*/true},
      {"html", "for people: one page with pictures", writeFindingsAsHtml,
       /*HasFixes=*/true},
  };
  return All;
}

} // namespace warpwise::output
