//===- Sources.h - Traces made by hand for the tests ------------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_REUSE_SOURCES_H
#define WARPWISE_TEST_UNIT_REUSE_SOURCES_H

#include "analyzer/reuse/Trace.h"

#include <functional>

namespace warpwise::reuse {

/// Writes one warp's trace as a kernel would access memory.
class WarpWriter {
public:
  explicit WarpWriter(WarpTrace &Out) : Out(Out) {}

  /// The lanes' addresses are \p First, First + Stride, ... bytes.
  void request(LineAccess::Kind What, uint32_t Site, uint64_t First,
               int64_t Stride, unsigned Bytes = 4, unsigned Lanes = 32);
  void load(uint32_t Site, uint64_t First, int64_t Stride) {
    request(LineAccess::Kind::Load, Site, First, Stride);
  }
  void store(uint32_t Site, uint64_t First, int64_t Stride) {
    request(LineAccess::Kind::Store, Site, First, Stride);
  }
  /// A word of all lanes' private arrays.
  void local(uint32_t Site, uint64_t First) {
    const size_t Begin = Out.size();
    load(Site, First, 4);
    for (size_t N = Begin; N != Out.size(); ++N)
      Out[N].Local = true;
  }
  void barrier() {
    LineAccess A;
    A.What = LineAccess::Kind::Barrier;
    Out.push_back(A);
  }

private:
  WarpTrace &Out;
};

/// A kernel as a function of block and warp.
class HandSource : public TraceSource {
public:
  using Body =
      std::function<void(uint64_t Block, unsigned Warp, WarpWriter &Out)>;

  HandSource(LaunchShape Shape, unsigned SiteCount, Body Kernel)
      : Shape(Shape), Places(SiteCount), Kernel(std::move(Kernel)) {}

  const LaunchShape &shape() const override { return Shape; }
  const std::vector<Place> &sites() const override { return Places; }
  std::string block(uint64_t Block, BlockTrace &Out) override;

  uint64_t BlocksMade = 0;

private:
  LaunchShape Shape;
  std::vector<Place> Places;
  Body Kernel;
};

/// \p Blocks blocks of \p Threads threads.
LaunchShape shapeOf(uint32_t Blocks, uint32_t Threads);

/// c[i] = a[i]; \p PerThread elements a grid apart.
HandSource streaming(uint32_t Blocks, uint32_t Threads, unsigned PerThread = 1);
/// b[i] = a[i - n] + a[i - 1] + a[i] + a[i + 1] + a[i + n] on n x n floats,
/// n a multiple of 32, by blocks of 32 x 8.
HandSource stencil(uint32_t N);
/// Each thread walks a row of \p Columns floats (a thread per row, as in BICG).
HandSource stridedWalk(uint32_t Blocks, uint32_t Threads, unsigned Columns);
/// C = A B on n x n floats, a thread per element, blocks of 32 x 8.
HandSource matrixProduct(uint32_t N);

} // namespace warpwise::reuse

#endif // WARPWISE_TEST_UNIT_REUSE_SOURCES_H
