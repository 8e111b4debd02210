//===- OutputFileTest.cpp - Where a profile goes --------------------------===//

#include "profiler/tool/OutputFile.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

using namespace warpwise::tool;
namespace fs = std::filesystem;

namespace {

class OutputFileTest : public testing::Test {
protected:
  OutputFileTest() { fs::create_directories(Folder); }
  ~OutputFileTest() override { fs::remove_all(Folder); }

  fs::path Folder = fs::temp_directory_path() /
                    ("warpwise-output-" + std::to_string(::getpid()));
};

} // namespace

TEST_F(OutputFileTest, TheCheckLeavesNothingBehind) {
  EXPECT_EQ(whyNotWritable((Folder / "a.json").string()), "");
  EXPECT_TRUE(fs::is_empty(Folder));
}

TEST_F(OutputFileTest, AMissingFolderIsNamed) {
  const std::string Path = (Folder / "none" / "a.json").string();
  EXPECT_EQ(whyNotWritable(Path),
            "cannot write '" + Path + "': No such file or directory");
}

TEST_F(OutputFileTest, AFolderIsNoFile) {
  EXPECT_EQ(whyNotWritable(Folder.string()),
            "cannot write '" + Folder.string() + "': Is a directory");
}

TEST_F(OutputFileTest, TheUsersFolderIsCreated) {
  ::setenv("XDG_DATA_HOME", Folder.c_str(), 1);
  const auto Path = defaultOutput("nvidia-h200");
  ASSERT_TRUE(bool(Path)) << Path.reason();
  EXPECT_EQ(*Path, (Folder / "warpwise/profiles/nvidia-h200.json").string());
  EXPECT_TRUE(fs::is_directory(Folder / "warpwise/profiles"));
}

TEST_F(OutputFileTest, AFileIsNoFolder) {
  ::setenv("XDG_DATA_HOME", "/dev/null", 1);
  const auto Path = defaultOutput("nvidia-h200");
  ASSERT_FALSE(bool(Path));
  EXPECT_NE(Path.reason().find("/dev/null"), std::string::npos);
}
