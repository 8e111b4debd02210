//===- ProfileChoiceTest.cpp ----------------------------------------------===//
//
// Which GPUs the driver lists, and what is said about the chosen profile.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ProfileChoice.h"

#include "profiler/profile/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace warpwise;
using namespace warpwise::tool;
namespace fs = llvm::sys::fs;

TEST(MachineGpus, ReadsTheDriversFolder) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(fs::createUniqueDirectory("warpwise-gpus", Folder));
  for (const char *Bus : {"0000:01:00.0", "0000:02:00.0"}) {
    llvm::SmallString<128> Gpu = Folder;
    llvm::sys::path::append(Gpu, Bus);
    ASSERT_FALSE(fs::create_directory(Gpu));
    llvm::sys::path::append(Gpu, "information");
    std::ofstream(Gpu.c_str()) << "Model: \t\t NVIDIA H200\nIRQ:   \t\t 31\n";
  }
  EXPECT_EQ(machineGpus(Folder),
            std::vector<std::string>({"NVIDIA H200", "NVIDIA H200"}));
  (void)fs::remove_directories(Folder);
}

TEST(MachineGpus, AMachineWithoutDriverHasNone) {
  EXPECT_TRUE(machineGpus("there/is/no/such/folder").empty());
}

TEST(NamedProfile, NothingNamedIsNoProfile) {
  auto Profile = namedProfile("", "");
  ASSERT_TRUE(bool(Profile));
  EXPECT_FALSE(Profile->has_value());
}

TEST(NamedProfile, APartOfTheGpusNameIsEnough) {
  auto Profile = namedProfile("k20c", "");
  ASSERT_TRUE(bool(Profile));
  ASSERT_TRUE(Profile->has_value());
  EXPECT_EQ((*Profile)->Name, "tesla-k20c");
}

TEST(NamedProfile, AnUnknownGpuIsAnError) {
  auto Profile = namedProfile("voodoo2", "");
  ASSERT_FALSE(bool(Profile));
  EXPECT_NE(llvm::toString(Profile.takeError()).find("voodoo2"),
            std::string::npos);
}

TEST(StateProfile, NamesTheGpuAndTheSourceOfTheNumbers) {
  profile::Profile P = *profile::builtin("nvidia-h200");
  P.Name = "mine";
  P.Origin = "measured in May";
  EXPECT_EQ(stateProfile(P),
            "profile mine: NVIDIA H200, sm_90; measured in May");
}

TEST(StateProfile, NamesWhatItDoesNotTell) {
  profile::Profile P = *profile::builtin("nvidia-h200");
  P.Name = "mine";
  P.Origin = "measured in May";
  P.Quantities.erase(paths::levels_shared_banks);
  EXPECT_EQ(stateProfile(P),
            "profile mine: NVIDIA H200, sm_90; measured in May; assumed: "
            "banks: 32 (levels.shared.banks has no value)");
}
