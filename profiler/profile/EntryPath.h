//===- EntryPath.h - Where something stands in a profile --------*- C++ -*-===//
//
// The dotted path of a quantity or a curve. A path that the code names is a
// constant of Paths.h, and no literal becomes one: a slip of the keyboard that
// would find nothing, and a default would hide, does not compile. A text that
// was put together or read from a document does become one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_ENTRYPATH_H
#define WARPWISE_PROFILER_PROFILE_ENTRYPATH_H

#include <concepts>
#include <string>
#include <string_view>

namespace warpwise::profile {

/// Looks at its text, as a string_view does.
class EntryPath {
public:
  // NOLINTBEGIN(google-explicit-constructor): a path is its text.
  EntryPath(const std::string &Text) : Text(Text) {}
  constexpr EntryPath(std::string_view Text) : Text(Text) {}
  EntryPath(const char *) = delete;

  constexpr operator std::string_view() const { return Text; }
  operator std::string() const { return std::string(Text); }
  // NOLINTEND(google-explicit-constructor)

  constexpr std::string_view text() const { return Text; }

  // With a string_view, that one's own operator compares the texts.
  template <std::same_as<EntryPath> Path>
  friend constexpr bool operator==(Path A, Path B) {
    return A.Text == B.Text;
  }
  template <std::same_as<EntryPath> Path>
  friend bool operator==(const std::string &A, Path B) {
    return A == B.Text;
  }

private:
  std::string_view Text;
};

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_ENTRYPATH_H
