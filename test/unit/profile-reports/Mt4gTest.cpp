//===- Mt4gTest.cpp - The export that sys-sage reads ----------------------===//

#include "Support.h"

#include "profiler/profile/Paths.h"
#include "profiler/tool/reports/Mt4g.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace warpwise;
using namespace warpwise::reports;
using nlohmann::json;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// A profile with all that MT4G's format asks for, with L1's siblings in L1.
Profile complete() {
  Profile P = named("nvidia-h200", "NVIDIA H200");
  P.Environment = {{"date", "2026-05-04"},
                   {"cuda_driver", "13.0"},
                   {"cuda_runtime", "12.8"}};
  const auto Set = [&](const std::string &Path, double Value,
                       const char *Unit) -> Quantity & {
    return P.Quantities[Path] = quantity(Value, Unit);
  };
  Set(paths::device_clock, 1980.4, "MHz");
  Set(paths::device_sm_count, 132, "1");
  Set(paths::device_memory_clock, 3201, "MHz");
  Set(paths::device_memory_bus, 6144, "bit");
  Set(paths::levels_sector, 32, "B");
  Set(paths::levels_l1_latency, 33.02, "clk").N = 7;
  Set(paths::levels_l1_capacity, 249856, "B").Ci95 = {{249856, 249856}};
  Set(paths::levels_l1_line, 128, "B").Second = {"other", 128, true};
  Set(paths::levels_l2_latency, 263.5, "clk");
  Set(paths::levels_l2_capacity, 62914560, "B").State = Status::Api;
  Set(paths::levels_l2_partition, 31457280, "B").Second = {"other", 3e7, false};
  Set(paths::levels_l2_line, 128, "B");
  Set(paths::levels_l2_fill, 64, "B");
  Set(paths::levels_l2_bandwidth, 9700, "GB/s");
  Set(paths::levels_l2_bandwidth_write, 5000, "GB/s");
  Set(paths::levels_dram_latency, 668, "clk");
  Set(paths::levels_dram_capacity, 150754820096, "B");
  Set(paths::levels_dram_bandwidth_read, 4000, "GB/s");
  Set(paths::levels_dram_bandwidth_write, 4100, "GB/s");
  Set(paths::levels_shared_latency, 29, "clk");
  Set(paths::levels_shared_capacity, 233472, "B");
  for (const char *Level : {"levels.readonly", "levels.texture"}) {
    Set(Level + std::string(".latency"), 34, "clk");
    Quantity &Q = Set(Level + std::string(".capacity"), 249856, "B");
    Q.State = Status::Alias;
    Q.Method = "the same as levels.l1.capacity";
  }
  for (const char *Level : {"levels.constant", "levels.constant_l15"}) {
    Set(Level + std::string(".latency"), 28, "clk");
    Set(Level + std::string(".capacity"), 2048, "B");
    Set(Level + std::string(".line"), 64, "B");
  }
  return P;
}

json exported(const Profile &P) { return json::parse(toMt4g(P)); }

bool missing(const Profile &P, const std::string &Path) {
  for (const std::string &Line : missingForMt4g(P))
    if (Line.starts_with(Path + ": "))
      return true;
  return false;
}

TEST(Mt4g, HeadAsMt4gWritesIt) {
  const json J = exported(complete());
  EXPECT_EQ(J["general"]["name"], "NVIDIA H200");
  EXPECT_EQ(J["general"]["vendor"], "NVIDIA");
  EXPECT_EQ(J["general"]["computeCapability"],
            (json{{"major", 9}, {"minor", 0}}));
  EXPECT_EQ(J["general"]["clockRate"],
            (json{{"value", 1980400}, {"unit", "kHz"}}));
  EXPECT_EQ(J["compute"], (json{{"multiProcessorCount", 132},
                                {"numberOfCoresPerMultiProcessor", 128},
                                {"maxThreadsPerMultiProcessor", 2048},
                                {"maxBlocksPerMultiProcessor", 32},
                                {"maxThreadsPerBlock", 1024},
                                {"warpSize", 32}}));
  EXPECT_EQ(J["meta"]["driver"], 13000);
  EXPECT_EQ(J["meta"]["runtime"], 12080);
  EXPECT_EQ(J["meta"]["timestamp"], "2026-05-04");
  EXPECT_TRUE(missingForMt4g(complete()).empty());
}

TEST(Mt4g, SizeAgainstValue) {
  const json M = exported(complete())["memory"];
  // What MT4G takes from the runtime has a "value" ...
  EXPECT_EQ(M["l2"]["size"], (json{{"value", 62914560}, {"unit", "bytes"}}));
  EXPECT_EQ(M["main"]["totalGlobalMem"],
            (json{{"value", 150754820096}, {"unit", "bytes"}}));
  EXPECT_EQ(M["shared"]["sharedMemPerMultiProcessor"]["value"], 233472);
  EXPECT_EQ(M["shared"]["sharedMemPerBlock"]["value"], 49152);
  EXPECT_EQ(M["constant"]["totalConstMem"]["value"], 65536);
  // ... and what it measures a "size".
  EXPECT_EQ(M["l1"]["size"]["size"], 249856);
  EXPECT_EQ(M["l1"]["lineSize"]["size"], 128);
  EXPECT_EQ(M["l1"]["fetchGranularity"]["size"], 32);
  EXPECT_EQ(M["l2"]["segmentSize"]["size"], 31457280);
  EXPECT_EQ(M["l2"]["fetchGranularity"]["size"], 64);
  EXPECT_EQ(M["constant"]["l1.5"]["size"]["size"], 2048);
  EXPECT_TRUE(M["l1"]["size"]["size"].is_number_integer());
}

