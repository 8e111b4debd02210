//===- Interruption.h - Somebody who stops a parse for a while --*- C++ -*-===//
//
// Most of a parse is headers, which stay the same while somebody types. A parse
// can be left where it comes back from them, and be gone on with later, in a
// copy of the process, with what the main file says then.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_INTERRUPTION_H
#define WARPWISE_ANALYZER_FRONTEND_INTERRUPTION_H

#include "analyzer/frontend/OpenedFiles.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>

namespace warpwise::frontend {

class Interruption {
public:
  virtual ~Interruption() = default;
  /// Called when the main file goes on behind an #include, at the byte
  /// \p Offset or, where the file was there already, at its name; and before
  /// its first line with 0. Nothing of it has been read beyond that. \p Opened
  /// lists the files that were read so far. Returns what is read from now on in
  /// place of files; null: as before.
  virtual EditedTexts
  afterInclude(size_t Offset, llvm::function_ref<OpenedFiles()> Opened) = 0;
};

/// Of the #includes before the first line of code of \p Text: where the line of
/// the last one begins and ends; zeros where there is none.
struct LastInclude {
  size_t Begin = 0, End = 0;
};
LastInclude lastIncludeAtTop(llvm::StringRef Text);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_INTERRUPTION_H
