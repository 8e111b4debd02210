//===- DeviceImage.h - How an image lies on the device ----------*- C++ -*-===//
//
// Bands one after the other, as in the file, but Pitch samples apart so that
// each begins at a multiple of 128 bytes. Before the first and behind the last
// line of a band a copy of that line stands, or, in a strip of an image, the
// line that is there: a window never has to ask for the first and last line.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_DEVICEIMAGE_H
#define WARPWISE_MNF_CASE_STUDY_GPU_DEVICEIMAGE_H

#include <cstdint>

namespace mnf {

/// The most bands that the fast versions take: AVIRIS has 224.
constexpr int MostBands = 224;

/// Samples from the start of a band's memory to its first line: room for the
/// line above and for an aligned read that begins before that.
constexpr int marginOf(int Samples) { return (Samples + 16 + 127) / 128 * 128; }

/// Samples from one band to the next, room for the line below included.
constexpr int pitchOf(int Samples, int Lines) {
  return (marginOf(Samples) + (Lines + 1) * Samples + 16 + 127) / 128 * 128;
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_DEVICEIMAGE_H
