//===- OpenedFilesTest.cpp - What the compiler has read -------------------===//

#include "analyzer/frontend/OpenedFiles.h"

#include "analyzer/frontend/TranslationUnit.h"
#include "test/unit/frontend/CommandTesting.h"

#include <gtest/gtest.h>

#include <unistd.h>

using namespace warpwise;
using frontend::test::TemporaryFolder;

namespace {

class OpenedFiles : public testing::Test {
protected:
  frontend::OpenedFiles parse(std::vector<std::string> Flags,
                              llvm::StringRef Toolkit = {}) {
    frontend::CommandOptions Options;
    Options.CudaPath = "none";
    Options.ExtraArguments = std::move(Flags);
    auto Command = frontend::defaultCommand(Folder.at("a.cu"), Options);
    EXPECT_TRUE(bool(Command));
    frontend::OpenedFiles Opened;
    auto Parsed = frontend::parseHostCode(*Command, [&](clang::ASTContext &A) {
      // Only the path matters here; the headers are the built-in ones.
      Command->Cuda.Path = Toolkit.str();
      Opened = frontend::openedFiles(A, *Command);
    });
    EXPECT_FALSE(bool(Parsed));
    return Opened;
  }

  TemporaryFolder Folder;
};

TEST_F(OpenedFiles, AreTheUsersOrTheSystems) {
  Folder.write("a.cu", "#include \"a.cuh\"\n#include <lib.cuh>\n"
                       "#line 1 \"/etc/shadow\"\nint X;\n");
  Folder.write("a.cuh", "");
  const std::string Library = Folder.write("lib/lib.cuh", "");
  for (const char *Flag : {"-isystem", "-I"}) {
    const frontend::OpenedFiles Opened = parse({Flag, Folder.at("lib")});
    EXPECT_TRUE(Opened.Users.contains(Folder.at("a.cu")));
    EXPECT_TRUE(Opened.Users.contains(Folder.at("a.cuh")));
    EXPECT_EQ(Opened.Users.contains(Library), Flag == llvm::StringRef("-I"));
    EXPECT_EQ(Opened.System.contains(Library),
              Flag == llvm::StringRef("-isystem"));
    EXPECT_FALSE(Opened.Users.contains("/etc/shadow"));
    EXPECT_FALSE(Opened.System.contains("/etc/shadow"));
  }
}

TEST_F(OpenedFiles, AToolkitIsNobodysHoweverItIsIncluded) {
  Folder.write("a.cu", "#include <cub.cuh>\n");
  const std::string Header = Folder.write("cuda-13/include/cub.cuh", "");
  ASSERT_EQ(::symlink("cuda-13", Folder.at("cuda").c_str()), 0);
  const frontend::OpenedFiles Opened =
      parse({"-I", Folder.at("cuda-13/include")}, Folder.at("cuda"));
  EXPECT_TRUE(Opened.System.contains(Header));
  EXPECT_FALSE(Opened.Users.contains(Header));
}

} // namespace
