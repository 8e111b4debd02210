//===- CallAccessesTest.cpp - Memory operands of inline assembly ----------===//

#include "analyzer/lowering/CallAccesses.h"

#include "test/unit/evaluate/KernelText.h"

using namespace warpwise;
using namespace warpwise::access;
using namespace warpwise::lowering;
using namespace warpwise::test;

namespace {

using Accesses = llvm::SmallVector<CallAccess, 2>;

/// The accesses of an asm statement without results. \p Operands: "ptr %p".
struct Assembly {
  KernelText Text;
  Accesses Found;

  Assembly(const std::string &Code, const std::string &Constraints,
           const std::string &Operands, const std::string &Result = "void")
      : Text("ptr %p, ptr %q, i32 %s, i32 %n",
             (Result == "void" ? "" : "%r = ") + ("call " + Result) +
                 " asm sideeffect \"" + Code + "\", \"" + Constraints + "\"(" +
                 Operands + ")\nret void"),
        Found(callAccesses(*Text.call())) {}

  const llvm::Value *argument(unsigned N) { return Text.kernel().getArg(N); }
};

TEST(CallAccessesTest, AVectorLoadWithACacheHint) {
  Assembly A("ld.global.nc.L1::no_allocate.v4.f32 {$0,$1,$2,$3}, [$4];",
             "=f,=f,=f,=f,l", "ptr %q", "{ float, float, float, float }");
  ASSERT_EQ(A.Found.size(), 1u);
  EXPECT_EQ(A.Found[0].Pointer, A.argument(1));
  EXPECT_EQ(A.Found[0].Memory, Space::Global);
  EXPECT_EQ(A.Found[0].Op, Operation::Load);
  EXPECT_EQ(A.Found[0].Bytes, 16u);
  EXPECT_EQ(A.Found[0].Offset, 0);
}

TEST(CallAccessesTest, StoresAndAtomics) {
  Assembly Store("st.global.cs.v2.u64 [$0], {$1, $1};", "l,l",
                 "ptr %p, ptr %q");
  ASSERT_EQ(Store.Found.size(), 1u);
  EXPECT_EQ(Store.Found[0].Op, Operation::Store);
  EXPECT_EQ(Store.Found[0].Bytes, 16u);
  Assembly Red("red.relaxed.gpu.global.add.f32 [$0], $1;", "l,r",
               "ptr %p, i32 %n");
  ASSERT_EQ(Red.Found.size(), 1u);
  EXPECT_EQ(Red.Found[0].Op, Operation::Atomic);
  EXPECT_EQ(Red.Found[0].Bytes, 4u);
  Assembly Cas("atom.shared.cas.b64 $0, [$1], $2, $2;", "=l,r,l",
               "i32 %s, ptr %p", "i64");
  ASSERT_EQ(Cas.Found.size(), 1u);
  EXPECT_EQ(Cas.Found[0].Op, Operation::Atomic);
  EXPECT_EQ(Cas.Found[0].Memory, Space::Shared);
  EXPECT_EQ(Cas.Found[0].Pointer, Cas.argument(2));
  EXPECT_EQ(Cas.Found[0].Bytes, 8u);
}

TEST(CallAccessesTest, WidthsOfAllTypes) {
  const std::pair<const char *, unsigned> Types[] = {
      {"u8", 1},   {"s16", 2},   {"b32", 4},    {"f64", 8},    {"b128", 16},
      {"bf16", 2}, {"f16x2", 4}, {"v2.u16", 4}, {"v4.u32", 16}};
  for (const auto &[Type, Bytes] : Types) {
    Assembly A(std::string("ld.shared::cta.") + Type + " $0, [$1];", "=r,r",
               "i32 %s", "i32");
    ASSERT_EQ(A.Found.size(), 1u) << Type;
    EXPECT_EQ(A.Found[0].Bytes, Bytes) << Type;
    EXPECT_EQ(A.Found[0].Memory, Space::Shared) << Type;
  }
}

TEST(CallAccessesTest, OffsetsInTheBrackets) {
  const std::pair<const char *, int64_t> Operands[] = {
      {"[$1]", 0},       {"[$1+16]", 16}, {"[$1 + 32]", 32},
      {"[$1+0x40]", 64}, {"[$1+-8]", -8}, {"[$1-8]", -8}};
  for (const auto &[Operand, Offset] : Operands) {
    Assembly A(std::string("ld.global.u32 $0, ") + Operand + ";", "=r,l",
               "ptr %p", "i32");
    ASSERT_EQ(A.Found.size(), 1u) << Operand;
    EXPECT_EQ(A.Found[0].Offset, Offset) << Operand;
  }
  Assembly Immediate("ld.global.u32 $0, [$1+$2];", "=r,l,n", "ptr %p, i32 12",
                     "i32");
  ASSERT_EQ(Immediate.Found.size(), 1u);
  EXPECT_EQ(Immediate.Found[0].Offset, 12);
}

/// As CUTLASS writes guarded loads.
TEST(CallAccessesTest, APredicatedLoadInABlock) {
  Assembly A("{\\0A\\09.reg .pred p;\\0A\\09setp.ne.b32 p, $2, 0;\\0A\\09"
             "@p ld.global.u32 $0, [$1];\\0A}",
             "=r,l,r", "ptr %p, i32 %n", "i32");
  ASSERT_EQ(A.Found.size(), 1u);
  EXPECT_EQ(A.Found[0].Pointer, A.argument(0));
  EXPECT_EQ(A.Found[0].Bytes, 4u);
}

TEST(CallAccessesTest, LdmatrixTakesAddressesFromAsManyLanesAsItNeeds) {
  const std::pair<const char *, uint32_t> Sizes[] = {
      {"x1", 0xffu}, {"x2", 0xffffu}, {"x4", ~0u}};
  for (const auto &[Size, Lanes] : Sizes) {
    Assembly A(std::string("ldmatrix.sync.aligned.m8n8.") + Size +
                   ".shared.b16 {$0}, [$1];",
               "=r,r", "i32 %s", "i32");
    ASSERT_EQ(A.Found.size(), 1u);
    EXPECT_EQ(A.Found[0].Bytes, 16u);
    EXPECT_EQ(A.Found[0].Lanes, Lanes);
    EXPECT_EQ(A.Found[0].Memory, Space::Shared);
    EXPECT_EQ(A.Found[0].Sort, Access::Kind::TensorCore);
  }
}

void expectCopy(const Accesses &Found, unsigned Bytes) {
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Memory, Space::Global);
  EXPECT_EQ(Found[0].Op, Operation::Load);
  EXPECT_EQ(Found[1].Memory, Space::Shared);
  EXPECT_EQ(Found[1].Op, Operation::Store);
  for (const CallAccess &A : Found) {
    EXPECT_EQ(A.Bytes, Bytes);
    EXPECT_EQ(A.Sort, Access::Kind::AsyncCopy);
  }
}

