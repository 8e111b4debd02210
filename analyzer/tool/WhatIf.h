//===- WhatIf.h - check --what-if -------------------------------*- C++ -*-===//
//
// The same code under another block shape or on another GPU: what its kernels
// would take, as a table.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_WHATIF_H
#define WARPWISE_ANALYZER_TOOL_WHATIF_H

#include "analyzer/advice/KernelSummary.h"
#include "analyzer/tool/Session.h"

#include <string>
#include <vector>

namespace warpwise::tool {

/// A session as it would be under one supposition.
struct Supposition {
  std::string Text; ///< "block=32x8", as the user put it
  Session Changed;
};

/// \p Texts: "block=32x8", "block=KERNEL=32x8" or "gpu=tesla-k20c". The error
/// is one sentence.
llvm::Expected<std::vector<Supposition>>
suppose(const Session &S, const std::vector<std::string> &Texts);

/// The times of kernels under one supposition, or as it is.
struct Column {
  std::string Title;
  std::vector<advice::KernelSummary> Kernels;
};

/// One line for each kernel, after one with the titles; the first column is
/// what the others are compared with.
std::vector<std::string> compare(const std::vector<Column> &Columns);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_WHATIF_H
