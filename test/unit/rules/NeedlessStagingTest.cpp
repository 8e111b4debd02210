//===- NeedlessStagingTest.cpp --------------------------------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view NeedlessStaging = "cuda-memory-needless-staging";

/// A tile that is filled from In and read \p Times times, by lanes side by
/// side.
access::Kernel staged(double Times) {
  auto Bring = globalCost(4, 4, 4);
  Bring.Weight = 1e6;
  Bring.PerWarp = 100;
  Bring.IssuedAlone[unsigned(access::Pipe::Sum)] = 2e7;
  auto In = accessTo(Space::Global, 4, {Bring});
  In.Object = "In";
  In.StagedIn = "Tile";
  auto Put = sharedCost(1, 1);
  Put.Weight = 1e6;
  Put.PerWarp = 100;
  auto Store = accessTo(Space::Shared, 4, {Put});
  Store.Object = "Tile";
  Store.Op = Operation::Store;
  auto Get = Put;
  Get.Weight *= Times;
  Get.PerWarp *= Times;
  Get.Direct = access::Unstaged{4, 1, 1, 1 / Times, 1 / Times};
  auto Load = accessTo(Space::Shared, 4, {Get});
  Load.Object = "Tile";
  auto K = kernelWith({In, Store, Load});
  K.Works = {{.Blocks = 4096,
              .IsWholeGrid = true,
              .BlockThreads = 256,
              .SharedBytes = 4096,
              .Issued = {0, 4e7, 0, 0, 0, 3e6, 0, 0}}};
  return K;
}

TEST(NeedlessStaging, IsReadOnce) {
  const auto Found =
      run(NeedlessStaging, staged(1), *profile::builtin("nvidia-h200"));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find(
                "what is copied from 'In' to 'Tile' is read there once"),
            std::string::npos);
  ASSERT_TRUE(Found[0].Faster);
  EXPECT_GT(Found[0].Faster->Low, 1.05);
}

TEST(NeedlessStaging, IsReadOftenByLanesApart) {
  auto K = staged(4);
  K.Accesses[2].PerLaunch[0].Direct->Sectors = 32;
  K.Accesses[2].PerLaunch[0].Direct->Lines = 32;
  K.Accesses[2].PerLaunch[0].Direct->LinePasses = 32;
  EXPECT_TRUE(
      run(NeedlessStaging, K, *profile::builtin("nvidia-h200")).empty());
}

TEST(NeedlessStaging, SomeLoadsFindSomethingElse) {
  auto K = staged(1);
  auto Other = K.Accesses[2];
  Other.PerLaunch[0].Direct.reset();
  K.Accesses.push_back(Other);
  EXPECT_TRUE(
      run(NeedlessStaging, K, *profile::builtin("nvidia-h200")).empty());
}

} // namespace
