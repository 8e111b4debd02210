//===- Sources.cpp - Traces made by hand for the tests --------------------===//

#include "Sources.h"

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Arrays lie far apart.
constexpr uint64_t arrayAt(unsigned Number) {
  return uint64_t(0x7f0000000000) + (uint64_t(Number) << 32);
}

} // namespace

void WarpWriter::request(LineAccess::Kind What, uint32_t Site, uint64_t First,
                         int64_t Stride, unsigned Bytes, unsigned Lanes) {
  const size_t Begin = Out.size();
  for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
    const uint64_t Address = First + uint64_t(Stride * int64_t(Lane));
    for (uint64_t Sector = Address / SectorBytes;
         Sector <= (Address + Bytes - 1) / SectorBytes; ++Sector) {
      size_t At = Out.size();
      while (At != Begin && Out[At - 1].Line > Sector / 4)
        --At;
      if (At == Begin || Out[At - 1].Line != Sector / 4)
        Out.insert(Out.begin() + long(At++),
                   {Sector / 4, Site, 0, What, false, false});
      Out[At - 1].Sectors |= uint8_t(1 << Sector % 4);
    }
  }
  Out.back().Last = true;
}

std::string HandSource::block(uint64_t Block, BlockTrace &Out) {
  ++BlocksMade;
  Out.Warps.resize(Shape.warps());
  for (unsigned W = 0; W != Shape.warps(); ++W) {
    Out.Warps[W].clear();
    WarpWriter Writer(Out.Warps[W]);
    Kernel(Block, W, Writer);
  }
  return "";
}

LaunchShape reuse::shapeOf(uint32_t Blocks, uint32_t Threads) {
  LaunchShape Shape;
  Shape.Grid[0] = Blocks;
  Shape.Block[0] = Threads;
  return Shape;
}

HandSource reuse::streaming(uint32_t Blocks, uint32_t Threads,
                            unsigned PerThread) {
  const uint64_t Grid = uint64_t(Blocks) * Threads * 4;
  return HandSource(shapeOf(Blocks, Threads), 2,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t At = (Block * Threads + Warp * 32) * 4;
                      for (unsigned I = 0; I != PerThread; ++I) {
                        Out.load(0, arrayAt(0) + At + I * Grid, 4);
                        Out.store(1, arrayAt(1) + At + I * Grid, 4);
                      }
                    });
}

HandSource reuse::stencil(uint32_t N) {
  LaunchShape Shape;
  Shape.Grid = {N / 32, N / 8, 1};
  Shape.Block = {32, 8, 1};
  return HandSource(Shape, 6,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t X = Block % (N / 32) * 32;
                      const uint64_t Y = Block / (N / 32) * 8 + Warp;
                      if (Y == 0 || Y == N - 1)
                        return;
                      const uint64_t At = arrayAt(0) + (Y * N + X) * 4;
                      Out.load(0, At - N * 4, 4);
                      Out.load(1, At - 4, 4);
                      Out.load(2, At, 4);
                      Out.load(3, At + 4, 4);
                      Out.load(4, At + N * 4, 4);
                      Out.store(5, At - arrayAt(0) + arrayAt(1), 4);
                    });
}

HandSource reuse::stridedWalk(uint32_t Blocks, uint32_t Threads,
                              unsigned Columns) {
  return HandSource(shapeOf(Blocks, Threads), 1,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t Row = Block * Threads + Warp * 32;
                      for (unsigned C = 0; C != Columns; ++C)
                        Out.load(0, arrayAt(0) + (Row * Columns + C) * 4,
                                 int64_t(Columns) * 4);
                    });
}

HandSource reuse::matrixProduct(uint32_t N) {
  LaunchShape Shape;
  Shape.Grid = {N / 32, N / 8, 1};
  Shape.Block = {32, 8, 1};
  return HandSource(Shape, 3,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t X = Block % (N / 32) * 32;
                      const uint64_t Y = Block / (N / 32) * 8 + Warp;
                      for (uint64_t K = 0; K != N; ++K) {
                        Out.load(0, arrayAt(0) + (Y * N + K) * 4, 0);
                        Out.load(1, arrayAt(1) + (K * N + X) * 4, 4);
                      }
                      Out.store(2, arrayAt(2) + (Y * N + X) * 4, 4);
                    });
}
