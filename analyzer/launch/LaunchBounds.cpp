//===- LaunchBounds.cpp - What __launch_bounds__ says ---------------------===//

#include "analyzer/launch/LaunchBounds.h"

#include "analyzer/ast/AstWalk.h"
#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/LinkerNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace warpwise::launch {
namespace {

class BoundsVisitor : public AstWalk {
public:
  explicit BoundsVisitor(ASTContext &Context)
      : AstWalk({.Instantiations = true, .Types = false}), Context(Context) {}

  bool enters(const Stmt *) override { return false; }
  bool visit(Decl *D) override {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function)
      return true;
    const auto *Bounds = Function->getAttr<CUDALaunchBoundsAttr>();
    if (!Bounds || !Function->hasAttr<CUDAGlobalAttr>() ||
        Function->isDependentContext())
      return true;
    if (const auto Threads = constantOf(Bounds->getMaxThreads(), Context))
      Found[Names.get(Function)] = static_cast<unsigned>(*Threads);
    return true;
  }

  std::map<std::string, unsigned> Found;

private:
  ASTContext &Context;
  LinkerNames Names;
};

} // namespace

std::map<std::string, unsigned> collectLaunchBounds(ASTContext &Context) {
  BoundsVisitor Visitor(Context);
  Visitor.walkUsers(Context);
  return std::move(Visitor.Found);
}

} // namespace warpwise::launch
