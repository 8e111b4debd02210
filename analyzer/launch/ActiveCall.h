//===- ActiveCall.h - A call of a host function, while it runs --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_ACTIVECALL_H
#define WARPWISE_ANALYZER_LAUNCH_ACTIVECALL_H

#include "analyzer/launch/HostState.h"

#include "llvm/ADT/DenseMap.h"

namespace clang {
class FieldDecl;
class ValueDecl;
} // namespace clang

namespace warpwise::launch {

struct ActiveCall {
  const clang::FunctionDecl *Function = nullptr;
  /// Variables by their memory, references by what they refer to.
  llvm::DenseMap<const clang::ValueDecl *, Address> Bindings;
  /// What a lambda's body calls by the name of the captured variable.
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> Captures;
  std::optional<Address> This;
  /// Memory of variables, freed when the call returns.
  std::vector<ObjectId> Variables;
  /// Memory of temporaries, freed at the end of the statement.
  std::vector<ObjectId> Temporaries;
  /// Where `return` leaves its value.
  ObjectId Result = 0;
  /// The states of all paths that have returned.
  std::optional<HostState> Returned;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_ACTIVECALL_H
