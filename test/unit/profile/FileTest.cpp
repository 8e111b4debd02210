//===- FileTest.cpp - Profiles on disk ------------------------------------===//
//
// Whatever goes wrong while a profile is saved, the old one has to be there
// afterwards, byte for byte, and no temporary file beside it.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "profiler/profile/Paths.h"

#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

using namespace warpwise;
using namespace warpwise::profile;
namespace fs = std::filesystem;

namespace {

/// No file of this process can grow beyond \p Bytes while this lives: a full
/// disk that also holds for root.
class FullDisk {
public:
  explicit FullDisk(rlim_t Bytes) {
    getrlimit(RLIMIT_FSIZE, &Before);
    rlimit Small = Before;
    Small.rlim_cur = Bytes;
    setrlimit(RLIMIT_FSIZE, &Small);
    Handler = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &Before);
    std::signal(SIGXFSZ, Handler);
  }

private:
  rlimit Before{};
  void (*Handler)(int) = nullptr;
};

class ProfileFile : public FolderTest {};

TEST_F(ProfileFile, ReadsWhatItWrote) {
  Profile P = smallProfile();
  ASSERT_EQ(write(P, at("small.json")), "");
  auto R = read(at("small.json"));
  ASSERT_TRUE(R) << R.reason();
  EXPECT_EQ(*R, P);
  EXPECT_EQ(entries(), 1u) << "the temporary file is left";
}

TEST_F(ProfileFile, ReplacesTheOldOne) {
  ASSERT_EQ(write(smallProfile("small", "old"), at("small.json")), "");
  ASSERT_EQ(write(smallProfile("small", "new"), at("small.json")), "");
  EXPECT_EQ(read(at("small.json"))->Gpu, "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(ProfileFile, KeepsTheOldOneWhenTheDiskIsFull) {
  ASSERT_EQ(write(smallProfile("small", "old"), at("small.json")), "");
  std::string Before = contentOf(at("small.json"));
  std::string Error;
  {
    FullDisk Full(100);
    Error = write(smallProfile("small", "new"), at("small.json"));
  }
  EXPECT_EQ(Error, "cannot write '" + at("small.json") + "': File too large");
  EXPECT_EQ(contentOf(at("small.json")), Before);
  EXPECT_EQ(entries(), 1u) << "the temporary file is left";
}

TEST_F(ProfileFile, KeepsTheOldOneWhenTheNewIsInvalid) {
  ASSERT_EQ(write(smallProfile(), at("small.json")), "");
  std::string Before = contentOf(at("small.json"));
  Profile Broken = smallProfile();
  Broken.Quantities[paths::device_sm_count].Value = -1;
  EXPECT_EQ(write(Broken, at("small.json")),
            "cannot write '" + at("small.json") +
                "': device.sm_count: value is -1, expected 1 to 10000");
  EXPECT_EQ(contentOf(at("small.json")), Before);
}

TEST_F(ProfileFile, KeepsTheOldOneInAFolderWithoutPermission) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  ASSERT_EQ(write(smallProfile(), at("small.json")), "");
  std::string Before = contentOf(at("small.json"));
  fs::permissions(Folder, fs::perms(0555));
  EXPECT_EQ(write(smallProfile("small", "new"), at("small.json")),
            "cannot write '" + at("small.json") + "': Permission denied");
  fs::permissions(Folder, fs::perms(0755));
  EXPECT_EQ(contentOf(at("small.json")), Before);
}

TEST_F(ProfileFile, SaysWhyItCannotWrite) {
  EXPECT_EQ(write(smallProfile(), at("no/small.json")),
            "cannot write '" + at("no/small.json") +
                "': No such file or directory");
  fs::create_directory(at("small.json"));
  EXPECT_EQ(write(smallProfile(), at("small.json")),
            "cannot write '" + at("small.json") + "': Is a directory");
  EXPECT_EQ(entries(), 1u) << "the temporary file is left";
}

TEST_F(ProfileFile, SaysWhyItCannotRead) {
  EXPECT_EQ(read(at("no.json")).reason(),
            "cannot read '" + at("no.json") + "': No such file or directory");
  EXPECT_EQ(read(Folder).reason(),
            "cannot read '" + Folder + "': Is a directory");
  std::ofstream(at("empty.json")).close();
  EXPECT_EQ(read(at("empty.json")).reason(),
            at("empty.json") + ": is empty, not a profile");
  EXPECT_EQ(read("/dev/zero").reason(),
            "cannot read '/dev/zero': it is not a regular file");
  std::ofstream(at("cut.json")) << toJson(smallProfile()).substr(0, 200);
  EXPECT_EQ(read(at("cut.json")).reason().rfind(at("cut.json") + ":", 0), 0u);
}

} // namespace
