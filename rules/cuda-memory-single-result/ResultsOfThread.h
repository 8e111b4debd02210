//===- ResultsOfThread.h - How many results a thread has --------*- C++ -*-===//

#ifndef WARPWISE_RULES_SINGLE_RESULT_RESULTSOFTHREAD_H
#define WARPWISE_RULES_SINGLE_RESULT_RESULTSOFTHREAD_H

#include "analyzer/model/AccessModel.h"

namespace warpwise::rules {

/// Results in a row that a thread gets. With more there is less to gain by each
/// further one, and fewer blocks to keep a GPU busy.
constexpr double ResultsInARow = 4;

/// Loads for one result, at least, and the share that the next thread makes
/// again: two of a stencil's five or seven points will do (1.46 and 1.42 times
/// as fast on an H200: stencil-rows-of-four and stencil-3d-columns of
/// test/gpu/pairs).
constexpr double FewestLoads = 3, LeastAgain = 0.25;

/// Of what is there for each of several results in a row, what is left where
/// the next one wants \p Again of it.
inline double shareInARow(double Again) {
  return 1 - Again * (1 - 1 / ResultsInARow);
}

/// Whether threads have one result each: most store to some array in global
/// memory, and none stores to one twice.
bool haveOneResult(const access::Kernel &K, unsigned Launch);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_SINGLE_RESULT_RESULTSOFTHREAD_H
