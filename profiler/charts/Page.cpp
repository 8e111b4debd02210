//===- Page.cpp - A page around charts and tables -------------------------===//

#include "profiler/charts/Page.h"

#include "profiler/charts/Style.h"
#include "profiler/charts/Text.h"

using namespace warpwise;

std::string charts::draw(const Page &P) {
  std::string Out = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" )"
                    R"(content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";
  append(Out, "<title>{}</title>\n<style>{}{}</style></head>\n",
         escape(P.Title), StyleSheet, P.ExtraStyle);
  append(Out, "<body><header><h1>{}</h1>{}<nav>", P.Heading, P.Header);
  for (const Section &Each : P.Sections)
    if (!Each.Nav.empty())
      append(Out, R"(<a href="#{}">{}</a>)", escape(Each.Id), escape(Each.Nav));
  Out += "</nav></header>\n<main>\n";
  for (const Section &Each : P.Sections)
    if (Each.Title.empty())
      append(Out, "<section><p>{}</p>{}</section>\n", Each.Lead, Each.Body);
    else
      append(Out, "<section id=\"{}\"><h2>{}</h2><p>{}</p>\n{}</section>\n",
             escape(Each.Id), escape(Each.Title), Each.Lead, Each.Body);
  append(Out, "</main>\n<footer>{}</footer></body></html>\n", P.Footer);
  return Out;
}

std::string charts::table(std::string_view Class,
                          const std::vector<std::string_view> &Columns,
                          const std::string &Rows) {
  std::string Out = fmt::format(R"(<table class="{}"><thead><tr>)", Class);
  for (std::string_view Column : Columns)
    append(Out, "<th scope=\"col\">{}</th>", Column);
  return Out + "</tr></thead>" + Rows + "</table>\n";
}

void charts::addCell(std::string &Out, std::string_view Class,
                     std::string_view Column, std::string_view Html) {
  append(Out, R"(<td class="{}" data-label="{}">{}</td>)", Class,
         // An empty cell takes no line on a narrow screen.
         Html.empty() ? "" : Column, Html);
}
