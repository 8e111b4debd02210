//===- EmbeddedHeaders.h - The header texts in the binary -------*- C++ -*-===//
//
// What the build made of the folder headers/ (EmbedHeaders.cmake), and where
// Clang's own headers are.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_EMBEDDEDHEADERS_H
#define WARPWISE_ANALYZER_FRONTEND_EMBEDDEDHEADERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::frontend {

struct EmbeddedHeader {
  llvm::StringRef Path; ///< below headers/, "embedded/cuda.h"
  llvm::StringRef Text;
};

llvm::ArrayRef<EmbeddedHeader> embeddedHeaders();

/// The folder of Clang's own headers (stddef.h, __clang_cuda_*.h) that belong
/// to the Clang linked here.
std::string resourceDirectory();

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_EMBEDDEDHEADERS_H
