//===- SurvivingArraysTest.cpp - Arrays that registers cannot hold --------===//

#include "analyzer/lowering/SurvivingArrays.h"

#include "test/unit/lowering/LoweredText.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace warpwise;
using namespace warpwise::test;

namespace {

/// What the debug information of a kernel with one array "values" needs.
const char *const DebugInformation = R"(
  !llvm.module.flags = !{!10}
  !llvm.dbg.cu = !{!11}
  !10 = !{i32 2, !"Debug Info Version", i32 3}
  !11 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !12,
                                emissionKind: FullDebug)
  !12 = !DIFile(filename: "sort.cu", directory: "/project")
  !13 = distinct !DISubprogram(name: "kernel", file: !12, line: 1, unit: !11,
                               spFlags: DISPFlagDefinition, type: !14)
  !14 = !DISubroutineType(types: !15)
  !15 = !{}
  !16 = !DILocalVariable(name: "values", scope: !13, file: !12, line: 2,
                         type: !17)
  !17 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
  !20 = !DILocation(line: 2, column: 9, scope: !13)
  !21 = !DILocation(line: 7, column: 11, scope: !13)
  !22 = distinct !{!22, !23}
  !23 = !{!"llvm.loop.mustprogress"}
)";

/// float values[4] = {in[0] .. in[3]}, then \p Use.
std::string withArray(const std::string &Use) {
  std::string Text = R"(
    define void @kernel(ptr %out, ptr %in, i32 %m) !dbg !13 {
    entry:
      %values = alloca [4 x float], align 4
      #dbg_declare(ptr %values, !16, !DIExpression(), !20)
  )";
  for (const char *N : {"0", "1", "2", "3"})
    Text += std::string("%from") + N + " = getelementptr float, ptr %in, i64 " +
            N + ", !dbg !20\n%v" + N + " = load float, ptr %from" + N +
            ", !dbg !20\n%to" + N +
            " = getelementptr float, ptr %values, i64 " + N +
            ", !dbg !20\nstore float %v" + N + ", ptr %to" + N + ", !dbg !20\n";
  return Text + Use + "\n}\n" + DebugInformation;
}

/// Bubble sort with constant bounds.
const char *const SortAndTakeTheMedian = R"(
    br label %outer
  outer:
    %i = phi i32 [ 3, %entry ], [ %less, %rest ]
    br label %inner
  inner:
    %j = phi i32 [ 0, %outer ], [ %next, %swapped ]
    %next = add nsw i32 %j, 1
    %left = getelementptr float, ptr %values, i32 %j, !dbg !21
    %right = getelementptr float, ptr %values, i32 %next, !dbg !21
    %a = load float, ptr %left, !dbg !21
    %b = load float, ptr %right, !dbg !21
    %wrong = fcmp ogt float %a, %b
    br i1 %wrong, label %swap, label %swapped
  swap:
    store float %b, ptr %left, !dbg !21
    store float %a, ptr %right, !dbg !21
    br label %swapped
  swapped:
    %again = icmp slt i32 %next, %i
    br i1 %again, label %inner, label %rest, !llvm.loop !22
  rest:
    %less = add nsw i32 %i, -1
    %more = icmp sgt i32 %less, 0
    br i1 %more, label %outer, label %end, !llvm.loop !22
  end:
    %middle = getelementptr float, ptr %values, i32 1
    %median = load float, ptr %middle
    store float %median, ptr %out
    ret void)";

std::vector<lowering::SurvivingArray> survivors(LoweredText &Text,
                                                std::unique_ptr<Module> &Kept) {
  EXPECT_TRUE(lowering::hasPrivateArrays(*Text.M));
  Kept = lowering::unrolledClone(*Text.M, *Text.Machine);
  return lowering::survivingArrays(*Kept);
}

TEST(SurvivingArraysTest, ASortWithConstantBoundsVanishes) {
  LoweredText Text(withArray(SortAndTakeTheMedian));
  std::unique_ptr<Module> Kept;
  EXPECT_TRUE(survivors(Text, Kept).empty());
}

TEST(SurvivingArraysTest, LoopsThatAreNotToBeUnrolledKeepTheArray) {
  std::string Source = withArray(SortAndTakeTheMedian);
  const std::string Mark = "llvm.loop.mustprogress";
  Source.replace(Source.find(Mark), Mark.size(), "llvm.loop.unroll.disable");
  LoweredText Text(Source);
  std::unique_ptr<Module> Kept;
  EXPECT_EQ(survivors(Text, Kept).size(), 1u);
}

