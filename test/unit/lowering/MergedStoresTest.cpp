//===- MergedStoresTest.cpp - Stores that end the arms of a branch --------===//

#include "test/unit/lowering/LoweredText.h"

#include "analyzer/lowering/MergedStores.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace warpwise;
using namespace warpwise::test;

namespace {

/// Stores of a kernel that branches on its argument %c and has \p Then and
/// \p Else in the arms. %at is known before, %i has to be converted.
size_t storesOf(const std::string &Then, const std::string &Else,
                const std::string &Before = "") {
  return LoweredText("define void @kernel(ptr %a, ptr %b, i32 %i, i32 %c, i32 "
                     "%x, i1 %p) {\n"
                     "  %at = getelementptr i32, ptr %a, i64 8\n" +
                     Before +
                     "  %less = icmp slt i32 %c, %i\n"
                     "  br i1 %less, label %then, label %else\n"
                     "then:\n" +
                     Then + "  br label %behind\nelse:\n" + Else +
                     "  br label %behind\nbehind:\n  ret void\n}")
      .all<StoreInst>()
      .size();
}

const std::string StoreLoaded = "  %v = load i32, ptr %b\n"
                                "  store i32 %v, ptr %at\n";

TEST(MergedStoresTest, ToOneAddressAreOne) {
  EXPECT_EQ(storesOf(StoreLoaded, "  store i32 %x, ptr %at\n"), 1u);
}

TEST(MergedStoresTest, AnAddressOfTheArmsOutOfWhatIsKnownBefore) {
  const std::string Index = "  %wide = sext i32 %i to i64\n"
                            "  %other = getelementptr i32, ptr %b, i64 %wide\n"
                            "  store volatile i32 0, ptr %other\n";
  EXPECT_EQ(storesOf("  %v = load i32, ptr %b\n"
                     "  %t = getelementptr i32, ptr %a, i64 %wide\n"
                     "  store i32 %v, ptr %t\n",
                     "  %e = getelementptr i32, ptr %a, i64 %wide\n"
                     "  store i32 %x, ptr %e\n",
                     Index),
            2u);
}

/// nvcc converts the index in each arm, and finds two addresses.
TEST(MergedStoresTest, NotWhereTheIndexIsConvertedInTheArms) {
  const std::string Address =
      "= sext i32 %i to i64\n  %NAMEa = getelementptr i32, ptr %a, i64 %NAME\n";
  const auto named = [&](const std::string &Name) {
    std::string Text = Address;
    for (size_t At; (At = Text.find("NAME")) != std::string::npos;)
      Text.replace(At, 4, Name);
    return "  %" + Name + " " + Text;
  };
  EXPECT_EQ(storesOf(named("t") + "  %v = load i32, ptr %b\n"
                                  "  store i32 %v, ptr %ta\n",
                     named("e") + "  store i32 %x, ptr %ea\n"),
            2u);
  // Unless that is all there is to do.
  EXPECT_EQ(storesOf(named("t") + "  store i32 4, ptr %ta\n",
                     named("e") + "  store i32 %x, ptr %ea\n"),
            1u);
}

TEST(MergedStoresTest, NotOfOtherPlacesOrVolatileOnes) {
  EXPECT_EQ(storesOf(StoreLoaded, "  store volatile i32 1, ptr %at\n"), 2u);
  EXPECT_EQ(storesOf(StoreLoaded, "  store i32 1, ptr %b\n"), 2u);
}

/// if (inside) { if (c) a[i] = x; else a[i] = y; }
TEST(MergedStoresTest, NotWhereAnotherWayLeadsBehindThem) {
  EXPECT_EQ(storesOf(StoreLoaded, "  store i32 %x, ptr %at\n",
                     "  br i1 %p, label %inside, label %behind\ninside:\n"),
            2u);
}

/// if (i == 3) a[i] = x; else a[i] = y: the first one is a[3].
TEST(MergedStoresTest, NotWhereTheIndexIsANumberInOneArm) {
  LoweredText Text(
      "define void @kernel(ptr %a, ptr %b, i64 %i, i32 %x) {\n"
      "  %first = icmp eq i64 %i, 3\n"
      "  br i1 %first, label %then, label %else\n"
      "then:\n  %v = load i32, ptr %b\n"
      "  %t = getelementptr i32, ptr %a, i64 %i\n  store i32 %v, ptr %t\n"
      "  br label %behind\n"
      "else:\n  %e = getelementptr i32, ptr %a, i64 %i\n"
      "  store i32 %x, ptr %e\n  br label %behind\n"
      "behind:\n  ret void\n}");
  EXPECT_EQ(Text.all<StoreInst>().size(), 2u);
}

TEST(MergedStoresTest, RemembersWhereTheyStand) {
  LoweredText Text(
      "define void @kernel(ptr %a, ptr %b, i1 %p, i32 %x) !dbg !5 {\n"
      "  br i1 %p, label %then, label %else\n"
      "then:\n  %v = load i32, ptr %b\n"
      "  store i32 %v, ptr %a, !dbg !9\n  br label %behind\n"
      "else:\n  store i32 %x, ptr %a, !dbg !8\n  br label %behind\n"
      "behind:\n  ret void\n}\n"
      "!llvm.dbg.cu = !{!3}\n!llvm.module.flags = !{!6}\n"
      "!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !4)\n"
      "!4 = !DIFile(filename: \"a.cu\", directory: \"/\")\n"
      "!5 = distinct !DISubprogram(name: \"kernel\", file: !4, unit: !3, type: "
      "!7)\n"
      "!6 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!7 = !DISubroutineType(types: !{})\n"
      "!8 = !DILocation(line: 4, scope: !5)\n"
      "!9 = !DILocation(line: 6, scope: !5)");
  const auto Stores = Text.all<StoreInst>();
  ASSERT_EQ(Stores.size(), 1u);
  const auto Found = lowering::locationsOf(*Stores.front());
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0]->getLine(), 4u);
  EXPECT_EQ(Found[1]->getLine(), 6u);
}

} // namespace
