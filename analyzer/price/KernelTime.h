//===- KernelTime.h - How long a launch takes, and why ----------*- C++ -*-===//
//
// Plain arithmetic from the access model and a device's rates to a time. A
// kernel is as slow as the part of the machine that it keeps busiest; parts
// that are nearly as busy get in each other's way, which a power mean says:
//
//   sms  = (max(lsu, under way)^p + max(issue, constant)^p + latency^p)^(1/p)
//   work = max((l2^p + sms^p)^(1/p), (dram^p + (l2 / 2)^p + sms^p)^(1/p))
//   T    = T0 + max(atomics, (work^6 + dispatch^6)^(1/6))
//
// A warp does one thing after the other, and others have to be there for parts
// to be busy side by side: p is small where an SM has few warps.
//
// What a finding would gain is the time as the code is over the time with the
// access repaired. Both come from the same function.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PRICE_KERNELTIME_H
#define WARPWISE_ANALYZER_PRICE_KERNELTIME_H

#include "analyzer/price/CacheTraffic.h"
#include "analyzer/price/Demands.h"
#include "analyzer/price/DeviceRates.h"

#include <string>
#include <string_view>

namespace warpwise::price {

/// What a launch keeps busy and for how long, in nanoseconds.
struct KernelTime {
  double Launch = 0;
  double Dram = 0, L2 = 0, LoadStore = 0, Issue = 0, Constant = 0, Latency = 0,
         Dispatch = 0, Atomics = 0;
  /// As long as all loads of warps are under way together, an SM having room
  /// for so many of them at a time.
  double UnderWay = 0;
  double Total = 0;
  /// Blocks that an SM holds at the same time, and rounds of them.
  double Resident = 0, Waves = 0;
  /// Of the warps that an SM has room for, those that it has.
  double Occupancy = 1;

  /// The part that is busiest: "DRAM", "L2", "latency" ...
  std::string_view boundBy() const;
  /// That part, and the next where it is nearly as busy, so that mending the
  /// first alone would not help: "L2 and latency".
  std::string bounds() const;
};

KernelTime timeOf(const Demands &D, const DeviceRates &Device, Caches State);

/// KernelTime::Total of the other parts of \p T.
double totalOf(const KernelTime &T);

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_KERNELTIME_H
