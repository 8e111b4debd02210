//===- CarriedWordsTest.cpp - Sums that threads keep in shared memory -----===//

#include "KernelText.h"

#include "analyzer/evaluate/CarriedWords.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <fmt/format.h>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr const char *Globals = R"(
  @sums = internal addrspace(3) global [256 x float] undef, align 16
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare void @llvm.nvvm.barrier0()
)";

/// sums[t] += in[i] in an inner loop, which an outer one runs several times,
/// with \p InInner beside it, and \p Between and \p After the inner loop.
std::string summedUp(const std::string &InInner, const std::string &Between,
                     const std::string &After) {
  return R"(
  entry:
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %lane = zext i32 %t to i64
    %own = getelementptr float, ptr addrspace(3) @sums, i64 %lane
    %mirrored = sub i64 255, %lane
    %others = getelementptr float, ptr addrspace(3) @sums, i64 %mirrored
    br label %outer
  outer:
    %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
    br label %inner
  inner:
    %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
    %wide = zext i32 %i to i64
    %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
    %v = load float, ptr addrspace(1) %from
    %again = getelementptr float, ptr addrspace(3) @sums, i64 %lane
    %before = load volatile float, ptr addrspace(3) %own
    %sum = fadd float %before, %v
    store volatile float %sum, ptr addrspace(3) %again
    )" + InInner +
         R"(
    %i.next = add nsw i32 %i, 1
    %i.more = icmp slt i32 %i.next, 64
    br i1 %i.more, label %inner, label %latch
  latch:
    )" + Between +
         R"(
    %j.next = add nsw i32 %j, 1
    %j.more = icmp slt i32 %j.next, 8
    br i1 %j.more, label %outer, label %end
  end:
    )" + After +
         R"(
    ret void)";
}

constexpr const char *Barrier = "call void @llvm.nvvm.barrier0()\n";

/// The depth of the loop that the sum is carried through: 1 is the outer one, 0
/// none. So many accesses go with it.
unsigned depthOfCarried(const std::string &InInner, const std::string &Between,
                        const std::string &After, size_t Accesses = 2) {
  test::KernelText Text("ptr addrspace(1) %in, ptr addrspace(1) %out",
                        summedUp(InInner, Between, After), Globals);
  DominatorTree Tree(Text.kernel());
  const llvm::LoopInfo Loops(Tree);
  const CarriedWords Carried = carriedWords(Text.kernel(), Loops);
  const auto Load = Carried.find(Text.instruction("before"));
  EXPECT_EQ(Carried.size(), Load == Carried.end() ? 0u : Accesses);
  return Load == Carried.end() ? 0 : Load->second.Around->getLoopDepth();
}

const std::string LoadsOthers =
    "%there = load volatile float, ptr addrspace(3) %others\n";

TEST(CarriedWords, ThroughTheOutermostLoop) {
  EXPECT_EQ(depthOfCarried("", "", Barrier + LoadsOthers), 1u);
}

TEST(CarriedWords, NotAcrossABarrier) {
  EXPECT_EQ(depthOfCarried("", Barrier, Barrier + LoadsOthers), 2u);
  EXPECT_EQ(depthOfCarried(Barrier, "", LoadsOthers), 0u);
}

TEST(CarriedWords, OthersLookAtThemWithoutABarrier) {
  EXPECT_EQ(depthOfCarried("", "", LoadsOthers), 0u);
  EXPECT_EQ(depthOfCarried("", LoadsOthers, Barrier), 0u);
  // From the end of a round of the outer loop to the next.
  EXPECT_EQ(depthOfCarried("", Barrier + LoadsOthers, ""), 0u);
  EXPECT_EQ(depthOfCarried("", Barrier + LoadsOthers + Barrier, ""), 2u);
}

TEST(CarriedWords, TheThreadItselfMayLookAtThem) {
  EXPECT_EQ(depthOfCarried("", "",
                           "%mine = load volatile float, ptr addrspace(3) %own"
                           "\n"),
            1u);
}

/// Each number is the square of the one before: as many ways lead through them
/// as 2 to the power of their number.
TEST(CarriedWords, IndicesMayBeLongComputations) {
  constexpr unsigned Squares = 64;
  std::string Both;
  for (const char *Name : {"a", "b"}) {
    std::string Last = "%lane";
    for (unsigned N = 0; N != Squares; ++N) {
      const std::string Next = fmt::format("%{}{}", Name, N);
      Both += fmt::format("{0} = mul i64 {1}, {1}\n", Next, Last);
      Last = Next;
    }
    Both += fmt::format("%at.{} = getelementptr float, ptr addrspace(3) @sums, "
                        "i64 {}\n",
                        Name, Last);
  }
  Both += "%x = load volatile float, ptr addrspace(3) %at.a\n"
          "store volatile float %x, ptr addrspace(3) %at.b\n";
  EXPECT_EQ(depthOfCarried(Both, "", Barrier, 4), 1u);
}

TEST(CarriedWords, SomethingElseMayBeTheWord) {
  EXPECT_EQ(depthOfCarried("%x = atomicrmw add ptr addrspace(3) %own, i32 1 "
                           "monotonic\n",
                           "", Barrier),
            0u);
  EXPECT_EQ(depthOfCarried("%p = inttoptr i64 %wide to ptr addrspace(3)\n"
                           "store float 0.0, ptr addrspace(3) %p\n",
                           "", Barrier),
            0u);
  EXPECT_EQ(
      depthOfCarried("store float 0.0, ptr addrspace(1) %out\n", "", Barrier),
      1u);
}

} // namespace
} // namespace warpwise::access
