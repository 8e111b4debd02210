//===- ConfigTest.cpp - .warpwise -----------------------------------------===//

#include "analyzer/config/Config.h"

#include <gtest/gtest.h>

using namespace warpwise;

namespace {

const std::vector<std::string_view> Rules = {"cuda-memory-bank-conflict",
                                             "cuda-memory-local-array"};

/// What is wrong with \p Text, or nothing.
std::string problem(const std::string &Text) {
  auto Read = config::parse(Text, "f", Rules);
  return Read ? "" : llvm::toString(Read.takeError());
}

TEST(Config, ReadsWhatItWrites) {
  auto Read = config::parse("Checks: '-cuda-memory-local-array'\n"
                            "Gpu: h100\n"
                            "FailOn: warning\n"
                            "Exclude: ['third_party/*']\n"
                            "CheckOptions:\n"
                            "  MinGain: 1.1\n"
                            "  cuda-memory-bank-conflict.MinGain: '1.3'\n"
                            "  BlockDim: 'a*=32x8, b=256'\n",
                            "f", Rules);
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  auto Again = config::parse(config::dump(*Read), "f", Rules);
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
  EXPECT_EQ(Again->Checks, "-cuda-memory-local-array");
  EXPECT_EQ(Again->Gpu, "h100");
  EXPECT_EQ(Again->Exclude, std::vector<std::string>{"third_party/*"});
  EXPECT_EQ(Again->minGain("cuda-memory-bank-conflict"), 1.3);
  EXPECT_EQ(Again->minGain("cuda-memory-local-array"), 1.1);
  EXPECT_EQ(Again->list("BlockDim"),
            (std::vector<std::string>{"a*=32x8", "b=256"}));
  EXPECT_TRUE(Again->list("Arguments").empty());
}

TEST(Config, AnEmptyFileSaysNothing) {
  auto Read = config::parse("# nothing\n", "f", Rules);
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_FALSE(Read->minGain("cuda-memory-bank-conflict"));
}

TEST(Config, UnknownNamesAreErrorsWithTheNearest) {
  EXPECT_EQ(problem("Cheks: '*'\n"),
            "f:1: unknown key 'Cheks'; did you mean 'Checks'?");
  EXPECT_EQ(problem("\nCudaPath: /tmp\n"), "f:2: unknown key 'CudaPath'");
  EXPECT_EQ(problem("CheckOptions:\n  MinGian: 2\n"),
            "'f': unknown option 'MinGian'; did you mean 'MinGain'?");
  EXPECT_EQ(problem("CheckOptions:\n  cuda-memory-bank-conflct.MinGain: 2\n"),
            "'f': unknown option 'cuda-memory-bank-conflct.MinGain'; did you "
            "mean 'cuda-memory-bank-conflict.MinGain'?");
}

TEST(Config, ValuesAreChecked) {
  EXPECT_EQ(problem("CheckOptions:\n  MinGain: much\n"),
            "'f': 'MinGain: much': expected a factor such as 1.05");
  EXPECT_EQ(problem("Gpu: /etc/passwd\n"),
            "'f': 'Gpu: /etc/passwd' is no name of a profile");
  EXPECT_EQ(problem("Gpu: ../h100.json\n"),
            "'f': 'Gpu: ../h100.json' is no name of a profile");
  EXPECT_NE(problem("InheritParentConfig: perhaps\n"), "");
  EXPECT_NE(problem("Checks: [\n"), "");
}

TEST(Config, WhatWouldExhaustTheParserIsRefused) {
  EXPECT_EQ(problem("Checks: " + std::string(1000, '[')),
            "'f': it nests too deeply");
  std::string Sequences;
  for (int I = 0; I < 1000; ++I)
    Sequences += "- ";
  EXPECT_EQ(problem(Sequences), "'f': it nests too deeply");
  EXPECT_EQ(problem(std::string(20000, '#')),
            "'f': it is larger than 16384 bytes");
}

} // namespace
