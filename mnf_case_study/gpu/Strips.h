//===- Strips.h - How one launch follows another ----------------*- C++ -*-===//
//
// Where one launch writes an image from above and another reads it at the same
// time, the first one counts what it has done of each strip of lines. The
// taller strips are, the fewer lines the filter loads twice, and the more of
// what is written has left L2 before it is read: 32 lines make the filter 5 %
// faster and both together 4 % slower than 16 (H100). When the last strips are
// written, as many are under way as there are warps for, and the reader is
// behind by all of them, so those are flat.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_STRIPS_H
#define WARPWISE_MNF_CASE_STUDY_GPU_STRIPS_H

namespace mnf {

class Strips {
public:
  Strips() = default;
  __host__ __device__ explicit Strips(int Lines)
      : Lines(Lines), OfTall(Lines > AllFlat ? (Lines - AllFlat) / Tall : 0) {}

  __host__ __device__ int count() const {
    return OfTall + (Lines - flat() + Flat - 1) / Flat;
  }
  /// The first line of a strip.
  __host__ __device__ int first(int Strip) const {
    return Strip < OfTall ? Strip * Tall : flat() + (Strip - OfTall) * Flat;
  }
  /// Lines of a strip, of which the last one may have fewer.
  __host__ __device__ int height(int Strip) const {
    return Strip < OfTall ? Tall : Flat;
  }
  /// The strip of a line. Those behind the image are the last strip's.
  __host__ __device__ int of(int Line) const {
    Line = Line < Lines ? Line : Lines - 1;
    return Line < flat() ? Line / Tall : OfTall + (Line - flat()) / Flat;
  }

private:
  /// Lines of a strip, and of all flat ones.
  static constexpr int Tall = 16, Flat = 8, AllFlat = 48;

  int Lines, OfTall;

  /// Where flat strips begin.
  __host__ __device__ int flat() const { return OfTall * Tall; }
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_STRIPS_H
