//===- BlockRunnerTest.cpp - Kernels on this machine ----------------------===//

#include "analyzer/execution/HostKernels.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace warpwise::execution {
namespace {

class BlockRunnerTest : public testing::Test {
protected:
  /// Compiles "kernel" with an argument %out and the special register %t.
  void compile(const std::string &Body, const std::string &Globals = "",
               const Wishes &Wanted = {}) {
    const std::string Text =
        "target triple = \"nvptx64-nvidia-cuda\"\n" + Globals +
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "define void @kernel(ptr %out) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %n = zext i32 %t to i64\n" +
        Body +
        "  ret void\n}\n"
        "!nvvm.annotations = !{!0}\n"
        "!0 = !{ptr @kernel, !\"kernel\", i32 1}\n";
    orc::ThreadSafeContext Context(std::make_unique<LLVMContext>());
    SMDiagnostic Mistake;
    std::unique_ptr<Module> M =
        parseAssemblyString(Text, Mistake, *Context.getContext());
    ASSERT_TRUE(M) << Mistake.getMessage().str();
    Kernels = cantFail(
        HostKernels::compile(std::move(M), std::move(Context), Wanted));
    Kernels->addVariables(Memory);
    Runner.emplace(Kernels->numbering(), Memory);
  }

  bool run(unsigned Threads) {
    Out = reinterpret_cast<uint32_t *>(Memory.allocate(Contents::Zeros));
    void *Arguments[] = {&Out};
    return Runner->run(Kernels->driver("kernel"), Arguments, {Threads, 1, 1},
                       {1, 1, 1}, {0, 0, 0});
  }

  DeviceMemory Memory;
  std::optional<HostKernels> Kernels;
  std::optional<BlockRunner> Runner;
  uint32_t *Out = nullptr;
};

TEST_F(BlockRunnerTest, ThreadsMeetAtBarriers) {
  compile("  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %n\n"
          "  store i32 %t, ptr addrspace(3) %mine\n"
          "  call void @llvm.nvvm.barrier0()\n"
          "  %o = sub i64 63, %n\n"
          "  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %o\n"
          "  %v = load i32, ptr addrspace(3) %other\n"
          "  %to = getelementptr i32, ptr %out, i64 %n\n"
          "  store i32 %v, ptr %to\n",
          "@tile = internal addrspace(3) global [64 x i32] undef\n"
          "declare void @llvm.nvvm.barrier0()\n");
  ASSERT_TRUE(run(64));
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Out[T], 63 - T);
  // Two accesses to shared memory, the barrier, and the store.
  EXPECT_EQ(Runner->trace(5).Events.size(), 4u);
}

TEST_F(BlockRunnerTest, LanesExchangeValues) {
  compile("  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 "
          "1, i32 31)\n"
          "  %to = getelementptr i32, ptr %out, i64 %n\n"
          "  store i32 %v, ptr %to\n",
          "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n");
  ASSERT_TRUE(run(32));
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], T ^ 1);
}

/// With the mask where LLVM has it, and where Clang's headers hand it over.
TEST_F(BlockRunnerTest, LanesAddUp) {
  for (const char *Operands : {"i32 %t, i32 -1", "i32 -1, i32 %t"}) {
    compile(std::string("  %v = call i32 @llvm.nvvm.redux.sync.add(") +
                Operands +
                ")\n"
                "  %to = getelementptr i32, ptr %out, i64 %n\n"
                "  store i32 %v, ptr %to\n",
            "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n");
    ASSERT_TRUE(run(32));
    for (unsigned T = 0; T != 32; ++T)
      EXPECT_EQ(Out[T], 496u) << Operands;
  }
}

TEST_F(BlockRunnerTest, PrivateAccessesAreReportedOnRequest) {
  const std::string Body = "  %local.0 = alloca [4 x i32]\n"
                           "  %other = alloca [4 x i32]\n"
                           "  %i = and i64 %n, 3\n"
                           "  %a = getelementptr i32, ptr %local.0, i64 %i\n"
                           "  store volatile i32 %t, ptr %a\n"
                           "  %b = getelementptr i32, ptr %other, i64 %i\n"
                           "  store volatile i32 %t, ptr %b\n";
  Wishes Wanted;
  Wanted.LocalMemory = "local.";
  compile(Body, "", Wanted);
  ASSERT_TRUE(run(4));
  for (unsigned T = 0; T != 4; ++T) {
    ASSERT_EQ(Runner->trace(T).Events.size(), 1u);
    // Offsets into the frame, which is laid out alike in all threads.
    EXPECT_EQ(Runner->trace(T).Events[0].Address,
              Runner->trace(0).Events[0].Address + 4 * T);
  }
}