TEST(SurvivingArraysTest, AnIndexThatIsNotAConstantKeepsTheArray) {
  LoweredText Text(withArray(R"(
    %at = getelementptr inbounds [4 x float], ptr %values, i32 0, i32 %m,
        !dbg !21
    %v = load float, ptr %at, !dbg !21
    store float %v, ptr %out, !dbg !21
    ret void)"));
  std::unique_ptr<Module> Kept;
  const auto Arrays = survivors(Text, Kept);
  ASSERT_EQ(Arrays.size(), 1u);
  EXPECT_EQ(Arrays[0].Kernel, "kernel");
  EXPECT_EQ(Arrays[0].Variable->getName(), "values");
  EXPECT_EQ(Arrays[0].Bytes, 16u);
  ASSERT_NE(Arrays[0].DynamicIndex, nullptr);
  EXPECT_EQ(Arrays[0].DynamicIndex->getLine(), 7u);
  EXPECT_EQ(Arrays[0].DynamicIndex->getColumn(), 11u);
  EXPECT_EQ(Arrays[0].EscapesTo, "");
}

/// "for (i = 0; i < 1 && !last; ++i) ;  use(values[i]);"
TEST(SurvivingArraysTest, WhereACounterEndsUpIsAConstantToo) {
  LoweredText Text(withArray(R"(
    br label %head
  head:
    %i = phi i32 [ 0, %entry ], [ %next, %body ]
    %more = icmp ult i32 %i, 2
    br i1 %more, label %body, label %behind
  body:
    %next = add i32 %i, 1
    br label %head, !llvm.loop !22
  behind:
    %at = getelementptr inbounds [4 x float], ptr %values, i32 0, i32 %i
    %v = load float, ptr %at
    store float %v, ptr %out
    ret void)"));
  std::unique_ptr<Module> Kept;
  EXPECT_TRUE(survivors(Text, Kept).empty());
}

/// No compiler writes 2^20 rounds out.
TEST(SurvivingArraysTest, ALoopThatIsTooLongKeepsTheArray) {
  LoweredText Text(withArray(R"(
    br label %body
  body:
    %i = phi i32 [ 0, %entry ], [ %next, %body ]
    %low = and i32 %i, 3
    %at = getelementptr inbounds [4 x float], ptr %values, i32 0, i32 %low
    %v = load float, ptr %at
    %w = fadd float %v, 1.0
    store float %w, ptr %at
    %next = add i32 %i, 1
    %more = icmp ult i32 %next, 1048576
    br i1 %more, label %body, label %behind, !llvm.loop !22
  behind:
    store float %w, ptr %out
    ret void)"));
  std::unique_ptr<Module> Kept;
  EXPECT_EQ(survivors(Text, Kept).size(), 1u);
}

TEST(SurvivingArraysTest, AnArrayThatIsHandedOutNamesTheCallee) {
  LoweredText Text("declare void @library(ptr)\n" + withArray(R"(
    call void @library(ptr %values), !dbg !21
    ret void)"));
  std::unique_ptr<Module> Kept;
  const auto Arrays = survivors(Text, Kept);
  ASSERT_EQ(Arrays.size(), 1u);
  EXPECT_EQ(Arrays[0].EscapesTo, "library");
  EXPECT_EQ(Arrays[0].DynamicIndex, nullptr);
}

TEST(SurvivingArraysTest, ConstantIndicesNeedNoSecondLook) {
  LoweredText Text(withArray(R"(
    %at = getelementptr inbounds [4 x float], ptr %values, i32 0, i32 2
    %v = load float, ptr %at
    store float %v, ptr %out
    ret void)"));
  EXPECT_FALSE(lowering::hasPrivateArrays(*Text.M));
}

/// The canonical module is left as it is; only the clone is written out.
TEST(SurvivingArraysTest, TheModuleItselfIsNotTouched) {
  LoweredText Text(withArray(SortAndTakeTheMedian));
  const size_t Before = Text.all<Instruction>().size();
  std::unique_ptr<Module> Kept;
  survivors(Text, Kept);
  EXPECT_EQ(Text.all<Instruction>().size(), Before);
  EXPECT_TRUE(lowering::hasPrivateArrays(*Text.M));
}

} // namespace
