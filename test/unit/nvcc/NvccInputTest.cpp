//===- NvccInputTest.cpp - What of a command reaches nvcc -----------------===//

#include "analyzer/nvcc/NvccInput.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::nvcc;

namespace {

bool says(const NvccInput &I, const std::string &Argument) {
  return std::find(I.Arguments.begin(), I.Arguments.end(), Argument) !=
         I.Arguments.end();
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != Text.npos;
}

NvccInput inputOf(std::vector<std::string> Command,
                  const std::string &File = "/src/a.cu") {
  Command.push_back(File);
  const clang::tooling::CompileCommand Entry("/src", File, std::move(Command),
                                             "");
  frontend::CommandOptions Options;
  Options.CudaPath = "none";
  auto Translated = frontend::translateCommand(Entry, Options);
  EXPECT_TRUE(bool(Translated));
  auto Input = nvccInput(*Translated);
  if (Input)
    return *Input;
  ADD_FAILURE() << llvm::toString(Input.takeError());
  return {};
}

TEST(NvccInputTest, WhatDecidesDeviceCode) {
  const NvccInput I =
      inputOf({"nvcc", "-arch=sm_80", "-std=c++17", "-maxrregcount=32",
               "-use_fast_math", "-rdc=true", "--expt-relaxed-constexpr",
               "--extended-lambda", "-restrict", "-DN=4"});
  for (const char *Expected :
       {"-cubin", "-arch=sm_80", "-std=c++17", "-maxrregcount=32",
        "-use_fast_math", "-rdc=true", "--expt-relaxed-constexpr",
        "--extended-lambda", "-restrict", "unit.cu"})
    EXPECT_TRUE(says(I, Expected)) << Expected;
  EXPECT_EQ(I.Source, "#define N 4\n#include \"/src/a.cu\"\n");
}

TEST(NvccInputTest, TheSameFromClang) {
  const NvccInput I =
      inputOf({"clang++", "--cuda-gpu-arch=sm_70", "-std=gnu++20", "-fgpu-rdc",
               "-ffp-contract=off", "-D", "N=4", "-UM"});
  for (const char *Expected :
       {"-arch=sm_70", "-std=c++20", "-rdc=true", "-fmad=false"})
    EXPECT_TRUE(says(I, Expected)) << Expected;
  EXPECT_EQ(I.Source, "#define N 4\n#undef M\n#include \"/src/a.cu\"\n");
}

TEST(NvccInputTest, NothingThatRunsLoadsOrWrites) {
  const NvccInput Plain = inputOf({"nvcc", "-arch=sm_80"});
  const NvccInput Steered = inputOf({"nvcc",
                                     "-arch=sm_80",
                                     "-ccbin",
                                     "/evil/g++",
                                     "-Xcompiler",
                                     "-fplugin=/evil.so,-B/evil",
                                     "-o",
                                     "/home/a.o",
                                     "--keep",
                                     "-keep-dir",
                                     "/home",
                                     "-run",
                                     "-ldir",
                                     "/evil",
                                     "--libdevice-directory=/evil",
                                     "-Xptxas",
                                     "-o,/home/x",
                                     "-Xcicc",
                                     "-evil",
                                     "-odir",
                                     "/home",
                                     "-MF",
                                     "/home/d",
                                     "--objdir-as-tempdir",
                                     "-idp",
                                     "x"});
  EXPECT_EQ(Steered.Arguments, Plain.Arguments);
  EXPECT_EQ(Steered.Source, Plain.Source);
  EXPECT_EQ(Steered.Links, Plain.Links);
}

TEST(NvccInputTest, NothingThatAShellCouldRead) {
  const NvccInput I = inputOf({"nvcc", "-arch=$(touch a)", "-std=c++17;touch b",
                               "-DA=$(touch c)", "-D`touch d`", "-I$(touch e)",
                               "-isystem", "x;touch f", "-include", "`touch g`",
                               "-maxrregcount=$(touch h)", "-U$(touch i)"},
                              "/src/$(touch j).cu");
  for (const std::string &Argument : I.Arguments)
    EXPECT_EQ(Argument.find_first_of("$`;&|<>(){}*?'\"\\ \n"), Argument.npos)
        << Argument;
  const std::vector<std::pair<std::string, std::string>> Links = {
      {"i0", "/src/$(touch e)"}, {"i1", "/src/x;touch f"}};
  EXPECT_EQ(I.Links, Links);
  EXPECT_TRUE(has(I.Source, "#define A $(touch c)\n"));
  EXPECT_TRUE(has(I.Source, "#include \"/src/$(touch j).cu\"\n"));
}

TEST(NvccInputTest, MacrosOfTheAnalysisAreNotNvccs) {
  const NvccInput I = inputOf({"nvcc", "-arch=sm_80", "-dc"});
  EXPECT_FALSE(has(I.Source, "__CUDACC_RDC__"));
  EXPECT_FALSE(has(I.Source, "__CUDA_ARCH_LIST__"));
  EXPECT_FALSE(has(I.Source, "__NVCC__"));
}

TEST(NvccInputTest, WhatCannotStandInASourceFile) {
  frontend::DeviceCommand Command;
  Command.File = "/src/a\"b.cu";
  Command.Directory = "/src";
  Command.RequestedArch = Command.AnalysedArch = "sm_90";
  auto Quoted = nvccInput(Command);
  ASSERT_FALSE(bool(Quoted));
  EXPECT_EQ(llvm::toString(Quoted.takeError()),
            "a macro or a path of its command cannot stand in a source file");
  Command.File = "/src/a.cu";
  Command.Arguments = {"-DA=1\n#include \"/etc/shadow\""};
  auto Broken = nvccInput(Command);
  EXPECT_FALSE(bool(Broken));
  llvm::consumeError(Broken.takeError());
}

} // namespace
