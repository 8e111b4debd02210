//===- TranslationUnitTest.cpp - Parses that meet errors ------------------===//
//
// What a compiler would stop at and the analysis must not: errors in host code
// cost nothing, broken device code is dropped and named, its neighbours stay.
//
//===----------------------------------------------------------------------===//

#include "ParseTesting.h"

#include <map>

using namespace warpwise::frontend;
using namespace warpwise::frontend::test;

namespace {

using Names = std::vector<std::string>;

class TranslationUnitTest : public ParseTest {};

TEST_F(TranslationUnitTest, EmitsKernelsWithDebugLocations) {
  ParseResult Result = parse("__global__ void copy(float *To, float *From) {\n"
                             "  To[threadIdx.x] = From[threadIdx.x];\n"
                             "}\n");
  expectClean(Result);
  ASSERT_TRUE(defines(Result, "_Z4copyPfS_"));
  std::string Text = text(Result);
  EXPECT_NE(Text.find("!DILocation(line: 2, column: 21"), std::string::npos);
  EXPECT_NE(Text.find("llvm.nvvm.read.ptx.sreg.tid.x"), std::string::npos);
  EXPECT_EQ(Text.find("optnone"), std::string::npos);
}

TEST_F(TranslationUnitTest, ShowsTheASTOnce) {
  parse("__global__ void k() {}");
  EXPECT_EQ(SeenASTs, 1u);
}

TEST_F(TranslationUnitTest, TakesDeviceCodeOnly) {
  ParseResult Result = parse("void host() {}\n__global__ void k() {}\n");
  EXPECT_TRUE(defines(Result, "_Z1kv"));
  EXPECT_FALSE(defines(Result, "_Z4hostv"));
}

/// What no kernel gets to costs a parse, and no code generation: functions at
/// the top, members of classes, and what classes hold.
TEST_F(TranslationUnitTest, EmitsOnlyWhatIsUsed) {
  ParseResult Result =
      parse("__device__ int used() { return 1; }\n"
            "__device__ int unused() { return 2; }\n"
            "struct Table {\n"
            "  __device__ static int looked() { return 3; }\n"
            "  __device__ static int skipped() { return 4; }\n"
            "  static constexpr int Size = 5, Other[2] = {6, 7};\n"
            "};\n"
            "__global__ void k(int *To, int I) {\n"
            "  *To = used() + Table::looked() + (&Table::Size)[I];\n"
            "}\n");
  expectClean(Result);
  EXPECT_TRUE(defines(Result, "_Z4usedv"));
  EXPECT_TRUE(defines(Result, "_ZN5Table6lookedEv"));
  EXPECT_EQ(Result.Module->getFunction("_Z6unusedv"), nullptr);
  EXPECT_EQ(Result.Module->getFunction("_ZN5Table7skippedEv"), nullptr);
  EXPECT_NE(Result.Module->getNamedGlobal("_ZN5Table4SizeE"), nullptr);
  EXPECT_EQ(Result.Module->getNamedGlobal("_ZN5Table5OtherE"), nullptr);
}

/// nvcc reads them from global memory.
TEST_F(TranslationUnitTest, OnlyWhatSaysConstantIsInConstantMemory) {
  ParseResult Result =
      parse("__constant__ const float Said[] = {1, 2};\n"
            "namespace app { __device__ const float Unsaid[] = {1, 2}; }\n"
            "__global__ void k(float *To, int N) {\n"
            "  static const float Local[] = {1, 2};\n"
            "  To[0] = Said[N] + app::Unsaid[N] + Local[N];\n"
            "}\n");
  std::map<std::string, unsigned> Spaces;
  for (const llvm::GlobalVariable &Variable : Result.Module->globals())
    Spaces[Variable.getName().str()] = Variable.getAddressSpace();
  EXPECT_EQ(Spaces, (std::map<std::string, unsigned>{{"_ZL4Said", 4},
                                                     {"_ZN3appL6UnsaidE", 1},
                                                     {"_ZZ1kPfiE5Local", 1}}));
}

TEST_F(TranslationUnitTest, GoesOnAfterAHostError) {
  ParseResult Result = parse("template <class T> __global__ void k(T *p) {\n"
                             "  p[threadIdx.x] = 1;\n"
                             "}\n"
                             "int main() {\n"
                             "  unknownFunction();\n"
                             "  k<<<1, 32>>>((int *)0);\n"
                             "}\n");
  EXPECT_TRUE(Result.Dropped.empty());
  ASSERT_EQ(Result.HostErrors.size(), 1u);
  EXPECT_EQ(Result.HostErrors[0].Where.Line, 5u);
  EXPECT_EQ(Result.HostErrors[0].Message,
            "use of undeclared identifier 'unknownFunction'");
  // The launch that comes after the error still instantiates the kernel.
  EXPECT_TRUE(defines(Result, "_Z1kIiEvPT_"));
}

TEST_F(TranslationUnitTest, DropsAndNamesABrokenKernel) {
  ParseResult Result = parse("namespace app {\n"
                             "__global__ void good(int *p) { *p = 1; }\n"
                             "__global__ void bad(int *p) {\n"
                             "  *p = nowhere;\n"
                             "}\n"
                             "__global__ void alsoGood(int *p) { *p = 2; }\n"
                             "}\n");
  EXPECT_TRUE(defines(Result, "_ZN3app4goodEPi"));
  EXPECT_TRUE(defines(Result, "_ZN3app8alsoGoodEPi"));
  EXPECT_FALSE(defines(Result, "_ZN3app3badEPi"));
  EXPECT_TRUE(Result.HostErrors.empty());
  ASSERT_EQ(Result.Dropped.size(), 1u);
  const DroppedFunction &Bad = Result.Dropped[0];
  EXPECT_EQ(Bad.Name, "app::bad");
  EXPECT_EQ(Bad.Mangled, "_ZN3app3badEPi");
  EXPECT_TRUE(Bad.IsKernel);
  EXPECT_EQ(Bad.Where.File, Folder.at("input.cu"));
  EXPECT_EQ(Bad.Where.Line, 3u);
  EXPECT_EQ(Bad.Cause.Where.Line, 4u);
  EXPECT_EQ(Bad.Cause.Where.Column, 8u);
  EXPECT_EQ(Bad.Cause.Message, "use of undeclared identifier 'nowhere'");
}

TEST_F(TranslationUnitTest, KeepsTheCallerOfADroppedFunction) {
  ParseResult Result =
      parse("__device__ int helper(int x) { return x + nowhere; }\n"
            "__global__ void k(int *p) { *p = helper(*p); }\n");
  EXPECT_EQ(droppedNames(Result), Names{"helper"});
  EXPECT_FALSE(Result.Dropped[0].IsKernel);
  EXPECT_TRUE(defines(Result, "_Z1kPi"));
  EXPECT_FALSE(defines(Result, "_Z6helperi"));
  EXPECT_NE(Result.Module->getFunction("_Z6helperi"), nullptr);
}

TEST_F(TranslationUnitTest, DropsTheInstantiationThatBreaks) {
  ParseResult Result =
      parse("template <class T> __global__ void k(T *p) { p->x = 1; }\n"
            "struct HasX { int x; };\n"
            "struct HasNone { int y; };\n"
            "void run(HasX *a, HasNone *b) {\n"
            "  k<<<1, 1>>>(a);\n"
            "  k<<<1, 1>>>(b);\n"
            "}\n");
  EXPECT_EQ(droppedNames(Result), Names{"k<HasNone>"});
  EXPECT_EQ(Result.Dropped[0].Mangled, "_Z1kI7HasNoneEvPT_");
  EXPECT_TRUE(defines(Result, "_Z1kI4HasXEvPT_"));
}

TEST_F(TranslationUnitTest, DropsWhatABrokenTemplateMakes) {
  ParseResult Result =
      parse("template <class T> __global__ void k(T *p) { *p = nowhere; }\n"
            "void run(int *p) { k<<<1, 1>>>(p); }\n");
  EXPECT_EQ(droppedNames(Result), Names{"k<int>"});
  EXPECT_FALSE(defines(Result, "_Z1kIiEvPT_"));
}

TEST_F(TranslationUnitTest, DropsMemberFunctionsAndLambdas) {
  ParseResult Result = parse(
      "struct Row {\n"
      "  __device__ int bad() { return nowhere; }\n"
      "  __device__ int good() { return 1; }\n"
      "};\n"
      "template <class F> __global__ void apply(int *p, F f) {\n"
      "  *p = f(*p) + Row().good() + Row().bad();\n"
      "}\n"
      "void run(int *p) {\n"
      "  apply<<<1, 1>>>(p, [] __device__(int x) { lost(); return x; });\n"
      "}\n");
  ASSERT_EQ(Result.Dropped.size(), 2u);
  EXPECT_EQ(Result.Dropped[0].Name, "Row::bad");
  EXPECT_EQ(Result.Dropped[1].Cause.Message,
            "use of undeclared identifier 'lost'");
  EXPECT_TRUE(defines(Result, "_ZN3Row4goodEv"));
}

TEST_F(TranslationUnitTest, DropsTheUserOfAnUnknownType) {
  ParseResult Result = parse("struct Cell { Unknown Value; int Next; };\n"
                             "typedef AlsoUnknown Word;\n"
                             "__device__ Cell Cells[4];\n"
                             "__global__ void cells(Cell *c) {\n"
                             "  c[threadIdx.x].Next = 0;\n"
                             "}\n"
                             "__global__ void words(Word *w) {\n"
                             "  w[threadIdx.x] = 0;\n"
                             "}\n"
                             "__global__ void global() { Cells[0].Next = 1; }\n"
                             "__global__ void fine(int *p) { *p = 1; }\n");
  EXPECT_EQ(droppedNames(Result), (Names{"cells", "words", "global"}));
  // Clang made an int of both; the message is about the name all the same.
  EXPECT_EQ(Result.Dropped[0].Cause.Message, "unknown type name 'Unknown'");
  EXPECT_EQ(Result.Dropped[1].Cause.Message, "unknown type name 'AlsoUnknown'");
  EXPECT_TRUE(defines(Result, "_Z4finePi"));
}

TEST_F(TranslationUnitTest, DropsACallOfAHostFunction) {
  ParseResult Result = parse("int host(int x);\n"
                             "__device__ int reads(int x) { return host(x); }\n"
                             "__global__ void k(int *p) { *p = reads(1); }\n"
                             "__global__ void fine(int *p) { *p = 1; }\n");
  EXPECT_EQ(droppedNames(Result), Names{"reads"});
  EXPECT_TRUE(defines(Result, "_Z4finePi"));
}

TEST_F(TranslationUnitTest, GoesOnWithoutAHeader) {
  ParseResult Result = parse("#include \"not/there.h\"\n"
                             "__global__ void k(int *p) { *p = 1; }\n");
  EXPECT_EQ(Result.MissingHeaders, Names{"not/there.h"});
  EXPECT_TRUE(Result.HostErrors.empty());
  EXPECT_TRUE(defines(Result, "_Z1kPi"));
}

TEST_F(TranslationUnitTest, FindsManyErrors) {
  std::string Source;
  for (int I = 0; I < 40; ++I)
    Source += "void f" + std::to_string(I) + "() { nowhere(); }\n";
  ParseResult Result = parse(Source + "__global__ void k() {}\n");
  EXPECT_EQ(Result.HostErrors.size(), 40u);
  EXPECT_TRUE(defines(Result, "_Z1kv"));
}

TEST_F(TranslationUnitTest, AcceptsSharedObjectsWithConstructors) {
  ParseResult Result =
      parse("struct Counter {\n"
            "  int Count;\n"
            "  __device__ Counter() : Count(7) {}\n"
            "};\n"
            "template <int N> __global__ void k(int *p) {\n"
            "  __shared__ Counter Shared[N];\n"
            "  Counter Local;\n"
            "  p[threadIdx.x] = Shared[threadIdx.x].Count + Local.Count;\n"
            "}\n"
            "void run(int *p) { k<32><<<1, 32>>>(p); }\n");
  expectClean(Result);
  ASSERT_TRUE(defines(Result, "_Z1kILi32EEvPi"));
  // The shared ones are not constructed, as with nvcc; the local one is.
  EXPECT_TRUE(defines(Result, "_ZN7CounterC2Ev"));
  EXPECT_EQ(SeenASTs, 1u);
}

/// As cuda::pipeline_shared_state, whose members have one.
TEST_F(TranslationUnitTest, AcceptsSharedObjectsWhoseMembersHaveDestructors) {
  ParseResult Result = parse("struct Barrier {\n"
                             "  int Count;\n"
                             "  Barrier() = default;\n"
                             "  __device__ ~Barrier() { Count = 0; }\n"
                             "};\n"
                             "struct Stage { Barrier Full, Empty; };\n"
                             "template <int N> struct State {\n"
                             "  State() = default;\n"
                             "  Stage Stages[N];\n"
                             "};\n"
                             "__global__ void k(int *p) {\n"
                             "  __shared__ State<2> Shared;\n"
                             "  p[threadIdx.x] = Shared.Stages[1].Full.Count;\n"
                             "}\n");
  expectClean(Result);
  EXPECT_TRUE(defines(Result, "_Z1kPi"));
}

/// As cuda_fp16.h has it of __half2 and __half2_raw: "P = {}" could be either.
/// Clang 19 alone says that there is no such function: it has not counted the
/// elements yet.
TEST_F(TranslationUnitTest, AcceptsConstantsFromArraysWithoutABound) {
  ParseResult Result =
      parse("template <bool Is> __device__ int pick(int A) { return Is * A; }\n"
            "template <bool... Active> struct Base {\n"
            "  static constexpr bool IsActive[] = {Active...};\n"
            "};\n"
            "template <bool... Active> struct Wrap : Base<Active...> {\n"
            "  using Base<Active...>::IsActive;\n"
            "  template <int N> __device__ int get(int A) const {\n"
            "    return pick<IsActive[N]>(A);\n"
            "  }\n"
            "};\n"
            "__global__ void k(Wrap<false, true> W, int *p) {\n"
            "  p[threadIdx.x] = W.get<1>(p[0]);\n"
            "}\n");
  expectClean(Result);
  EXPECT_TRUE(defines(Result, "_Z1k4WrapIJLb0ELb1EEEPi"));
}

TEST_F(TranslationUnitTest, AssignsBracesAsNvcc) {
  const std::string Header =
      "# 1 \"pair.h\" 1 3\n"
      "struct Raw { unsigned short x, y; };\n"
      "struct Pair {\n"
      "  unsigned short x, y;\n"
      "  Pair() = default;\n"
      "  __device__ Pair(const Pair &From) : x(From.x), y(From.y) {}\n"
      "  __device__ Pair(const Raw &From) : x(From.x), y(From.y) {}\n"
      "  __device__ Pair &operator=(const Pair &From);\n"
      "  __device__ Pair &operator=(const Raw &From);\n"
      "};\n"
      "__device__ inline Pair &Pair::operator=(const Pair &From) {\n"
      "  x = From.x;\n"
      "  y = From.y;\n"
      "  return *this;\n"
      "}\n"
      "__device__ inline Pair &Pair::operator=(const Raw &From) {\n"
      "  x = From.x;\n"
      "  y = From.y;\n"
      "  return *this;\n"
      "}\n"
      "# 2 \"k.cu\" 2\n";
  ParseResult Result = parse(Header + "__global__ void k(Pair *To, Raw R) {\n"
                                      "  To[0] = {};\n"
                                      "  To[1] = R;\n"
                                      "}\n");
  expectClean(Result);
  EXPECT_TRUE(defines(Result, "_Z1kP4Pair3Raw"));
}

TEST_F(TranslationUnitTest, AcceptsAlignasAfterShared) {
  ParseResult Result = parse("__global__ void k(float *p) {\n"
                             "  __shared__ alignas(16) float Tile[64];\n"
                             "  Tile[threadIdx.x] = *p;\n"
                             "  *p = Tile[0];\n"
                             "}\n");
  expectClean(Result);
  EXPECT_TRUE(defines(Result, "_Z1kPf"));
}

TEST_F(TranslationUnitTest, LeavesOutLaunchesByKernels) {
  ParseResult Result = parse("__global__ void child(int *p) { *p = 1; }\n"
                             "__global__ void parent(int *p) {\n"
                             "  p[threadIdx.x] = 2;\n"
                             "  child<<<1, 1>>>(p);\n"
                             "}\n");
  EXPECT_TRUE(Result.Dropped.empty());
  ASSERT_TRUE(defines(Result, "_Z6parentPi"));
  const llvm::Function *Child = Result.Module->getFunction("_Z5childPi");
  ASSERT_NE(Child, nullptr);
  EXPECT_TRUE(Child->use_empty());
}

TEST_F(TranslationUnitTest, KnowsWhatMathCallsCompute) {
  ParseResult Result =
      parse("__global__ void k(int *p, float x) {\n"
            "  p[0] = min(p[1], p[2]) + __mul24(p[3], 4) + __popc(p[4]);\n"
            "  p[5] = (int)floorf(x) + (int)sinf(x);\n"
            "}\n");
  expectClean(Result);
  std::string Text = text(Result);
  EXPECT_NE(Text.find("@llvm.smin.i32"), std::string::npos);
  EXPECT_NE(Text.find("@llvm.ctpop.i32"), std::string::npos);
  EXPECT_NE(Text.find("@llvm.floor.f32"), std::string::npos);
  EXPECT_EQ(Result.Module->getFunction("__nv_mul24"), nullptr);
  const llvm::Function *Sine = Result.Module->getFunction("__nv_sinf");
  ASSERT_NE(Sine, nullptr);
  EXPECT_TRUE(Sine->doesNotAccessMemory());
}

TEST_F(TranslationUnitTest, WritesNoFiles) {
  ParseResult Result = parse(
      "__global__ void k() {}",
      {"-MD", "-MF", Folder.at("dependencies.d"), "-o", Folder.at("output.o")});
  EXPECT_TRUE(defines(Result, "_Z1kv"));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.at("dependencies.d")));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.at("output.o")));
}

