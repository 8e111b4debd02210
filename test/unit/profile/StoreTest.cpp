//===- StoreTest.cpp - Built-in profiles and the choice of one ------------===//
//
// The tests set XDG_DATA_HOME to an empty folder, so that the profiles of
// whoever runs them play no part.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "profiler/profile/Paths.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::profile;
namespace fs = std::filesystem;

namespace {

/// A user with no profiles yet.
class Store : public FolderTest {
protected:
  void SetUp() override {
    FolderTest::SetUp();
    ASSERT_EQ(setenv("XDG_DATA_HOME", Folder.c_str(), 1), 0);
    fs::create_directories(userFolder());
  }
  void TearDown() override {
    unsetenv("XDG_DATA_HOME");
    FolderTest::TearDown();
  }

  void save(const Profile &P) {
    ASSERT_EQ(write(P, userFolder() + "/" + P.Name + ".json"), "");
  }
};

TEST(Builtin, AreTheFilesOfTheFolder) {
  std::vector<std::string> Files;
  for (const auto &Each : fs::directory_iterator(WARPWISE_PROFILE_FOLDER))
    Files.push_back(Each.path().stem().string());
  std::sort(Files.begin(), Files.end());
  ASSERT_FALSE(Files.empty());
  EXPECT_EQ(builtinNames(), Files);
}

TEST(Builtin, AreValidAndRoundTrip) {
  for (const std::string &Name : builtinNames()) {
    std::string Path =
        std::string(WARPWISE_PROFILE_FOLDER) + "/" + Name + ".json";
    auto File = read(Path);
    ASSERT_TRUE(File) << File.reason();
    std::optional<Profile> P = builtin(Name);
    ASSERT_TRUE(P) << Name;
    EXPECT_EQ(*P, *File);
    EXPECT_EQ(P->Name, Name);
    EXPECT_EQ(toJson(*P), contentOf(Path)) << Name << " is not canonical";
    EXPECT_EQ(P->Guidelines.size(), guidelineIds().size());
  }
}

TEST(Builtin, CiteASourceForEveryValue) {
  // Literature without a name, a number or a document would be a guess.
  for (const std::string &Name : builtinNames()) {
    std::optional<Profile> P = builtin(Name);
    ASSERT_TRUE(P);
    for (const auto &[Path, Q] : P->Quantities)
      if (Q.State == Status::Literature) {
        EXPECT_GT(Q.Method.size(), 20u) << Name << ": " << Path;
      }
  }
}

TEST(Builtin, HasThePapersFigures) {
  std::optional<Profile> K20c = builtin("tesla-k20c");
  ASSERT_TRUE(K20c);
  // Fang et al. 2017, Tables 1 and 4.
  EXPECT_EQ(K20c->value(paths::levels_shared_latency), 47.69);
  EXPECT_EQ(K20c->value(paths::bandwidth_char), 63.02);
  EXPECT_EQ(K20c->value(paths::bandwidth_char4), 148.599);
  EXPECT_EQ(K20c->find(paths::bandwidth_char)->State, Status::Literature);
  EXPECT_EQ(builtin("no-such-gpu"), std::nullopt);
}

TEST_F(Store, FindsByNameAndPart) {
  EXPECT_EQ(find("tesla-k20c")->Name, "tesla-k20c");
  EXPECT_EQ(find("K20C")->Name, "tesla-k20c");
  EXPECT_EQ(find("h100")->Name, "nvidia-h100");
  EXPECT_EQ(find("h100-p")->Name, "nvidia-h100-pcie");
  EXPECT_EQ(find("h100 80gb")->Name, "nvidia-h100") << "part of the GPU's name";
  EXPECT_EQ(find("nvidia-h").reason(),
            "'nvidia-h' could be any of these profiles: nvidia-h100, "
            "nvidia-h100-pcie, nvidia-h200");
}

TEST_F(Store, PrefersTheUsersOwn) {
  save(smallProfile("my-h100", "NVIDIA H100 NVL"));
  EXPECT_EQ(userNames(), std::vector<std::string>{"my-h100"});
  EXPECT_EQ(find("h100")->Name, "my-h100");
  EXPECT_EQ(find("h100 nvl")->Name, "my-h100");
  EXPECT_EQ(find("nvidia-h100")->Gpu, "NVIDIA H100 80GB HBM3")
      << "a full name wins over a part of another";
  save(smallProfile("nvidia-h100", "mine"));
  EXPECT_EQ(find("nvidia-h100")->Gpu, "mine");
}

TEST_F(Store, SaysWhatIsAmbiguous) {
  save(smallProfile("lab-a"));
  save(smallProfile("lab-b"));
  EXPECT_EQ(find("lab").reason(),
            "'lab' could be any of these profiles: lab-a, lab-b");
}

TEST_F(Store, ListsWhatThereIs) {
  EXPECT_EQ(find("gtx-9000").reason(),
            "no profile for 'gtx-9000'; built in are "
            "nvidia-h100, nvidia-h100-pcie, nvidia-h200, tesla-k20c");
  save(smallProfile("mine"));
  EXPECT_EQ(find("gtx-9000").reason(),
            "no profile for 'gtx-9000'; built in are "
            "nvidia-h100, nvidia-h100-pcie, nvidia-h200, tesla-k20c; " +
                userFolder() + " has mine");
  EXPECT_EQ(find("").reason().rfind("no GPU or profile is named; ", 0), 0u);
}

TEST_F(Store, ReadsAFileByItsPath) {
  ASSERT_EQ(write(smallProfile(), at("elsewhere.json")), "");
  EXPECT_EQ(find(at("elsewhere.json"))->Name, "small");
  EXPECT_EQ(find("nowhere.json").reason(),
            "cannot read 'nowhere.json': No such file or directory");
}

TEST_F(Store, ReportsABrokenFileOnlyToThoseWhoMeanIt) {
  std::ofstream(userFolder() + "/broken.json") << "{";
  EXPECT_NE(find("broken").reason().find("broken.json:1:"), std::string::npos);
  EXPECT_TRUE(find("h100"));
  EXPECT_EQ(forArchitecture("sm_90").Name, "nvidia-h200");
}

TEST_F(Store, ChoosesByArchitecture) {
  EXPECT_EQ(forArchitecture("sm_35").Name, "tesla-k20c");
  EXPECT_EQ(forArchitecture("sm_90").Name, "nvidia-h200");
  EXPECT_EQ(forArchitecture("sm_90a").Name, "nvidia-h200");
  EXPECT_EQ(forArchitecture("compute_35").Name, "tesla-k20c");
  for (const char *Unknown : {"sm_75", "sm_120", "", "gfx90a"})
    EXPECT_EQ(forArchitecture(Unknown).Name, "nvidia-h200") << Unknown;
}

TEST_F(Store, ChoosesWhatWasMeasuredHere) {
  save(smallProfile("mine"));
  EXPECT_EQ(forArchitecture("sm_90").Name, "mine");
  EXPECT_EQ(forArchitecture("sm_35").Name, "tesla-k20c");
  Profile Copied = smallProfile("copied");
  Copied.Architecture = "sm_35";
  for (auto &[Path, Q] : Copied.Quantities)
    Q.State = Status::Literature;
  save(Copied);
  EXPECT_EQ(forArchitecture("sm_35").Name, "tesla-k20c")
      << "nothing in the user's copy was measured";
}

TEST_F(Store, FollowsTheDirectorySpecification) {
  EXPECT_EQ(userFolder(), Folder + "/warpwise/profiles");
  std::string Home = getenv("HOME") ? getenv("HOME") : "";
  setenv("HOME", "/home/somebody", 1);
  for (const char *Ignored : {"", "relative/path"}) {
    setenv("XDG_DATA_HOME", Ignored, 1);
    EXPECT_EQ(userFolder(), "/home/somebody/.local/share/warpwise/profiles");
  }
  unsetenv("HOME");
  EXPECT_EQ(userFolder(), "");
  EXPECT_TRUE(userNames().empty());
  setenv("HOME", Home.c_str(), 1);
}

} // namespace