TEST_F(BlockRunnerTest, EndlessLoopsAreAbandoned) {
  compile("  br label %again\nagain:\n"
          "  store volatile i32 1, ptr %out\n"
          "  br i1 true, label %again, label %end\nend:\n");
  EXPECT_FALSE(run(1));
}

TEST_F(BlockRunnerTest, PrivateMemoryEndsWhereItEnds) {
  // The whole frame, a little beyond, and far away: through a pointer of which
  // nobody can tell that it is private.
  compile("  %a = alloca [4 x i64]\n"
          "  %c = icmp ult i32 %t, 100\n"
          "  %p = select i1 %c, ptr %a, ptr %out\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [-20000, %0], [%j, %loop]\n"
          "  %at = getelementptr i64, ptr %p, i64 %i\n"
          "  store i64 4774451407313060418, ptr %at\n"
          "  %j = add i64 %i, 1\n"
          "  %more = icmp slt i64 %j, 20000\n"
          "  br i1 %more, label %loop, label %end\n"
          "end:\n"
          "  call void @llvm.memset.p0.i64(ptr %p, i8 66, i64 67108864, i1 0)\n"
          "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %out, i64 67108864, "
          "i1 0)\n"
          "  %first = load i64, ptr %a\n"
          "  %to = getelementptr i64, ptr %out, i64 %n\n"
          "  store i64 %first, ptr %to\n",
          "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
          "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
  ASSERT_TRUE(run(32));
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Out[T], 0x42424242u);
}

TEST_F(BlockRunnerTest, AnAccessLargerThanItsObjectLeadsNowhere) {
  compile("  %a = alloca i8\n"
          "  store i8 7, ptr %a\n"
          "  store <16 x i32> splat (i32 66), ptr %a\n"
          "  %v = load i8, ptr %a\n"
          "  %w = zext i8 %v to i32\n"
          "  %to = getelementptr i32, ptr %out, i64 %n\n"
          "  store i32 %w, ptr %to\n");
  ASSERT_TRUE(run(32));
  EXPECT_EQ(Out[5], 7u);
}

TEST_F(BlockRunnerTest, DivisionsAreAsOnTheDevice) {
  // %zero and %one are 0 and -1, which nobody can know.
  compile("  %zero = lshr i32 %t, 31\n"
          "  %one = sub i32 %zero, 1\n"
          "  %least = shl i32 %one, 31\n"
          "  %a = sdiv i32 %least, %one\n"
          "  %b = srem i32 %least, %one\n"
          "  %c = sdiv i32 %t, %zero\n"
          "  %d = udiv i32 %t, %zero\n"
          "  %e = sdiv i32 -7, %one\n"
          "  %v0 = insertelement <2 x i32> zeroinitializer, i32 %zero, i32 0\n"
          "  %v = udiv <2 x i32> splat (i32 5), %v0\n"
          "  %f = extractelement <2 x i32> %v, i32 1\n"
          "  store i32 %a, ptr %out\n"
          "  %o1 = getelementptr i32, ptr %out, i64 1\n"
          "  store i32 %b, ptr %o1\n"
          "  %o2 = getelementptr i32, ptr %out, i64 2\n"
          "  store i32 %c, ptr %o2\n"
          "  %o3 = getelementptr i32, ptr %out, i64 3\n"
          "  store i32 %d, ptr %o3\n"
          "  %o4 = getelementptr i32, ptr %out, i64 4\n"
          "  store i32 %e, ptr %o4\n"
          "  %o5 = getelementptr i32, ptr %out, i64 5\n"
          "  store i32 %f, ptr %o5\n");
  ASSERT_TRUE(run(1));
  EXPECT_EQ(Out[0], 0x80000000u);
  EXPECT_EQ(Out[1], 0u);
  EXPECT_EQ(Out[2], ~0u);
  EXPECT_EQ(Out[3], ~0u);
  EXPECT_EQ(Out[4], 7u);
  EXPECT_EQ(Out[5], ~0u);
}

} // namespace
} // namespace warpwise::execution
