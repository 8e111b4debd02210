//===- ReuseStyle.h - What the cache model's page looks like ----*- C++ -*-===//
//
// Goes behind the style sheet that all pages share (profiler/charts/Style.h)
// and uses its colours.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSESTYLE_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSESTYLE_H

#include <string_view>

namespace warpwise::output {

constexpr std::string_view ReuseStyle = R"css(
.facts i{white-space:normal}
.said{margin:10px 0 0;max-width:80ch}
.assumed{margin:6px 0 0;padding-left:1.2em;color:var(--dim);font-size:13.5px}
td .gauge{width:160px;max-width:100%;margin:0}
.lines{list-style:none;margin:8px 0 0;padding:0}
.lines li{display:grid;gap:6px 28px;padding:10px 0;
grid-template-columns:minmax(0,1fr) minmax(0,400px);
border-bottom:1px solid var(--grid)}
.lines code{display:block;white-space:pre-wrap;overflow-wrap:anywhere;
tab-size:4;unicode-bidi:isolate;font:13px/1.45 ui-monospace,"Liberation Mono",
Menlo,Consolas,monospace}
.lines .at{font-size:12.5px;color:var(--dim);overflow-wrap:anywhere}
.flow i.l2{background:var(--s2)}.flow i.dram{background:var(--lit)}
.options .text{width:45%}
@media(max-width:760px){.lines li{grid-template-columns:minmax(0,1fr)}
tbody th{padding-top:3px}}
@media print{.lines li{break-inside:avoid}}
)css";

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSESTYLE_H
