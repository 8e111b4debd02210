//===- SourcePositions.h - Bytes of a file as others count them -*- C++ -*-===//
//
// Clang counts bytes. SARIF and editors count UTF-16 code units in a line.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H

#include "analyzer/advice/Suppression.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpwise::output {

/// Both count from 1.
struct SourcePosition {
  unsigned Line = 1, Column = 1;
};

class SourcePositions {
public:
  explicit SourcePositions(std::string Text);

  llvm::StringRef text() const { return Text; }
  unsigned lines() const { return Text.empty() ? 0 : unsigned(Starts.size()); }

  /// Line \p Number without its end, or nothing where there is none.
  llvm::StringRef line(unsigned Number) const;

  /// The offset of the first byte of line \p Number, which there is.
  size_t beginOf(unsigned Number) const { return Starts[Number - 1]; }

  /// The column of a line's byte \p Byte, which counts from 1; the same number
  /// where the line is not there.
  unsigned column(unsigned Line, unsigned Byte) const;

  /// Of the file's byte \p Offset, or of its end.
  SourcePosition position(uint64_t Offset) const;

private:
  std::string Text;
  std::vector<size_t> Starts; ///< of the lines
};

/// What is shown of a line, which may be of any length.
struct LineExcerpt {
  llvm::StringRef Text;
  size_t At = 0; ///< the byte of Text that is meant
  bool IsCutBefore = false, IsCutAfter = false;
};

/// The part of \p Line around its byte \p Column, which counts from 1.
LineExcerpt excerptOf(llvm::StringRef Line, unsigned Column);

/// The files that a report shows lines of, each read once.
class ReportSources {
public:
  explicit ReportSources(const advice::SourceText &Read) : Read(Read) {}

  /// A file that cannot be read has no lines.
  const SourcePositions &of(const std::string &File);

private:
  const advice::SourceText &Read;
  std::map<std::string, SourcePositions> Files;
};

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H
