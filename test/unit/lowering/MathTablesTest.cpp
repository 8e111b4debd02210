//===- MathTablesTest.cpp - Tables that mathematical functions read -------===//

#include "test/unit/lowering/LoweredText.h"

using namespace llvm;
using namespace warpwise::test;

namespace {

/// Loads that come with \p Call, of a double %x.
size_t loadsWith(const std::string &Call) {
  return LoweredText("declare double @__nv_sin(double) memory(none)\n"
                     "declare double @__nv_cospi(double) memory(none)\n"
                     "declare double @__nv_exp(double) memory(none)\n"
                     "define void @kernel(double %x, ptr %out) {\n"
                     "  %y = call double " +
                     Call + "\n  store double %y, ptr %out\n  ret void\n}")
      .all<LoadInst>()
      .size();
}

TEST(MathTablesTest, SineAndCosineLookUpARow) {
  EXPECT_EQ(loadsWith("@__nv_sin(double %x)"), 3u);
  EXPECT_EQ(loadsWith("@__nv_cospi(double %x)"), 3u);
  EXPECT_EQ(loadsWith("@__nv_exp(double %x)"), 0u);
}

TEST(MathTablesTest, WhatIsConstantIsFolded) {
  EXPECT_EQ(loadsWith("@__nv_sin(double 1.0)"), 0u);
}

TEST(MathTablesTest, SineAndCosineInOneDoNot) {
  EXPECT_EQ(loadsWith("@__nv_sin(double %x) \"warpwise-one-of-two\""), 0u);
}

} // namespace
