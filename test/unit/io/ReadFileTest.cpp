//===- ReadFileTest.cpp - Files that others wrote -------------------------===//

#include "profiler/io/ReadFile.h"
#include "TemporaryFolder.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace warpwise::io;

namespace {

class ReadFile : public test::InFolder {
protected:
  static std::string errorOf(const std::string &Path,
                             size_t MaxBytes = MostTextBytes) {
    return readFile(Path, MaxBytes).reason();
  }
};

} // namespace

TEST_F(ReadFile, Whole) {
  EXPECT_EQ(*readFile(put("a", std::string("x\0y", 3))),
            std::string("x\0y", 3));
  EXPECT_EQ(*readFile(put("b", "")), "");
  ASSERT_EQ(::symlink("a", at("link").c_str()), 0);
  EXPECT_EQ(readFile(at("link"))->size(), 3u);
}

TEST_F(ReadFile, SaysWhyNot) {
  EXPECT_EQ(errorOf(at("none")), "No such file or directory");
  EXPECT_EQ(errorOf(Folder), "Is a directory");
  ASSERT_EQ(::symlink("self", at("self").c_str()), 0);
  EXPECT_EQ(errorOf(at("self")), "Too many levels of symbolic links");
}

TEST_F(ReadFile, OnlyRegularFiles) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::symlink("pipe", at("to-pipe").c_str()), 0);
  ASSERT_EQ(::symlink("/dev/zero", at("to-zero").c_str()), 0);
  for (const std::string &Path :
       {at("pipe"), at("to-pipe"), at("to-zero"), std::string("/dev/zero"),
        std::string("/dev/null"), std::string("/dev/urandom")})
    EXPECT_EQ(errorOf(Path), "it is not a regular file") << Path;
}

TEST_F(ReadFile, OnlyUpToASize) {
  EXPECT_EQ(errorOf(put("a", "12345"), 5), "");
  EXPECT_EQ(errorOf(at("a"), 4), "it is larger than 4 bytes");
  ASSERT_EQ(::truncate(put("huge", "").c_str(), off_t(1) << 40), 0);
  EXPECT_EQ(errorOf(at("huge")), "it is larger than 64 MiB");
  // It says that it has no bytes at all.
  EXPECT_EQ(errorOf("/proc/self/maps", 16), "it is larger than 16 bytes");
}
