//===- CountersTest.cpp - Counters that cannot be had ---------------------===//
//
// Without a GPU. What CUPTI counts is held against the profiler's own counts by
// kernels/counter-check, on a GPU.
//
//===----------------------------------------------------------------------===//

#include "profiler/collect/Counters.h"
#include "gtest/gtest.h"

using namespace warpwise::collect;

namespace {

/// Why nothing can be counted with \p Library as libcupti.
std::string reason(const std::string &Library) {
  Expected<Counters> Opened = Counters::open({metric::L1Loads}, Library);
  EXPECT_FALSE(bool(Opened));
  return Opened.reason();
}

bool contains(const std::string &Text, std::string_view Part) {
  return Text.find(Part) != std::string::npos;
}

/// Toolkits before CUDA 12.6 have no headers for it.
bool isBuiltIn() { return !contains(reason("/nowhere"), "was built without"); }

} // namespace

TEST(Counters, SayThatTheLibraryIsNotThere) {
  if (!isBuiltIn())
    GTEST_SKIP() << reason("/nowhere");
  EXPECT_EQ(reason("/nowhere/libcupti.so"),
            "/nowhere/libcupti.so could not be opened");
}

TEST(Counters, SayThatTheLibraryIsAnother) {
  if (!isBuiltIn())
    GTEST_SKIP() << reason("/nowhere");
  EXPECT_TRUE(contains(reason("libm.so.6"), "libm.so.6 has no cupti"))
      << reason("libm.so.6");
}

/// Whatever is missing here (headers, library, driver or a context), it is one
/// sentence.
TEST(Counters, SayInOneSentenceWhatIsMissing) {
  const std::string Why = reason("");
  EXPECT_FALSE(Why.empty());
  EXPECT_FALSE(contains(Why, "\n"));
  EXPECT_NE(Why.back(), '.');
}
