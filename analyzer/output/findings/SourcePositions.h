//===- SourcePositions.h - Bytes of a file as others count them -*- C++ -*-===//
//
// Clang counts bytes. SARIF and editors count UTF-16 code units in a line.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H
#define WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
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

  /// Line \p Number without its end, or nothing where there is none.
  llvm::StringRef line(unsigned Number) const;

  /// The column of a line's byte \p Byte, which counts from 1; the same number
  /// where the line is not there.
  unsigned column(unsigned Line, unsigned Byte) const;

  /// Of the file's byte \p Offset, or of its end.
  SourcePosition position(uint64_t Offset) const;

private:
  std::string Text;
  std::vector<size_t> Starts; ///< of the lines
};

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_FINDINGS_SOURCEPOSITIONS_H
