//===- Validation.h - Predictions against fresh measurements ----*- C++ -*-===//
//
// A probe is a case that no benchmark measured: drawn at random, predicted from
// the profile alone, then measured. The parts of the validation are one file
// each and share how a probe is recorded.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_VALIDATION_VALIDATION_H
#define WARPWISE_KERNELS_VALIDATION_VALIDATION_H

#include "kernels/harness/Session.h"

#include <string>
#include <vector>

namespace warpwise::harness {

struct ValidationProbe {
  std::string What; ///< the case in words, for the method's text
  double Predicted = 0;
  double Measured = 0; ///< positive

  double error() const;
};

/// Records validation.<Group>.probe_<n>.{predicted,measured,error} and
/// validation.<Group>.{median_error,p95_error}.
void recordProbes(Session &S, const std::string &Group, const std::string &Unit,
                  const std::vector<ValidationProbe> &Probes);

/// Pointer chases through random footprints.
void validateLatency(Session &S);
/// Misses in L1 of random lists of loads.
void validateMisses(Session &S);
/// Random address patterns of a warp.
void validateRequests(Session &S);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_VALIDATION_VALIDATION_H
