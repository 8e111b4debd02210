//===- Utf16.h - How editors and SARIF count characters ---------*- C++ -*-===//
//
// The language server protocol and SARIF count the columns of a line in UTF-16
// code units. What is no UTF-8 counts as what readers see in its place, U+FFFD:
// one unit for each maximal part of a character, as Unicode advises, and as
// LLVM's JSON writer and editors replace it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TEXT_UTF16_H
#define WARPWISE_ANALYZER_TEXT_UTF16_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>

namespace warpwise::text {

/// UTF-16 code units of \p Text.
size_t utf16Units(llvm::StringRef Text);

/// Bytes of \p Text before its unit \p Units, or all where it has fewer. Behind
/// the character where that is the second half of one.
size_t bytesBefore(llvm::StringRef Text, size_t Units);

} // namespace warpwise::text

#endif // WARPWISE_ANALYZER_TEXT_UTF16_H
