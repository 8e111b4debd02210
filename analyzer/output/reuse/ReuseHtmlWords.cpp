//===- ReuseHtmlWords.cpp - Words of the page of the cache model ----------===//

#include "analyzer/output/reuse/ReuseHtmlWords.h"

#include "analyzer/output/reuse/ReuseCharts.h"
#include "profiler/charts/Text.h"

#include <fmt/format.h>

#include <cmath>

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using namespace warpwise::charts;

namespace warpwise::output {

llvm::StringRef textIn(const Object &Of, llvm::StringRef Key) {
  return Of.getString(Key).value_or("");
}

std::string percent(std::optional<double> Rate) {
  return Rate ? fmt::format("{:.2f} %", *Rate) : std::string("&ndash;");
}

std::string count(double Number) { return number(std::round(Number)); }

std::string traffic(double Bytes) {
  return charts::bytes(Bytes < 10 ? Bytes : std::round(10 * Bytes) / 10);
}

double l2Sectors(const Object &Of) {
  return numberIn(Of, "l2_read_sectors") + numberIn(Of, "l2_write_sectors");
}

double l1Sectors(const Object &Of) {
  return numberIn(Of, "l1_load_sectors") + numberIn(Of, "l1_store_sectors") +
         numberIn(Of, "atomic_sectors");
}

double dramSectors(const Object &Of) {
  return numberIn(Of, "dram_read_sectors") + numberIn(Of, "dram_write_sectors");
}

std::string shape(const Object &Launch, llvm::StringRef Key) {
  const Array *Extents = Launch.getArray(Key);
  std::string Text;
  if (Extents)
    for (const Value &Each : *Extents)
      append(Text, "{}{:.0f}", Text.empty() ? "" : "&times;",
             Each.getAsNumber().value_or(0));
  return Text.empty() ? "?" : Text;
}

std::string badge(const Object &Launch) {
  const llvm::StringRef Status = textIn(Launch, "status");
  const char *Class = Status == "modelled"  ? "good"
                      : Status == "partial" ? "warn"
                                            : "bad";
  return fmt::format(R"(<span class="badge {}">{}</span>)", Class,
                     Status == "not-modelled" ? "not modelled" : html(Status));
}

bool isModelled(const Object &Launch) {
  return textIn(Launch, "status") != "not-modelled";
}

} // namespace warpwise::output
