//===- Gain.h - How much faster a kernel gets by a repair -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PRICE_GAIN_H
#define WARPWISE_ANALYZER_PRICE_GAIN_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/price/DeviceRates.h"
#include "analyzer/price/KernelTime.h"
#include "analyzer/price/Repair.h"

#include <optional>
#include <span>
#include <string>

namespace warpwise::price {

/// Time as it is over time as repaired.
struct Gain {
  double Factor = 1, Low = 1, High = 1;
  /// What the kernel is bound by as it is: "L2", "L2 and latency".
  std::string BoundBy;
  /// Of the launch as it is, in microseconds; unset where its grid or the
  /// rounds of its loops are not known. The factor is then that of a launch
  /// that fills the GPU and runs long enough.
  std::optional<double> Microseconds;
  /// The size of the grid is not known: the gain is that of one that fills the
  /// GPU, a smaller one may gain less.
  bool FillsGpu = false;
  /// The size of the grid is not known, but that it cannot fill the GPU: the
  /// gain is that of so many blocks, the most that there can be. 0 otherwise.
  unsigned MostBlocks = 0;
  /// It has loops of which nobody knows how many rounds they have.
  bool HasOpenLoops = false;
  /// No launch of the kernel was seen. Filled in like Under.
  bool IsUnlaunched = false;
  /// The launch that this is about, where the kernel has others, too: "block
  /// 32x8 (host.cu:88)". Filled in by who knows how to call it.
  std::string Under = {};
  /// The lower end if nothing but what the repair leaves were uncertain. What
  /// the parts of a time are off by is as likely to raise a gain as to lower
  /// it. For rules: no output has it, and what is read back has none.
  double Sure = 1;

  bool operator==(const Gain &) const = default;
};

/// A launch as it is.
struct Standing {
  double Nanoseconds = 0;
  bool IsWhole = false; ///< as in Gain: nothing of it is unknown
  std::string BoundBy;
};

/// The launch of \p K by which what \p Repairs change of \p Launch is priced:
/// the largest that the same call is known to make with the same block and that
/// does what they repair, as a loop over sizes does; itself, if there is none.
/// Ways to a call that are not told apart are one launch of which little is
/// known.
unsigned pricedFor(const access::Kernel &K, unsigned Launch,
                   std::span<const Repair> Repairs = {});

/// Whether launch \p Launch of \p K waits for a bus, which no profile knows.
bool goesElsewhere(const access::Kernel &K, unsigned Launch);

/// Launch \p Launch of \p K; one of unknown size fills the GPU. Nothing where
/// it goesElsewhere().
std::optional<Standing> standingOf(const access::Kernel &K, unsigned Launch,
                                   const DeviceRates &Device);

/// What \p Repairs and \p Shape make of launch \p Launch of \p K. Nothing when
/// there is nothing of either, when the work of an access that they change is
/// not known, or where there is no standingOf().
std::optional<Gain> gainOf(const access::Kernel &K, unsigned Launch,
                           std::span<const Repair> Repairs,
                           const DeviceRates &Device,
                           const std::optional<Reshape> &Shape = {});

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_GAIN_H
