//===- FindingsStyle.h - What the page of findings looks like ---*- C++ -*-===//
//
// Goes behind the style sheet that all pages share (profiler/charts/Style.h)
// and uses its colours.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSSTYLE_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSSTYLE_H

#include <string_view>

namespace warpwise::output {

constexpr std::string_view FindingsStyle = R"css(
main,header,footer{max-width:960px}
.facts i{white-space:normal}
.kernels tbody th{max-width:26em}
td .gauge{width:90px;margin-right:8px}
article{margin:26px 0 0;padding:16px 20px 18px;background:var(--card);
border:1px solid var(--grid);border-left:4px solid var(--lit);border-radius:8px}
article h3{font-size:16.5px}
article>*{margin-top:12px}
.at{font-size:12.5px;color:var(--dim);overflow-wrap:anywhere;margin:3px 0 0}
.at code{font-size:12px}
pre{margin:12px 0 0;padding:8px 0;background:var(--page);border-radius:6px;
border:1px solid var(--grid);overflow-x:auto;tab-size:4;
font:12.5px/1.5 ui-monospace,"Liberation Mono","DejaVu Sans Mono",Menlo,Consolas,
monospace}
pre span{display:block;padding:0 12px 0 0;white-space:pre-wrap;
overflow-wrap:anywhere;unicode-bidi:isolate;padding-left:4.6em;
text-indent:-4.6em}
pre span::before{content:attr(data-line);display:inline-block;width:3.4em;
margin-right:1.2em;text-align:right;text-indent:0;color:var(--dim)}
pre .found{background:var(--warnbg)}
pre b{font-weight:600;border-bottom:2px solid var(--warn)}
pre .old{background:var(--warnbg)}pre .new{background:var(--goodbg)}
.prices{display:grid;gap:14px 36px;margin-top:14px;
grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}
.prices h4{margin:0 0 4px;font-size:13px}
.prices .flow{grid-template-columns:5.2em 1fr 11em}
.flow i.after{background:var(--good)}
.flow i.none{background:none}
figure.lanes{padding:0;border:0;background:none;margin-top:14px}
.lanes figcaption{font-size:12.5px;color:var(--dim);margin-top:4px}
.lanes rect{fill:var(--chip);stroke:var(--rule);stroke-width:1}
.lanes .lane{stroke:var(--accent)}
.lanes .idle{stroke-dasharray:2 2}
.lanes .moved{fill:var(--warnbg);stroke:var(--warn)}
.lanes .used{fill:var(--accent);stroke:none}
.lanes .again{fill:var(--lit);stroke:none}
.lanes .bank{fill:var(--chip);stroke:none}
.lanes .wire{stroke:var(--dim);stroke-width:.8;opacity:.7}
svg .who{fill:var(--card)}
.said{margin:12px 0 0;padding-left:1.2em;font-size:13.5px}
.said li{margin-top:2px;overflow-wrap:anywhere}
.said .at{display:inline}
.remedy{margin:12px 0 0;padding:8px 12px;border-radius:6px;
background:var(--goodbg);overflow-wrap:anywhere}
.remedy b{color:var(--good)}
.page{white-space:pre-wrap;padding:10px 14px}
.missing li{overflow-wrap:anywhere}
@media print{article{break-inside:auto;padding:10px 12px}
article h3,.prices,.remedy,pre span{break-inside:avoid}
article h3{break-after:avoid}.rules{display:none}
pre{font-size:9.5px;overflow:visible}}
)css";

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_HTML_FINDINGSSTYLE_H
