//===- Queued.h - GPU time without the host's share -------------*- C++ -*-===//
//
// Events around a launch on an idle device also time how long the host takes to
// submit it: a few microseconds, and they vary. Here the device spins until
// the host has queued everything, so that only GPU time lies between the
// events.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_QUEUED_H
#define WARPWISE_KERNELS_HARNESS_QUEUED_H

#include <cstdint>
#include <functional>

namespace warpwise::harness {

/// Queues a kernel that keeps the device busy for \p Nanoseconds.
void holdDevice(uint64_t Nanoseconds);

/// Milliseconds of GPU time that the launches in \p Launch take. \p Before is
/// queued ahead of them and is not timed. \p Hold is how long the device waits
/// for the host to queue, in nanoseconds.
double queuedMilliseconds(const std::function<void()> &Launch,
                          const std::function<void()> &Before = {},
                          uint64_t Hold = 30'000);

/// \p Bytes in \p Milliseconds as GB/s.
inline double gigabytesPerSecond(double Bytes, double Milliseconds) {
  return Bytes / Milliseconds / 1e6;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_QUEUED_H
