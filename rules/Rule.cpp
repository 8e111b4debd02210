//===- Rule.cpp - The registry of rules -----------------------------------===//

#include "rules/Rule.h"

#include <algorithm>

namespace warpwise::rules {

/// Not a plain global: registrations in other files may run before this
/// file's globals are there.
static std::vector<Entry> &entries() {
  static std::vector<Entry> All;
  return All;
}

/// The first sentence below the title, which stands on one line of the page.
static std::string_view firstSentence(std::string_view Page) {
  while (Page.starts_with('#') || Page.starts_with('\n')) {
    const size_t LineEnd = Page.find('\n');
    if (LineEnd == std::string_view::npos)
      return {};
    Page.remove_prefix(LineEnd + 1);
  }
  const std::string_view Line = Page.substr(0, Page.find('\n'));
  const size_t Stop = Line.find(". ");
  return Stop == std::string_view::npos ? Line : Line.substr(0, Stop + 1);
}

const std::vector<Entry> &registry() { return entries(); }

Registration::Registration(std::string_view Folder, std::string_view Page,
                           std::string_view Uri,
                           std::unique_ptr<Rule> (*Create)()) {
  const Entry New{Folder, firstSentence(Page), Page, Uri, Create};
  const auto Place = std::lower_bound(
      entries().begin(), entries().end(), New,
      [](const Entry &A, const Entry &B) { return A.Name < B.Name; });
  entries().insert(Place, New);
}

} // namespace warpwise::rules
