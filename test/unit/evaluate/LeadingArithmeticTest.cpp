//===- LeadingArithmeticTest.cpp - What says where accesses go ------------===//

#include "analyzer/evaluate/LeadingArithmetic.h"

#include "analyzer/evaluate/BlockSchedule.h"
#include "test/unit/evaluate/KernelText.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace llvm;

namespace warpwise::access {
namespace {

/// out[n % columns * rows + n / columns] = in[n], beside what the value of
/// \p Use is computed from.
test::KernelText transposed(const std::string &Use) {
  const std::string Start = R"(
    %row = udiv i32 %n, %columns
    %column = urem i32 %n, %columns
    %line = mul i32 %column, %rows
    %to = add i32 %line, %row
    %from = getelementptr float, ptr addrspace(1) %in, i32 %n
    %at = getelementptr float, ptr addrspace(1) %out, i32 %to
    %v = load float, ptr addrspace(1) %from
)";
  return {"ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, i32 %columns, "
          "i32 %rows",
          Start + Use + "\nstore float %w, ptr addrspace(1) %at\nret void\n"};
}

std::set<std::string> leading(test::KernelText &Text) {
  std::set<std::string> Names;
  for (const Instruction *I : leadingArithmetic(Text.kernel()))
    Names.insert(I->getName().str());
  return Names;
}

TEST(LeadingArithmeticTest, AllThatLeadsToThePlace) {
  test::KernelText Text = transposed("%w = fmul float %v, 2.0");
  EXPECT_EQ(leading(Text), (std::set<std::string>{"row", "column", "line", "to",
                                                  "from", "at"}));
}

TEST(LeadingArithmeticTest, NotWhatTheValueIsMadeOf) {
  test::KernelText Text = transposed("%add = uitofp i32 %column to float\n"
                                     "%w = fadd float %v, %add");
  EXPECT_EQ(leading(Text),
            (std::set<std::string>{"row", "line", "to", "from", "at"}));
}

TEST(LeadingArithmeticTest, NorWhatIsComparedOrStored) {
  test::KernelText Text =
      transposed("%less = icmp ult i32 %to, 7\n"
                 "%w = select i1 %less, float %v, float 0.0\n"
                 "store ptr addrspace(1) %at, ptr "
                 "addrspace(1) %in");
  EXPECT_EQ(leading(Text), (std::set<std::string>{"from"}));
}

/// What is counted of a block is a part of what it issues.
TEST(LeadingArithmeticTest, IsIssuedAmongTheRest) {
  test::KernelText Text = transposed("%w = fmul float %v, 2.0");
  const BasicBlock &Block = Text.kernel().getEntryBlock();
  const BlockSchedule All = scheduleBlock(Block, nullptr, Unrolling(),
                                          leadingArithmetic(Text.kernel()));
  const auto of = [](const auto &Its, Pipe Where) {
    return Its[unsigned(Where)];
  };
  EXPECT_EQ(of(All.Leading, Pipe::Single), 0);
  EXPECT_EQ(of(All.Issued, Pipe::Single), 1);
  EXPECT_GT(of(All.Leading, Pipe::Sum), 10) << "two divisions";
  EXPECT_EQ(of(All.Leading, Pipe::Memory), 0);
  for (unsigned P = 0; P != PipeCount; ++P)
    EXPECT_LE(All.Leading[P], All.Issued[P]);
}

} // namespace
} // namespace warpwise::access
