//===- MeasuredWavefrontsTest.cpp - The bank law against an H200 ----------===//
//
// Each line of test/gpu/wavefronts/nvidia-h200.csv is one request to shared
// memory with the wavefronts that Nsight Compute counted for it.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/WarpCost.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace warpwise::warp;

namespace {

constexpr RequestLaw H200;

struct Request {
  std::string Operation;
  unsigned Bytes = 0, Measured = 0, MeasuredIdeal = 0;
  uint32_t Active = 0;
  LaneAddresses Addresses{};
};

std::vector<Request> readRequests() {
  std::ifstream File(WAVEFRONTS_CSV);
  std::vector<Request> Requests;
  std::string Line;
  std::getline(File, Line); // names
  while (std::getline(File, Line)) {
    std::istringstream Fields(Line);
    auto next = [&] {
      std::string Field;
      std::getline(Fields, Field, ',');
      return Field;
    };
    Request R;
    R.Operation = next();
    R.Bytes = unsigned(std::stoul(next()));
    R.Active = uint32_t(std::stoul(next(), nullptr, 16));
    R.Measured = unsigned(std::stoul(next()));
    R.MeasuredIdeal = unsigned(std::stoul(next()));
    for (uint64_t &Address : R.Addresses)
      Address = std::stoul(next());
    Requests.push_back(R);
  }
  return Requests;
}

unsigned predicted(const Request &R) {
  if (R.Operation == "load")
    return wavefronts(H200, R.Addresses, R.Active, R.Bytes);
  if (R.Operation == "store")
    return storeWavefronts(H200, R.Addresses, R.Active, R.Bytes);
  return atomicWavefronts(H200, R.Addresses, R.Active, R.Bytes);
}

TEST(MeasuredWavefronts, AgreeWithTheLaw) {
  const std::vector<Request> Requests = readRequests();
  ASSERT_EQ(Requests.size(), 700u);
  unsigned Misses = 0;
  for (const Request &R : Requests)
    Misses += predicted(R) != R.Measured;
  // The one exception: a 16-byte load by 14 scattered lanes, 6 instead of 5.
  EXPECT_EQ(Misses, 1u);
}

TEST(MeasuredWavefronts, IdealIsNsightComputes) {
  for (const Request &R : readRequests()) {
    if (R.Operation == "load") {
      EXPECT_EQ(idealWavefronts(H200, R.Addresses, R.Active, R.Bytes),
                R.MeasuredIdeal);
    } else if (R.Operation == "store") {
      EXPECT_EQ(idealStoreWavefronts(H200, R.Active, R.Bytes), R.MeasuredIdeal);
    }
  }
}

} // namespace
