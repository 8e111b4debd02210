//===- RegistryTest.cpp - The list of microbenchmarks ---------------------===//

#include "kernels/harness/Benchmark.h"
#include "gtest/gtest.h"

#include <set>

using namespace warpwise::harness;

namespace {

void nothing(Session &) {}

// In an order that no sorting gives.
const Registration Late({.Name = "b-late",
                         .Measures = "",
                         .When = Stage::Bandwidth,
                         .Provides = {},
                         .Run = nothing});
const Registration Second({.Name = "b-early",
                           .Measures = "",
                           .When = Stage::Latency,
                           .Provides = {},
                           .Run = nothing});
const Registration First({.Name = "a-early",
                          .Measures = "",
                          .When = Stage::Latency,
                          .Provides = {},
                          .Run = nothing});

} // namespace

TEST(Registry, ListsByStageThenByName) {
  std::vector<std::string_view> Names;
  for (const Benchmark &B : benchmarks())
    Names.push_back(B.Name);
  EXPECT_EQ(Names,
            std::vector<std::string_view>({"a-early", "b-early", "b-late"}));
}

TEST(Registry, HoldsEveryNameOnce) {
  std::set<std::string_view> Names;
  for (const Benchmark &B : benchmarks())
    EXPECT_TRUE(Names.insert(B.Name).second) << B.Name;
}
