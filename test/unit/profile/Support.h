//===- Support.h - What the profile tests share -----------------*- C++ -*-===//
//
// A small valid profile to break in one place, and a folder that goes away.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_PROFILE_SUPPORT_H
#define WARPWISE_TEST_UNIT_PROFILE_SUPPORT_H

#include "profiler/profile/Schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace warpwise::profile {

inline Quantity quantity(std::optional<double> Value, std::string Unit,
                         Status State = Status::Measured,
                         std::string Method = "made up") {
  Quantity Q;
  Q.Value = Value;
  Q.Unit = std::move(Unit);
  Q.State = State;
  Q.Method = std::move(Method);
  return Q;
}

/// Every required quantity with the smallest value that its range allows.
inline Profile smallProfile(std::string Name = "small",
                            std::string Gpu = "Small GPU") {
  Profile P;
  P.Name = std::move(Name);
  P.Gpu = std::move(Gpu);
  P.Architecture = "sm_90";
  P.Origin = "made up for a test";
  for (const KnownPath &Each : knownPaths())
    if (Each.Required)
      P.Quantities[std::string(Each.Path)] =
          quantity(Each.Least, std::string(Each.Unit));
  return P;
}

inline std::string replaced(std::string Text, const std::string &From,
                            const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return At == std::string::npos ? Text : Text.replace(At, From.size(), To);
}

inline std::string contentOf(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Out;
  Out << In.rdbuf();
  return Out.str();
}

/// A test with an empty folder that is removed afterwards.
class FolderTest : public ::testing::Test {
protected:
  std::string Folder;

  void SetUp() override {
    std::string Pattern = ::testing::TempDir() + "warpwise-profile-XXXXXX";
    ASSERT_NE(::mkdtemp(Pattern.data()), nullptr);
    Folder = Pattern;
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  std::string at(const std::string &Name) const { return Folder + "/" + Name; }

  size_t entries() const {
    std::filesystem::directory_iterator It(Folder), End;
    return static_cast<size_t>(std::distance(It, End));
  }
};

} // namespace warpwise::profile

#endif // WARPWISE_TEST_UNIT_PROFILE_SUPPORT_H
