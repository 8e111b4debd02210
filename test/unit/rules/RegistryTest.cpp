//===- RegistryTest.cpp - Rules make themselves known ---------------------===//

#include "rules/RunRules.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise;

namespace {

TEST(Registry, HoldsTheRulesOfTheFolders) {
  const auto Names = rules::ruleNames();
  EXPECT_TRUE(std::is_sorted(Names.begin(), Names.end()));
  for (const char *Name :
       {"cuda-memory-bank-conflict", "cuda-memory-constant-nonuniform",
        "cuda-memory-local-array", "cuda-memory-narrow-access",
        "cuda-memory-uncoalesced-access"})
    EXPECT_TRUE(std::binary_search(Names.begin(), Names.end(), Name)) << Name;
}

TEST(Registry, EveryPageHasTheSectionsThatReadersExpect) {
  for (const rules::Entry &E : rules::registry()) {
    EXPECT_TRUE(E.Page.starts_with("# " + std::string(E.Name) + "\n"))
        << E.Name;
    EXPECT_TRUE(E.Summary.ends_with(".")) << E.Name << ": " << E.Summary;
    EXPECT_EQ(E.Summary.find('\n'), E.Summary.npos) << E.Name;
    for (const char *Section :
         {"## Before", "## After", "## Why it costs", "## What it needs",
          "## When it keeps quiet", "## Limitations", "## Measured"})
      EXPECT_NE(E.Page.find(Section), E.Page.npos)
          << E.Name << " has no section " << Section;
  }
}

} // namespace
