//===- BytesPerAccessTest.cpp - What an access moves at each level --------===//

#include "analyzer/reuse/BytesPerAccess.h"
#include "Sources.h"
#include "analyzer/reuse/Simulator.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

/// What one warp's accesses to line after line move.
BytesPerAccess bytesOf(std::initializer_list<LineAccess::Kind> Accesses) {
  HandSource Source(shapeOf(1, 32), 1,
                    [&](uint64_t, unsigned, WarpWriter &Out) {
                      uint64_t Line = 0;
                      for (LineAccess::Kind What : Accesses)
                        Out.request(What, 0, Line++ * 128, 4);
                    });
  const SimulationResult R = simulate(Source, CacheOptions(), {});
  EXPECT_EQ(R.Error, "");
  return bytesPerAccess(R.Sites.at(0));
}

TEST(BytesPerAccess, AtomicsAreOneTransferOfL2) {
  const BytesPerAccess Bytes =
      bytesOf({LineAccess::Kind::Atomic, LineAccess::Kind::Atomic});
  EXPECT_EQ(Bytes.Accesses, 2);
  EXPECT_EQ(Bytes.L1, 128);
  EXPECT_EQ(Bytes.L2, 128);
}

TEST(BytesPerAccess, LoadsStoresAndAtomicsTogether) {
  const BytesPerAccess Bytes =
      bytesOf({LineAccess::Kind::Load, LineAccess::Kind::Store,
               LineAccess::Kind::Atomic});
  EXPECT_EQ(Bytes.Accesses, 3);
  EXPECT_EQ(Bytes.L1, 128);
  EXPECT_EQ(Bytes.L2, 128);
}

} // namespace
