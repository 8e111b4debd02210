//===- NinjaFile.h - check as edges of Ninja --------------------*- C++ -*-===//
//
// A build file with an edge for each translation unit, which analyses it when
// a file that it rests on has changed, and one that puts all together. What is
// found lies beside the file and in the folder of `check --incremental`, from
// where the last edge takes it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_NINJAFILE_H
#define WARPWISE_ANALYZER_TOOL_NINJAFILE_H

#include <string>
#include <vector>

namespace warpwise::tool {

struct NinjaProject {
  std::string File;                   ///< of the build; all paths are absolute
  std::string Program;                ///< warpwise
  std::string Folder;                 ///< from where the arguments are said
  std::string Database;               ///< or empty
  std::vector<std::string> Arguments; ///< how to judge, for each edge
  std::vector<std::string> Paths;     ///< what was asked for
  std::vector<std::string> Units;     ///< the files, once each
  std::string Format;                 ///< of the findings
  std::string Report;                 ///< the file that they go to
  std::string FailOn;                 ///< or empty
};

/// The text of the file.
std::string ninjaText(const NinjaProject &Its);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_NINJAFILE_H
