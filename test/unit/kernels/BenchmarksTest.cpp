//===- BenchmarksTest.cpp - What the microbenchmarks say of themselves ----===//
//
// Needs nvcc but no GPU: nothing is measured.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/Schema.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <map>
#include <set>

using namespace warpwise;
using namespace warpwise::harness;
namespace fs = std::filesystem;

TEST(Benchmarks, EachIsNamedAfterItsFolder) {
  std::set<std::string> Names;
  for (const Benchmark &B : benchmarks()) {
    EXPECT_TRUE(Names.insert(std::string(B.Name)).second) << B.Name << " twice";
    EXPECT_TRUE(B.Run) << B.Name;
    EXPECT_FALSE(B.Measures.empty()) << B.Name;
  }
  std::set<std::string> Folders;
  for (const fs::directory_entry &Each :
       fs::directory_iterator(WARPWISE_KERNELS_FOLDER))
    if (Each.is_directory() && Each.path().filename() != "harness")
      Folders.insert(Each.path().filename().string());
  EXPECT_EQ(Names, Folders);
}

TEST(Benchmarks, NoQuantityIsPromisedTwice) {
  std::map<std::string_view, std::string_view> By;
  for (const Benchmark &B : benchmarks())
    for (const Benchmark::Promise &P : B.Provides) {
      auto [At, New] = By.emplace(P.Path, B.Name);
      EXPECT_TRUE(New) << P.Path.text() << " by " << B.Name << " and "
                       << At->second;
    }
}

TEST(Benchmarks, PromisesHaveTheUnitsOfTheSchema) {
  for (const Benchmark &B : benchmarks())
    for (const Benchmark::Promise &P : B.Provides)
      if (const profile::KnownPath *Known = profile::knownPath(P.Path))
        EXPECT_EQ(P.Unit, Known->Unit) << P.Path.text();
}

namespace {

/// All of Paths.def.
const std::set<std::string_view> NamedPaths = {
#define RECORD2(A, B) #A "." #B,
#define RECORD3(A, B, C) #A "." #B "." #C,
#define RECORD4(A, B, C, D) #A "." #B "." #C "." #D,
#define RECORD5(A, B, C, D, E) #A "." #B "." #C "." #D "." #E,
#include "profiler/profile/Paths.def"
};

/// What Paths.def names as a group, or the same leaf for every memory, as
/// Paths.h has it.
bool isOfFamily(std::string_view Path) {
  for (size_t End = Path.rfind('.'); End != std::string_view::npos;
       End = Path.rfind('.', End - 1))
    if (NamedPaths.contains(Path.substr(0, End)))
      return true;
  for (const char *Memory :
       {"constant", "global", "l1", "l2", "local", "shared", "texture"})
    for (const char *Leaf :
         {"b4", "b8", "b16", "blocks", "broadcast", "constraint", "threads"})
      if (Path.starts_with(paths::ofWarp(Memory, Leaf) + "."))
        return true;
  return false;
}

} // namespace

/// A slip in a path that was put together would be recorded for nobody.
TEST(Benchmarks, WhatIsPromisedHasANameOrAFamily) {
  for (const Benchmark &B : benchmarks())
    for (const Benchmark::Promise &P : B.Provides)
      EXPECT_TRUE(NamedPaths.contains(P.Path) || isOfFamily(P.Path))
          << P.Path.text() << " by " << B.Name;
}

TEST(Benchmarks, EveryRequiredQuantityIsPromisedByOne) {
  std::set<std::string_view> Promised;
  for (const Benchmark &B : benchmarks())
    for (const Benchmark::Promise &P : B.Provides)
      Promised.insert(P.Path);
  for (const profile::KnownPath &Each : profile::knownPaths())
    if (Each.Required)
      EXPECT_EQ(Promised.count(Each.Path), 1u) << Each.Path;
}