TEST(Mt4g, UnitsAreConverted) {
  const json M = exported(complete())["memory"];
  EXPECT_EQ(M["l2"]["readBandwidth"]["unit"], "GiB/s");
  EXPECT_NEAR(M["l2"]["readBandwidth"]["value"], 9033.8, 0.1);
  EXPECT_NEAR(M["main"]["writeBandwidth"]["value"], 3818.4, 0.1);
  EXPECT_EQ(M["main"]["memoryClockRate"],
            (json{{"value", 3201000}, {"unit", "kHz"}}));
  EXPECT_EQ(M["main"]["memoryBusWidth"],
            (json{{"value", 6144}, {"unit", "bit"}}));
}

TEST(Mt4g, LatencyHasNoInventedPercentiles) {
  const json L = exported(complete())["memory"]["l1"]["latency"];
  EXPECT_EQ(L, (json{{"mean", 33.02},
                     {"unit", "cycles"},
                     {"method", "made up"},
                     {"measurements", 7}}));
}

TEST(Mt4g, ConfidenceNeedsAReason) {
  const json M = exported(complete())["memory"];
  EXPECT_EQ(M["l1"]["size"]["confidence"], 0.95);     // an interval
  EXPECT_EQ(M["l1"]["lineSize"]["confidence"], 0.95); // a second method
  EXPECT_FALSE(M["l2"]["segmentSize"].contains("confidence")); // disagrees
  EXPECT_FALSE(M["l2"]["lineSize"].contains("confidence"));    // neither
}

TEST(Mt4g, SharedCaches) {
  Profile P = complete();
  const json M = exported(P)["memory"];
  EXPECT_EQ(M["l1"]["sharedWith"], (json{"Read Only", "Texture"}));
  EXPECT_EQ(M["readOnly"]["sharedWith"], (json{"L1", "Texture"}));
  EXPECT_EQ(M["texture"]["sharedWith"], (json{"L1", "Read Only"}));
  EXPECT_EQ(M["texture"]["fetchGranularity"]["size"], 32);
  // One of its own that sys-sage could not read is left out.
  P.Quantities[paths::levels_texture_capacity].State = Status::Measured;
  const json Own = exported(P)["memory"];
  EXPECT_EQ(Own["l1"]["sharedWith"], (json{"Read Only"}));
  EXPECT_FALSE(Own.contains("texture"));
  EXPECT_TRUE(missing(P, "levels.texture.sector"));
}

TEST(Mt4g, LatencyOnlyWithBothBandwidths) {
  Profile P = complete();
  P.Quantities.erase(paths::levels_l2_bandwidth_write);
  P.Quantities[paths::levels_dram_bandwidth_read].State = Status::NotConverged;
  const json M = exported(P)["memory"];
  for (const char *Key : {"latency", "readBandwidth", "writeBandwidth"}) {
    EXPECT_FALSE(M["l2"].contains(Key)) << Key;
    EXPECT_FALSE(M["main"].contains(Key)) << Key;
  }
  EXPECT_TRUE(missing(P, paths::levels_l2_bandwidth_write));
  EXPECT_TRUE(missing(P, paths::levels_dram_bandwidth_read));
}

TEST(Mt4g, ConstantCachesOnlyTogether) {
  Profile P = complete();
  P.Quantities[paths::levels_constant_l15_capacity] =
      notMeasurable("B", "64 KiB at least");
  // With one member sys-sage asks for no levels.
  EXPECT_EQ(exported(P)["memory"]["constant"].size(), 1u);
  EXPECT_TRUE(missing(P, paths::levels_constant_l15_capacity));
}

TEST(Mt4g, AnEmptyProfileInventsNothing) {
  Profile P;
  const json J = exported(P);
  EXPECT_FALSE(J["general"].contains("computeCapability"));
  EXPECT_TRUE(J["compute"].empty());
  EXPECT_TRUE(J["memory"]["l1"].empty());
  EXPECT_TRUE(J["memory"]["l2"].empty());
  EXPECT_TRUE(J["memory"]["main"].empty());
  EXPECT_FALSE(J["memory"].contains("texture"));
  EXPECT_TRUE(missing(P, "device.architecture"));
  EXPECT_TRUE(missing(P, paths::device_memory_clock));
}

TEST(Mt4g, UnknownArchitecture) {
  Profile P = complete();
  P.Architecture = "sm_990";
  const json J = exported(P);
  EXPECT_EQ(J["general"]["computeCapability"]["major"], 99);
  EXPECT_FALSE(J["compute"].contains("numberOfCoresPerMultiProcessor"));
  EXPECT_TRUE(missing(P, "sm_990"));
  P.Architecture = "sm_90a";
  EXPECT_EQ(exported(P)["compute"]["maxBlocksPerMultiProcessor"], 32);
  for (const char *Odd : {"", "sm_", "sm_x", "sm_1", "gfx90a", "sm_99999999"}) {
    P.Architecture = Odd;
    EXPECT_FALSE(exported(P)["general"].contains("computeCapability")) << Odd;
  }
}

TEST(Mt4g, HostileTexts) {
  Profile P = complete();
  P.Gpu = "\xff\"}], \x01 {";
  P.Environment["date"] = "\xc3";
  P.Environment["cuda_driver"] = "13.x";
  P.Quantities[paths::levels_l1_line].Method = "\",\"confidence\":1,\"\xfe";
  const json J = exported(P);
  EXPECT_TRUE(J["general"]["name"].is_string());
  EXPECT_FALSE(J["meta"].contains("driver"));
  EXPECT_EQ(J["memory"]["l1"]["lineSize"]["confidence"], 0.95);
}

} // namespace
