//===- ErrorPlacesTest.cpp - Which errors lie within a range --------------===//

#include "analyzer/frontend/ErrorPlaces.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

/// Where all statements and declarations are.
class Ranges : public RecursiveASTVisitor<Ranges> {
public:
  std::vector<SourceRange> Found;

  bool VisitDecl(Decl *D) {
    Found.push_back(D->getSourceRange());
    return true;
  }
  bool VisitStmt(Stmt *S) {
    Found.push_back(S->getSourceRange());
    return true;
  }
};

/// Clang's own answer for each place in each range.
TEST(ErrorPlaces, AgreeWithTheSourceManager) {
  const std::unique_ptr<ASTUnit> Unit = tooling::buildASTFromCodeWithArgs(
      R"(
#define TWICE(x) ((x) + (x))
#define DECLARE(n) int n##1; int n##2
int before;
int function(int a) {
#include "body.inc"
  return TWICE(a);
}
namespace some {
#include "nested.h"
struct Outer { struct Inner { int member; }; DECLARE(of); };
}
#include "begin.inc"
  return 2;
}
int after = TWICE(3);
)",
      {}, "input.cc", "test", std::make_shared<PCHContainerOperations>(),
      tooling::getClangStripOutputAdjuster(),
      {{"body.inc", "a += 1;\nif (a) {\n#include \"deep.inc\"\n}\n"},
       {"deep.inc", "a = a * 2;\n"},
       {"nested.h", "struct Nested { int first, second; };\n"},
       {"begin.inc", "int spans() {\n  int b = 1;\n"}});
  ASSERT_TRUE(Unit);
  ASSERT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
  Ranges All;
  All.TraverseDecl(Unit->getASTContext().getTranslationUnitDecl());
  std::vector<SourceLocation> Errors = {SourceLocation()};
  for (const SourceRange &Each : All.Found)
    Errors.insert(Errors.end(), {Each.getBegin(), Each.getEnd()});

  const SourceManager &Sources = Unit->getSourceManager();
  const ErrorPlaces Places(Sources, Errors);
  unsigned Pairs = 0;
  for (const SourceRange &Range : All.Found) {
    std::vector<unsigned> Expected;
    for (unsigned N = 0; N != Errors.size(); ++N)
      if (Range.isValid() && Errors[N].isValid() &&
          Sources.isPointWithin(Sources.getExpansionLoc(Errors[N]),
                                Sources.getExpansionLoc(Range.getBegin()),
                                Sources.getExpansionLoc(Range.getEnd())))
        Expected.push_back(N);
    EXPECT_EQ(Places.within(Range), Expected) << Range.printToString(Sources);
    EXPECT_EQ(Places.anyWithin(Range), !Expected.empty());
    Pairs += Expected.size();
  }
  EXPECT_GT(Pairs, 500u);
}

} // namespace
} // namespace warpwise::frontend
