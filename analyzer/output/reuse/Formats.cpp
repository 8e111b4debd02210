//===- Formats.cpp - The forms of the cache model's results ---------------===//

#include "analyzer/output/reuse/Format.h"
#include "analyzer/output/reuse/ReuseHtml.h"
#include "analyzer/output/reuse/ReuseJson.h"
#include "analyzer/output/reuse/ReuseText.h"

#include "llvm/Support/raw_ostream.h"

namespace warpwise::output {

static void writeTexts(ReuseReport &&Report, llvm::raw_ostream &Out) {
  for (const std::string &Text : Report.Texts)
    Out << Text;
}

static llvm::json::Object documentOf(ReuseReport &Report) {
  return reuseDocument(Report.Run, std::move(Report.Launches));
}

static void writeJson(ReuseReport &&Report, llvm::raw_ostream &Out) {
  writeReuse(documentOf(Report), Out);
}

static void writeHtml(ReuseReport &&Report, llvm::raw_ostream &Out) {
  Out << reuseHtml(documentOf(Report), Report.Source, Report.WorkingDirectory);
}

llvm::ArrayRef<ReuseFormat> reuseFormats() {
  static constexpr ReuseFormat All[] = {
      {"text", "tables", writeTexts, reuseText},
      {"json", "for programs", writeJson},
      {"html", "one page with charts", writeHtml},
  };
  return All;
}

} // namespace warpwise::output
