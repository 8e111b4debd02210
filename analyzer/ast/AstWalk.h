//===- AstWalk.h - Walks through Clang's tree -------------------*- C++ -*-===//
//
// Clang's RecursiveASTVisitor is a template of some thousand functions, and
// each class that derives from it takes a compiler 4 to 8 seconds. Here it is
// compiled once; what a walk does at a node is one virtual call. From LLVM 20
// on this is clang::DynamicRecursiveASTVisitor.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_AST_ASTWALK_H
#define WARPWISE_ANALYZER_AST_ASTWALK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace warpwise {

class AstWalk {
public:
  virtual ~AstWalk() = default;

  /// What a walk comes to besides what the source says of itself.
  struct Scope {
    bool Instantiations = false;
    bool ImplicitCode = false;
    /// As they are written: array bounds and parameters lie in them.
    bool Types = true;
  };

  /// From \p Root down. False when a visit ended the walk.
  bool walk(clang::Decl *Root);
  /// The same for what the user's files declare at the top, one after the
  /// other: system headers are most of a file, and nobody changes them.
  bool walkUsers(clang::ASTContext &Context);

protected:
  AstWalk() = default;
  explicit AstWalk(Scope Its) : Its(Its) {}

  /// Both are called before what the node holds, and end the walk with false.
  virtual bool visit(clang::Decl *) { return true; }
  virtual bool visit(clang::Stmt *) { return true; }
  /// Whether the walk goes on to a statement, and into it.
  virtual bool enters(const clang::Stmt *) { return true; }
  /// \p Inside walks through a function, the visit to it included.
  virtual bool walkFunction(clang::FunctionDecl *,
                            llvm::function_ref<bool()> Inside) {
    return Inside();
  }

private:
  class Visitor;

  const Scope Its;
};

} // namespace warpwise

#endif // WARPWISE_ANALYZER_AST_ASTWALK_H
