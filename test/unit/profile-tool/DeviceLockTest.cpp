//===- DeviceLockTest.cpp - One measurement at a time ---------------------===//

#include "profiler/tool/DeviceLock.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace warpwise::tool;
namespace fs = std::filesystem;

namespace {

class DeviceLockTest : public testing::Test {
protected:
  DeviceLockTest() {
    std::string Pattern = (fs::temp_directory_path() / "lock-XXXXXX").string();
    Folder = ::mkdtemp(Pattern.data());
  }
  ~DeviceLockTest() override { fs::remove_all(Folder); }

  std::string Folder;
};

TEST_F(DeviceLockTest, TheSecondOneIsToldWhoHasIt) {
  const std::string Inner = Folder + "/not/there/yet";
  DeviceLock First(Inner, "GPU-1");
  EXPECT_EQ(First.why(), "");
  DeviceLock Second(Inner, "GPU-1");
  EXPECT_TRUE(Second.isTaken());
  EXPECT_EQ(Second.why(),
            "another run of Warpwise measures this GPU (process " +
                std::to_string(::getpid()) + ")");
  EXPECT_EQ(DeviceLock(Inner, "GPU-2").why(), "");
}

TEST_F(DeviceLockTest, IsFreeAgainAfterwards) {
  {
    DeviceLock First(Folder, "GPU-1");
  }
  DeviceLock Second(Folder, "GPU-1");
  EXPECT_EQ(Second.why(), "");
  DeviceLock Moved = std::move(Second);
  EXPECT_TRUE(DeviceLock(Folder, "GPU-1").isTaken());
}

TEST_F(DeviceLockTest, LinksAreNotFollowed) {
  std::ofstream(Folder + "/victim") << "precious";
  fs::create_symlink("victim", Folder + "/GPU-1.lock");
  DeviceLock Lock(Folder, "GPU-1");
  EXPECT_FALSE(Lock.isTaken());
  EXPECT_NE(Lock.why().find("cannot lock the GPU"), std::string::npos);
  EXPECT_EQ(fs::file_size(Folder + "/victim"), 8u);
}

TEST_F(DeviceLockTest, AFolderThatCannotBeMadeIsNamed) {
  std::ofstream(Folder + "/file") << "";
  EXPECT_NE(DeviceLock(Folder + "/file", "GPU-1").why().find(Folder + "/file"),
            std::string::npos);
}

TEST_F(DeviceLockTest, TheFolderIsTheUsersOwn) {
  ::setenv("XDG_RUNTIME_DIR", Folder.c_str(), 1);
  EXPECT_EQ(lockFolder(), Folder + "/warpwise");
  ::unsetenv("XDG_RUNTIME_DIR");
  ::setenv("XDG_DATA_HOME", "/somewhere", 1);
  EXPECT_EQ(lockFolder(), "/somewhere/warpwise/locks");
  ::unsetenv("XDG_DATA_HOME");
}

} // namespace
