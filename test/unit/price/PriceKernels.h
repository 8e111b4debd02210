//===- PriceKernels.h - What the price is tested with -----------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_PRICE_PRICEKERNELS_H
#define WARPWISE_TEST_UNIT_PRICE_PRICEKERNELS_H

#include "analyzer/price/KernelTime.h"

#include <gtest/gtest.h>

namespace warpwise::price {

inline DeviceRates h200() {
  const KnownRates Known = ratesOf(*profile::builtin("nvidia-h200"));
  EXPECT_TRUE(Known.Rates) << Known.Missing;
  return Known.Rates.value_or(DeviceRates());
}

/// A copy of \p Bytes floats read and written once, one a thread.
inline access::Kernel copyOf(double Bytes, double Sectors = 4,
                             double Lines = 1) {
  access::Kernel K;
  launch::Shape Shape;
  Shape.Block = {256, 1, 1};
  const auto Blocks = uint32_t(Bytes / 4 / 256);
  Shape.Grid = {{Blocks, 1, 1}};
  K.Launches = {Shape};
  access::Work W;
  W.Blocks = Blocks;
  W.IsWholeGrid = true;
  W.BlockThreads = 256;
  K.Works = {W};
  for (const access::Operation Op :
       {access::Operation::Load, access::Operation::Store}) {
    access::Access A;
    A.Memory = access::Space::Global;
    A.Op = Op;
    A.Bytes = 4;
    A.Waits = Op == access::Operation::Load;
    if (Op == access::Operation::Load)
      A.WaitGroup = 0;
    access::Cost C;
    C.State = access::Proof::Exact;
    C.ActiveLanes = 32;
    C.Sectors = Op == access::Operation::Load ? Sectors : 4;
    C.IdealSectors = 4;
    C.Lines = Op == access::Operation::Load ? Lines : 1;
    C.LinePasses = 1;
    C.Weight = Bytes / 4 / 32;
    C.PerWarp = 1;
    C.Reach = access::Footprint();
    A.PerLaunch = {C};
    K.Accesses.push_back(A);
  }
  return K;
}

} // namespace warpwise::price

#endif // WARPWISE_TEST_UNIT_PRICE_PRICEKERNELS_H
