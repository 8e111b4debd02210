//===- RestOfProgram.h - The other files of a unit's program ----*- C++ -*-===//
//
// What a kernel is launched with, and the functions that it calls, may be said
// in another file than its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_RESTOFPROGRAM_H
#define WARPWISE_ANALYZER_PIPELINE_RESTOFPROGRAM_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace warpwise::pipeline {

/// The other files of the program that a unit belongs to.
class RestOfProgram {
public:
  virtual ~RestOfProgram() = default;
  /// Those that may be read, by name.
  virtual std::vector<std::string> files() const = 0;
  /// Parses those that lead from main to a launch in \p Unit, and calls \p Then
  /// once with all of them, \p Unit first, while they are alive. \p Notes gets
  /// a sentence for each that was read.
  virtual void
  parse(clang::ASTContext &Unit, std::vector<std::string> &Notes,
        llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> Then)
      const = 0;
  /// Those that seem to define a function by one of \p Names, by their text.
  virtual std::vector<frontend::DeviceCommand>
  defining(const llvm::StringSet<> &Names) const = 0;
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_RESTOFPROGRAM_H
