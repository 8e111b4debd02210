//===- Html.cpp - Words on pages ------------------------------------------===//

#include "analyzer/output/Html.h"

#include "profiler/charts/Text.h"

#include "llvm/Support/JSON.h"

namespace warpwise::output {

std::string html(llvm::StringRef Text) {
  return charts::escape(llvm::json::fixUTF8(Text));
}

std::string shortName(llvm::StringRef Kernel) {
  Kernel = Kernel.take_until([](char C) { return C == '(' || C == '<'; });
  Kernel = Kernel.drop_front(Kernel.rfind(' ') + 1);
  const size_t Colon = Kernel.rfind("::");
  return Kernel.drop_front(Colon == Kernel.npos ? 0 : Colon + 2).str();
}

} // namespace warpwise::output
