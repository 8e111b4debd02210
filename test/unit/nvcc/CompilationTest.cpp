//===- CompilationTest.cpp - A compiler that may do anything --------------===//
//
// Shell scripts stand in for nvcc: one that never ends, one that leaves
// processes behind, one that fails.
//
//===----------------------------------------------------------------------===//

#include "analyzer/nvcc/Compilation.h"
#include "analyzer/nvcc/Nvcc.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <signal.h>
#include <sys/stat.h>

using namespace warpwise;
using namespace warpwise::nvcc;
namespace fs = std::filesystem;

namespace {

class CompilationTest : public testing::Test {
protected:
  CompilationTest() {
    std::string Name =
        (fs::temp_directory_path() / "nvcc-test-XXXXXX").string();
    Folder = ::mkdtemp(Name.data());
    ::setenv("TMPDIR", (Folder + "/tmp").c_str(), 1);
    fs::create_directory(Folder + "/tmp");
    Input.Source = "text\n";
    Input.Links = {{"i0", Folder}};
    Input.Arguments = {"one", "two"};
  }
  ~CompilationTest() override {
    ::unsetenv("TMPDIR");
    fs::remove_all(Folder);
  }

  std::string script(const std::string &Text) const {
    const std::string Path = Folder + "/nvcc";
    std::ofstream(Path) << "#!/bin/sh\n" << Text;
    ::chmod(Path.c_str(), 0700);
    return Path;
  }