TEST_F(TranslationUnitTest, RunsNoProgram) {
  std::string Ran = Folder.at("ran");
  std::string Tool =
      Folder.write("nvptx-arch", "#!/bin/sh\ntouch " + Ran + "\necho sm_90\n");
  llvm::sys::fs::setPermissions(Tool, llvm::sys::fs::all_all);
  DeviceCommand Command;
  Command.File = Folder.write("input.cu", "__global__ void k() {}\n");
  Command.Directory = Folder.path().str();
  Command.Arguments = {"--nvptx-arch-tool=" + Tool,
                       "--offload-arch=native",
                       "-B" + Folder.path().str(),
                       "-x",
                       "cuda",
                       Command.File};
  auto Result = parseForDevice(Command, Context, [](auto &) {});
  ASSERT_TRUE(bool(Result)) << llvm::toString(Result.takeError());
  EXPECT_FALSE(llvm::sys::fs::exists(Ran));
}

TEST_F(TranslationUnitTest, SaysWhichFileIsMissing) {
  DeviceCommand Command;
  Command.Directory = Folder.path().str();
  Command.File = Folder.at("none.cu");
  Command.Arguments = {"-x", "cuda", Command.File};
  auto Result = parseForDevice(Command, Context, [](auto &) {});
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(llvm::toString(Result.takeError()),
            "no such file: '" + Command.File + "'");
}

TEST_F(TranslationUnitTest, SaysWhichFolderIsMissing) {
  DeviceCommand Command;
  Command.File = Folder.write("input.cu", "");
  Command.Directory = Folder.at("gone");
  Command.Arguments = {"-x", "cuda", Command.File};
  auto Result = parseForDevice(Command, Context, [](auto &) {});
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(llvm::toString(Result.takeError()),
            "cannot enter the folder '" + Command.Directory +
                "' that the compile command of '" + Command.File + "' names");
}

} // namespace