TEST(CallAccessesTest, AsynchronousCopiesInAssembly) {
  Assembly Fixed("cp.async.cg.shared.global.L2::128B [$0], [$1], 16;", "r,l",
                 "i32 %s, ptr %p");
  expectCopy(Fixed.Found, 16);
  EXPECT_EQ(Fixed.Found[0].Pointer, Fixed.argument(0));
  EXPECT_EQ(Fixed.Found[1].Pointer, Fixed.argument(2));
  Assembly Operand("cp.async.ca.shared.global [$0], [$1], $2;", "r,l,n",
                   "i32 %s, ptr %p, i32 8");
  expectCopy(Operand.Found, 8);
  Assembly Filled("cp.async.ca.shared.global [$0], [$1], 4, $2;", "r,l,r",
                  "i32 %s, ptr %p, i32 %n");
  expectCopy(Filled.Found, 4);
}

TEST(CallAccessesTest, AsynchronousCopiesAsIntrinsics) {
  KernelText Text("ptr addrspace(3) %to, ptr addrspace(1) %from", R"(
    call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %to,
                                                     ptr addrspace(1) %from)
    ret void)");
  const Accesses Found = callAccesses(*Text.call());
  expectCopy(Found, 8);
  EXPECT_EQ(Found[0].Pointer, Text.kernel().getArg(1));
  EXPECT_EQ(Found[1].Pointer, Text.kernel().getArg(0));
}

TEST(CallAccessesTest, OtherStatementsMakeNoAccess) {
  for (const char *Code :
       {"cp.async.commit_group;", "cp.async.wait_group 0;", "bar.sync 0;",
        "mov.u32 $0, 5;", "ld.param.u32 $0, [$0];", "membar.gl;"}) {
    Assembly A(Code, "r", "i32 %s");
    EXPECT_TRUE(A.Found.empty()) << Code;
  }
}

TEST(CallAccessesTest, AssemblyIsEvaluatedLikeAnyAccess) {
  KernelText Text("ptr %p", R"(
    %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %at = getelementptr i32, ptr %p, i32 %tid
    %v = call i32 asm sideeffect "ld.global.u32 $0, [$1+4];", "=r,l"(ptr %at)
    ret void)");
  const auto Costs = costsOf(Text);
  ASSERT_EQ(Costs.size(), 1u);
  ASSERT_TRUE(Costs[0]);
  EXPECT_EQ(Costs[0]->State, Proof::Exact);
  EXPECT_DOUBLE_EQ(Costs[0]->Sectors.value_or(0), 5);
}

} // namespace