  static void wait(Compilation &Run) {
    while (!Run.hasEnded())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  std::string fileIn(const std::string &Name) const {
    std::ifstream In(Folder + "/" + Name);
    return {std::istreambuf_iterator<char>(In), {}};
  }

  std::string Folder;
  NvccInput Input;
  CompilationLimits Limits{std::chrono::seconds(20), std::chrono::seconds(60)};
};

TEST_F(CompilationTest, RunsInAFolderOfItsOwn) {
  {
    Compilation Run(script("cat unit.cu; echo \"$@\"; ls; echo d >unit.d\n"
                           "test -d i0/tmp && cat && echo $TMPDIR >&2\n"),
                    Input, Limits);
    wait(Run);
    EXPECT_EQ(Run.problem(), "");
    EXPECT_EQ(Run.output().substr(0, 32),
              "text\none two\ni0\nmessages\nunit.cu");
    EXPECT_NE(Run.output().find("/warpwise-nvcc"), std::string::npos);
    EXPECT_EQ(Run.dependencies(), "d\n");
  }
  EXPECT_TRUE(fs::is_empty(Folder + "/tmp"));
}

TEST_F(CompilationTest, SaysWhyThereIsNoResult) {
  Compilation Fails(script("exit 2"), Input, Limits);
  wait(Fails);
  EXPECT_EQ(Fails.problem(), "it does not compile this file");
  Compilation Dies(script("kill -SEGV $$"), Input, Limits);
  wait(Dies);
  EXPECT_EQ(Dies.problem(), "it does not compile this file");
  Compilation Missing(Folder + "/nowhere", Input, Limits);
  wait(Missing);
  EXPECT_EQ(Missing.problem(), "it could not be started");
}

/// Waits until process \p Number is gone; false when it stays.
bool goes(const std::string &Number) {
  const pid_t Process = pid_t(std::atoi(Number.c_str()));
  for (unsigned I = 0; I != 500; ++I) {
    std::ifstream Status("/proc/" + Number + "/stat");
    std::string Id, Name, State;
    Status >> Id >> Name >> State;
    if (::kill(Process, 0) != 0 || State == "Z")
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(CompilationTest, EndsWithAllThatItStarted) {
  Limits.Patience = std::chrono::seconds(1);
  const auto Begin = std::chrono::steady_clock::now();
  Compilation Run(script("sleep 100 & echo $! >i0/child; sleep 100"), Input,
                  Limits);
  wait(Run);
  EXPECT_EQ(Run.problem(), "it did not end within 1 s");
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(10));
  EXPECT_TRUE(goes(fileIn("child")));
}

/// On a busy machine it may wait as long as it has to.
TEST_F(CompilationTest, TimeIsThatOfTheProcessor) {
  Limits.Time = std::chrono::seconds(1);
  Compilation Waits(script("sleep 1.5"), Input, Limits);
  wait(Waits);
  EXPECT_EQ(Waits.problem(), "");
  Compilation Works(script("sh -c 'while :; do :; done'"), Input, Limits);
  wait(Works);
  EXPECT_EQ(Works.problem(), "it took more than 1 s of CPU time");
}

TEST_F(CompilationTest, EndsWhenNobodyWantsItAnyMore) {
  {
    Compilation Run(script("echo $$ >i0/self; sleep 100"), Input, Limits);
    while (fileIn("self").empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_TRUE(goes(fileIn("self")));
  EXPECT_TRUE(fs::is_empty(Folder + "/tmp"));
}

TEST_F(CompilationTest, IsLimited) {
  Limits.FileBytes = 4096;
  Limits.MemoryBytes = uint64_t(1) << 30;
  Compilation Run(script("ulimit -f; ulimit -v; ulimit -t; ulimit -c"), Input,
                  Limits);
  wait(Run);
  // In units of 512 bytes, or of 1024 where the shell is bash.
  EXPECT_TRUE(Run.output() == "8\n1048576\n20\n0\n" ||
              Run.output() == "4\n1048576\n20\n0\n")
      << Run.output();
}

TEST_F(CompilationTest, ManyAtATime) {
  frontend::DeviceCommand Command;
  Command.File = Folder + "/a.cu";
  Command.Directory = Folder;
  Command.RequestedArch = Command.AnalysedArch = "sm_90";
  const std::string Program =
      script("echo \"ptxas info : Compiling entry function 'k' for 'sm_90'\"\n"
             "echo '    16 bytes stack frame, 0 bytes spill stores, '\n");
  Nvcc Compiler(Program, 3, "");
  for (size_t I = 0; I != 8; ++I)
    Compiler.ask(I, Command);
  const std::map<size_t, Answer> Answers = Compiler.takeAnswers();
  ASSERT_EQ(Answers.size(), 8u);
  for (const auto &[Id, Says] : Answers) {
    EXPECT_EQ(Says.Problem, "");
    EXPECT_EQ(Says.Kernels.at("k").StackBytes, 16u);
  }
  EXPECT_TRUE(Compiler.takeAnswers().empty());
}

TEST_F(CompilationTest, NobodyWaitsWhenTheRunIsStopped) {
  frontend::DeviceCommand Command;
  Command.File = Folder + "/a.cu";
  Command.Directory = Folder;
  Command.RequestedArch = Command.AnalysedArch = "sm_90";
  Nvcc Compiler(script("sleep 100"), 1, "");
  for (size_t I = 0; I != 3; ++I)
    Compiler.ask(I, Command);
  const auto Start = std::chrono::steady_clock::now();
  EXPECT_TRUE(Compiler.takeAnswers([] { return true; }).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(20));
  EXPECT_TRUE(Compiler.takeAnswers().empty()) << "nor for what is left";
}

TEST_F(CompilationTest, WhyNvccSaysNothing) {
  frontend::DeviceCommand Command;
  Command.File = Folder + "/a.cu";
  Command.RequestedArch = Command.AnalysedArch = "sm_90";
  Nvcc None("", 1, "");
  EXPECT_EQ(None.known(Command)->Problem, "no nvcc was found to ask");
  Nvcc Failing(script("exit 1"), 1, "");
  EXPECT_FALSE(Failing.known(Command));
  Failing.ask(7, Command);
  EXPECT_EQ(Failing.takeAnswers()[7].Problem,
            "nvcc was asked in vain: it does not compile this file");
}

} // namespace
