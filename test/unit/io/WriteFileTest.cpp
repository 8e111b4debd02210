//===- WriteFileTest.cpp - Where results go -------------------------------===//

#include "profiler/io/WriteFile.h"
#include "TemporaryFolder.h"

#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpwise::io;
namespace fs = std::filesystem;

namespace {

class WriteFile : public test::InFolder {};

/// No file of this process can grow beyond \p Bytes while this lives: a full
/// disk that also holds for root. Its signal would end the process.
class FullDisk {
  rlimit Before{};

public:
  explicit FullDisk(rlim_t Bytes) {
    getrlimit(RLIMIT_FSIZE, &Before);
    rlimit Small = Before;
    Small.rlim_cur = Bytes;
    setrlimit(RLIMIT_FSIZE, &Small);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &Before); }
};

} // namespace

TEST_F(WriteFile, New) {
  const mode_t Before = ::umask(027);
  EXPECT_EQ(writeFile(at("a"), "text"), "");
  ::umask(Before);
  EXPECT_EQ(contentOf(at("a")), "text");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(), 1u) << "the temporary file is left";
}

TEST_F(WriteFile, ReplacesAndKeepsPermissions) {
  fs::permissions(put("a", "a longer old text"), fs::perms(0604));
  EXPECT_EQ(writeFile(at("a"), "new"), "");
  EXPECT_EQ(contentOf(at("a")), "new");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms(0604));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, FollowsLinks) {
  fs::create_directory(at("sub"));
  put("sub/file", "old");
  fs::create_symlink("file", at("sub/link"));
  fs::create_symlink("sub/link", at("link"));
  EXPECT_EQ(writeFile(at("link"), "new"), "");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_symlink(at("sub/link")));
  EXPECT_EQ(contentOf(at("sub/file")), "new");
  fs::create_symlink("sub/not-yet", at("dangling"));
  EXPECT_EQ(writeFile(at("dangling"), "new"), "");
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
  EXPECT_EQ(contentOf(at("sub/not-yet")), "new");
  fs::create_symlink("self", at("self"));
  EXPECT_EQ(writeFile(at("self"), "new"), "Too many levels of symbolic links");
}

TEST_F(WriteFile, KeepsTheOldOneWhenTheDiskIsFull) {
  put("a", "old");
  std::string Why;
  {
    const FullDisk Full(100);
    Why = writeFile(at("a"), std::string(1000, 'x'));
  }
  EXPECT_EQ(Why, "File too large");
  EXPECT_EQ(contentOf(at("a")), "old");
  EXPECT_EQ(entries(), 1u) << "the temporary file is left";
}

TEST_F(WriteFile, SaysWhyNot) {
  EXPECT_EQ(writeFile(at("no/a"), ""), "No such file or directory");
  EXPECT_EQ(writeFile(Folder, ""), "Is a directory");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(WriteFile, ThroughAPipe) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  std::string Got;
  std::thread Reader([&] { Got = contentOf(at("pipe")); });
  EXPECT_EQ(writeFile(at("pipe"), "text"), "");
  Reader.join();
  EXPECT_EQ(Got, "text");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(WriteFile, ThroughADevice) {
  EXPECT_EQ(writeFile("/dev/full", "text"), "No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(writeFile("/dev/null", "text"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", at("link"));
  EXPECT_EQ(writeFile(at("link"), "text"), "No space left on device");
  EXPECT_TRUE(fs::is_symlink(at("link")));
}

TEST_F(WriteFile, ThroughAnOpenFile) {
  const int Fd = ::open(at("out").c_str(), O_WRONLY | O_CREAT, 0600);
  const int Before = ::dup(STDOUT_FILENO);
  ::dup2(Fd, STDOUT_FILENO);
  const bool Started = ::write(STDOUT_FILENO, "one ", 4) == 4;
  const std::string Why = writeFile("/dev/stdout", "two");
  ::dup2(Before, STDOUT_FILENO);
  ::close(Fd);
  ::close(Before);
  EXPECT_TRUE(Started);
  EXPECT_EQ(Why, "");
  EXPECT_EQ(contentOf(at("out")), "one two");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, IsKnownBefore) {
  EXPECT_EQ(whyNotWritable(at("a"), 4096), "");
  EXPECT_EQ(entries(), 0u) << "the check leaves something behind";
  EXPECT_EQ(whyNotWritable("/dev/null", 4096), "");
  EXPECT_EQ(whyNotWritable(at("no/a"), 4096), "No such file or directory");
  EXPECT_EQ(whyNotWritable(Folder, 4096), "Is a directory");
  const FullDisk Full(100);
  EXPECT_EQ(whyNotWritable(at("a"), 4096), "File too large");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(WriteFile, BelowAFolderNoLinkIsFollowed) {
  EXPECT_EQ(createBelow(Folder, "x/y/a", "text"), "");
  EXPECT_EQ(contentOf(at("x/y/a")), "text");
  put("precious", "precious");
  fs::create_symlink(at("precious"), at("x/link"));
  EXPECT_EQ(createBelow(Folder, "x/link", "text"), "");
  EXPECT_FALSE(fs::is_symlink(at("x/link")));
  EXPECT_EQ(contentOf(at("precious")), "precious");
  fs::create_directory(at("elsewhere"));
  fs::create_directory_symlink(at("elsewhere"), at("x/trap"));
  EXPECT_EQ(createBelow(Folder, "x/trap/a", "text"), "'x/trap' is a link");
  EXPECT_TRUE(fs::is_empty(at("elsewhere")));
  EXPECT_EQ(createBelow(Folder, "precious/a", "text"), "Not a directory");
  EXPECT_EQ(createBelow(at("none"), "a", "text"), "No such file or directory");
}
