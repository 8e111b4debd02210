//===- HostIndex.h - Which host functions can lead to a launch --*- C++ -*-===//
//
// One pass over the host code of the user's files before it is interpreted: it
// finds the functions worth walking, the launches that must be seen, and the
// globals whose initial value may not last.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTINDEX_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTINDEX_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include "analyzer/launch/LinkerNames.h"
#include "analyzer/launch/MemberConstants.h"

#include <map>
#include <vector>

namespace warpwise::launch {

class HostIndex {
public:
  /// The units of one program, linked by the names of what they share.
  explicit HostIndex(llvm::ArrayRef<clang::ASTContext *> Units);

  /// Host functions with a body outside system headers, instantiations
  /// included, in source order.
  const std::vector<const clang::FunctionDecl *> &getFunctions() const {
    return Functions;
  }
  /// Kernels that are defined outside system headers, templates included.
  const std::vector<const clang::FunctionDecl *> &getKernels() const {
    return Kernels;
  }
  /// Kernels that \p Launch may mean when nobody knows the pointer: those of
  /// its type, in the same unit, whose address the host code takes.
  std::vector<const clang::FunctionDecl *>
  findPointees(const clang::CUDAKernelCallExpr *Launch,
               const clang::ASTContext &Unit) const;
  /// Launch expressions in the body of a function of getFunctions().
  llvm::ArrayRef<const clang::CallExpr *>
  getLaunches(const clang::FunctionDecl *Function) const;
  /// Whether a call can reach a launch. True for every lambda: their bodies
  /// count for the function around them.
  bool mayLaunch(const clang::FunctionDecl *Function) const;
  bool mayLaunch(const clang::Stmt *Statement) const;
  /// Whether another function of the translation unit refers to this one.
  bool isReferenced(const clang::FunctionDecl *Function) const;
  bool isWritten(const clang::VarDecl *Global) const;
  /// The function that has the body, in whichever unit; else \p Function.
  const clang::FunctionDecl *
  findFunction(const clang::FunctionDecl *Function) const;
  /// The same for the definition of a variable.
  const clang::VarDecl *findVariable(const clang::VarDecl *Variable) const;
  const MemberConstants &getMembers() const { return Members; }
  LinkerNames &names() const { return Names; }

private:
  friend class HostIndexVisitor;

  struct Facts {
    std::vector<const clang::CallExpr *> Launches;
    std::vector<const clang::FunctionDecl *> Uses;
  };

  std::vector<const clang::FunctionDecl *> Functions, Kernels;
  llvm::DenseMap<const clang::FunctionDecl *, Facts> FactsOf;
  llvm::DenseSet<const clang::FunctionDecl *> Launching, Referenced,
      AddressTaken;
  llvm::DenseSet<const clang::VarDecl *> Written;
  MemberConstants Members;
  mutable llvm::DenseMap<const clang::Stmt *, bool> StatementMayLaunch;
  mutable LinkerNames Names;
  bool HasSeveralUnits = false;
  /// Definitions with external linkage, when there are several units.
  std::map<std::string, const clang::FunctionDecl *> Definitions;
  std::map<std::string, const clang::VarDecl *> Variables;

  const clang::FunctionDecl *link(const clang::FunctionDecl *Function) const;
  void collectDefinitions(clang::ASTContext &Unit);
  void closeOverCalls();
};

/// Whether \p Function runs on the device only.
bool isDeviceOnly(const clang::FunctionDecl *Function);
/// Whether \p Call is `<<<>>>` or a launch function of the CUDA runtime.
bool isLaunch(const clang::CallExpr *Call);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTINDEX_H
