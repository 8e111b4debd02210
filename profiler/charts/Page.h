//===- Page.h - A page around charts and tables -----------------*- C++ -*-===//
//
// One self-contained HTML document: inline SVG and CSS, no script, no network.
// A policy in its head forbids scripts and every request, so that nothing in
// the data could ever do more than be shown.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_CHARTS_PAGE_H
#define WARPWISE_PROFILER_CHARTS_PAGE_H

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::charts {

/// Members that are HTML are taken as they are; the others are escaped. Without
/// a title there is no heading.
struct Section {
  std::string Id, Title;
  std::string Nav;  ///< its name in the navigation; empty: it is not there
  std::string Lead; ///< HTML, a line below the title
  std::string Body; ///< HTML
};

struct Page {
  std::string Title;   ///< of the window
  std::string Heading; ///< HTML
  std::string Header;  ///< HTML, between heading and navigation
  std::vector<Section> Sections;
  std::string Footer;          ///< HTML
  std::string_view ExtraStyle; ///< CSS behind the common style sheet
};

std::string draw(const Page &P);

/// A table whose cells know their column's name, for narrow screens. \p Class
/// and \p Columns are HTML, \p Rows is one or more tbody.
std::string table(std::string_view Class,
                  const std::vector<std::string_view> &Columns,
                  const std::string &Rows);
/// Adds a cell to a row; all HTML.
void addCell(std::string &Out, std::string_view Class, std::string_view Column,
             std::string_view Html);

} // namespace warpwise::charts

#endif // WARPWISE_PROFILER_CHARTS_PAGE_H
