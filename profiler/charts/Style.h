//===- Style.h - The look of a page -----------------------------*- C++ -*-===//
//
// One style sheet: light and dark, wide and narrow, screen and paper. Charts
// use the classes that Svg.h writes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_CHARTS_STYLE_H
#define WARPWISE_PROFILER_CHARTS_STYLE_H

#include <string_view>

namespace warpwise::charts {

constexpr std::string_view StyleSheet = R"css(
:root{color-scheme:light dark;--page:#fbfbf9;--card:#fff;--ink:#1b1e22;
--dim:#686f77;--grid:#e8e8e4;--rule:#d5d5d0;--accent:#0b66a8;--lit:#b4560c;
--warn:#a3341c;--warnbg:#fbeae5;--good:#20714a;--goodbg:#e6f3ec;--chip:#f0f0ec;
--s1:#7b5ea7;--s2:#16877a;--s3:#8c6239;--s4:#b8467f;--s5:#5f6b76;--bar:#2a79b5}
@media(prefers-color-scheme:dark){:root{--page:#14171a;--card:#1a1e22;
--ink:#e7e9eb;--dim:#98a1aa;--grid:#282d33;--rule:#3a4148;--accent:#5cb3f2;
--lit:#f0a35e;--warn:#ff9c82;--warnbg:#3a211b;--good:#74cfa0;--goodbg:#1a3126;
--chip:#262b31;--s1:#b79be6;--s2:#52c7b8;--s3:#cda477;--s4:#ee87b9;
--s5:#a3b0bb;--bar:#2d73a8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);line-height:1.45;
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",
sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1280px;margin:0 auto;padding:0 20px}
header{padding-top:36px}
h1{font-size:30px;line-height:1.15;margin:0;letter-spacing:-.01em;
overflow-wrap:anywhere}
.origin{color:var(--dim);margin:6px 0 0;max-width:75ch;overflow-wrap:anywhere}
.facts{display:grid;gap:10px;margin:24px 0 0;padding:0;
grid-template-columns:repeat(auto-fill,minmax(140px,1fr))}
@media(min-width:900px){.facts{grid-template-columns:repeat(5,1fr)}}
.facts div{background:var(--card);padding:10px 14px;border-radius:8px;
border:1px solid var(--grid)}
.facts dt{color:var(--dim);font-size:12.5px}
.facts dd{margin:2px 0 0;font-size:21px;font-weight:600;white-space:nowrap}
.facts small{font-size:13px;font-weight:400;color:var(--dim)}
.facts i{display:block;font-style:normal;font-size:12px;font-weight:400;
line-height:1.3;color:var(--dim)}
nav{margin:18px 0 0;font-size:13.5px}
nav a{color:var(--accent);text-decoration:none;margin-right:16px;
display:inline-block;padding:3px 0}
nav a:hover{text-decoration:underline}
section{margin-top:44px}
h2{font-size:20px;margin:0;padding-top:10px;border-top:2px solid var(--ink)}
h2+p{color:var(--dim);margin:2px 0 0}
.charts{display:grid;gap:16px;margin-top:16px;align-items:start;
grid-template-columns:repeat(auto-fill,minmax(min(100%,350px),1fr))}
figure{margin:0;padding:14px 14px 10px;background:var(--card);
border:1px solid var(--grid);border-radius:8px;min-width:0;break-inside:avoid}
h3{font-size:15px;line-height:1.3;margin:0;overflow-wrap:anywhere}
figcaption code{font-size:11.5px;color:var(--dim);overflow-wrap:anywhere}
figure>svg{display:block;width:100%;height:auto;margin-top:4px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 14px;margin:8px 0 0;
padding:0;font-size:12.5px;color:var(--dim)}
.legend .what{color:var(--ink)}
.key{width:16px;height:12px;margin-right:5px;vertical-align:-1px;
overflow:visible}
.method{margin:6px 0 0;font-size:12px;line-height:1.35;color:var(--dim);
overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;
-webkit-box-orient:vertical;overflow:hidden}
svg text{font-size:11px;fill:var(--dim)}
svg path{fill:none}
.grid{stroke:var(--grid);stroke-width:1}
.axis,.tick{stroke:var(--rule);stroke-width:1}
.mark{stroke:var(--dim);stroke-width:1;stroke-dasharray:2 3}
.ty{text-anchor:end}.tx{text-anchor:middle}
svg .ax{text-anchor:end;fill:var(--ink)}
svg .value{fill:var(--ink)}
.note,.name{paint-order:stroke;stroke:var(--card);stroke-width:3px}
.note.end{text-anchor:end}
.s0{--c:var(--accent)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}
.s4{--c:var(--s4)}.s5{--c:var(--s5)}
.line{stroke:var(--c);stroke-width:1.7;stroke-linejoin:round}
.dashed{stroke-dasharray:5 3}
.whisker{stroke:var(--c);stroke-width:1.4}
.whisker.ink{stroke:var(--ink)}
circle{fill:var(--c);stroke:transparent;stroke-width:9;pointer-events:all}
circle.quiet{fill:transparent}
circle:hover{fill:var(--ink)}
svg .name{fill:var(--c);font-weight:600}
.bar{fill:var(--bar)}.bar:hover{fill:var(--ink)}
svg .lit{stroke:var(--lit);stroke-width:1.5;fill:var(--card);
pointer-events:all}
.litline{stroke:var(--lit);stroke-width:1;stroke-dasharray:3 3}
table{border-collapse:collapse;width:100%;margin-top:16px;font-size:13.5px}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;
border-bottom:1px solid var(--grid)}
thead th{color:var(--dim);font-weight:500;font-size:12.5px;
border-bottom-color:var(--rule)}
tbody th{font-weight:500;overflow-wrap:anywhere}
.quantities tbody th{width:20%}
.group th{padding-top:22px;font-weight:700;font-size:14.5px;
border-bottom-color:var(--rule)}
.num{white-space:nowrap}
.quantities td.num:nth-child(2){font-weight:600}
.text{color:var(--dim);overflow-wrap:anywhere;font-size:12.5px;width:36%}
.guidelines .text,.validation .text{width:50%}
.lit{color:var(--lit);font-size:12.5px}
.dim{color:var(--dim);font-weight:400}
.badge{display:inline-block;font-size:11.5px;line-height:1.5;padding:0 7px;
border-radius:9px;background:var(--chip);color:var(--dim);white-space:nowrap;
font-weight:500;vertical-align:1px}
.badge.warn,.badge.bad{background:var(--warnbg);color:var(--warn)}
.badge.good{background:var(--goodbg);color:var(--good)}
.second{margin-top:2px}.second b{font-weight:500}
.differs{background:var(--warnbg);color:var(--warn);border-radius:4px;
padding:2px 7px;margin:3px 0 0 -7px}
.gauge{display:inline-block;width:70px;height:7px;border-radius:4px;
background:var(--grid);margin-right:9px;overflow:hidden;vertical-align:1px}
.gauge i{display:block;height:100%;background:var(--accent)}
.gauge .over{background:var(--warn)}
.environment{display:grid;gap:0 28px;margin:16px 0 0;font-size:13.5px;
grid-template-columns:repeat(auto-fill,minmax(min(100%,280px),1fr))}
.environment div{display:flex;gap:12px;padding:5px 0;
border-bottom:1px solid var(--grid)}
.environment dt{color:var(--dim);flex:0 0 8em}
.environment dd{margin:0;overflow-wrap:anywhere;min-width:0}
a{color:var(--accent)}
h2{overflow-wrap:anywhere}
h4{font-size:15px;margin:26px 0 0}
h4+p{color:var(--dim);margin:2px 0 0;font-size:12.5px;max-width:80ch}
.flow{display:grid;grid-template-columns:3.4em 1fr 6.5em;gap:2px 8px;
align-items:center;font-size:12.5px;margin:0}
.flow dt,.flow dd{margin:0;white-space:nowrap}
.flow dt{color:var(--dim)}
.flow dd:nth-of-type(2n){text-align:right}
.flow i{display:block;height:8px;border-radius:4px;background:var(--bar)}
details{margin-top:16px}
summary{cursor:pointer;color:var(--accent);font-size:13.5px}
footer{color:var(--dim);font-size:12.5px;padding-top:36px;padding-bottom:48px}
footer p{max-width:80ch;margin:0 0 6px}
@media(max-width:760px){main,header,footer{padding-left:14px;
padding-right:14px}h1{font-size:24px}thead{display:none}
table,tbody,tr,th,td{display:block;width:auto!important}
tr{padding:9px 0;border-bottom:1px solid var(--grid)}
th,td{border:0;padding:1px 0}td.num{white-space:normal}
tbody th{font-weight:600}
td[data-label=""]{display:none}
td::before{content:attr(data-label);color:var(--dim);font-weight:400;
font-size:12px;display:inline-block;min-width:7.5em;vertical-align:top}
td.text::before{display:none}td.lit div{display:inline-block;margin-right:10px}
.group{padding-bottom:2px}.second{margin-left:0}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--dim:#555;
--grid:#ddd;--rule:#999;--accent:#0b66a8;--lit:#b4560c;--warn:#a3341c;
--warnbg:#fbeae5;--good:#20714a;--goodbg:#e6f3ec;--chip:#eee;--s1:#7b5ea7;
--s2:#16877a;--s3:#8c6239;--s4:#b8467f;--s5:#5f6b76;--bar:#2a79b5;color-scheme:light}
body{font-size:11px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav{display:none}main,header,footer{max-width:none;padding:0}
.charts{grid-template-columns:repeat(2,1fr)}section{margin-top:24px}
h2{break-after:avoid}tr{break-inside:avoid}table{font-size:10px}
.method{-webkit-line-clamp:none}}
)css";

} // namespace warpwise::charts

#endif // WARPWISE_PROFILER_CHARTS_STYLE_H
