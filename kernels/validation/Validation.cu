//===- Validation.cu - Predictions held against fresh measurements --------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/validation/Validation.h"
#include "profiler/inference/Statistics.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::harness {

double ValidationProbe::error() const {
  return std::abs(Predicted - Measured) / Measured;
}

void recordProbes(Session &S, const std::string &Group, const std::string &Unit,
                  const std::vector<ValidationProbe> &Probes) {
  if (Probes.empty())
    throw Skip(fmt::format("no probe of '{}' could be predicted", Group));
  const std::string Path = "validation." + Group + ".";
  std::vector<double> Errors;
  for (const ValidationProbe &P : Probes) {
    const std::string At = fmt::format("{}probe_{}.", Path, Errors.size());
    S.inferred(At + "predicted", Unit, P.Predicted, P.What);
    S.exact(At + "measured", Unit, P.Measured, P.What);
    S.inferred(At + "error", "1", P.error(),
               "difference from the measured value, relative");
    Errors.push_back(P.error());
  }
  S.inferred(Path + "median_error", "1", inference::median(Errors),
             fmt::format("of {} random probes that no benchmark measured",
                         Errors.size()));
  S.inferred(Path + "p95_error", "1", inference::quantile(Errors, 0.95),
             fmt::format("of {} random probes that no benchmark measured",
                         Errors.size()));
}

namespace {

void run(Session &S) {
  validateLatency(S);
  validateMisses(S);
  validateRequests(S);
}

const Registration Registered({
    .Name = "validation",
    .Measures = "unseen random probes against what the profile predicts",
    .When = Stage::Validation,
    .Provides = {{paths::validation_latency_median_error, "1"},
                 {paths::validation_latency_p95_error, "1"},
                 {paths::validation_misses_median_error, "1"},
                 {paths::validation_misses_p95_error, "1"},
                 {paths::validation_requests_median_error, "1"},
                 {paths::validation_requests_p95_error, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
