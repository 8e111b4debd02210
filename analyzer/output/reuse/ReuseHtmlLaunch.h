//===- ReuseHtmlLaunch.h - One launch on the cache model's page -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLLAUNCH_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLLAUNCH_H

#include "analyzer/advice/Suppression.h"
#include "analyzer/output/reuse/ReuseCharts.h"
#include "profiler/charts/Page.h"

namespace warpwise::output {

/// What the launches of a document have in common, and the text of the source
/// files that were shown.
class LaunchSections {
public:
  /// The arguments are those of reuseHtml().
  LaunchSections(const llvm::json::Object &Document,
                 const advice::SourceText &Source,
                 const std::string &WorkingDirectory);

  /// The section of launch \p Number, counted from 1: its figures, the lines of
  /// the source with most traffic, charts and explored caches.
  charts::Section draw(const llvm::json::Object &Launch, size_t Number,
                       bool InNavigation);

private:
  struct Line;

  const advice::SourceText &Source;
  const std::string &Folder;
  std::map<std::string, std::string> Options; ///< values by name
  std::vector<ExploredAxis> Axes;
  std::map<std::string, std::string> Texts; ///< of source files

  std::string placeOf(llvm::StringRef Path) const;
  llvm::StringRef sourceLine(const std::string &File, unsigned Line);
  static std::vector<Line> linesOf(const llvm::json::Object &Launch);
  std::string lines(const llvm::json::Object &Launch);
  std::string line(const Line &L, double Widest);
  std::string explored(const llvm::json::Object &Launch) const;
};

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSEHTMLLAUNCH_H
