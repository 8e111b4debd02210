//===- ParseLaunches.h - Launches of a snippet, for tests -------*- C++ -*-===//
//
// Parses CUDA source with declarations of its own in place of the toolkit's, so
// that the tests run without a toolkit and fast.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_LAUNCH_PARSELAUNCHES_H
#define WARPWISE_TEST_UNIT_LAUNCH_PARSELAUNCHES_H

#include "analyzer/launch/HostSettings.h"
#include "analyzer/launch/facts/LaunchFacts.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::launch {

/// Launches in \p Code, which may use dim3, the cuda* functions that the
/// collector knows, and unknown() for what nobody knows. \p Notes gets what the
/// collector has to say.
std::vector<Launch> parseLaunches(std::string_view Code,
                                  unsigned MaxPerKernel = 16,
                                  std::vector<std::string> *Notes = nullptr);

/// Launches of the program that \p Units make up, as collectRun() gives them.
std::vector<Launch> parseRun(const std::vector<std::string_view> &Units,
                             const HostSettings &Settings = {},
                             std::set<std::string> *Wanted = nullptr);

std::map<std::string, unsigned> parseBounds(std::string_view Code);

/// "32x8x1", "?" when it is not known; with "~" behind it when in doubt.
std::string printBlock(const Launch &L);
std::string printGrid(const Launch &L);

/// Integer argument \p Index of each launch; -1 when it is not known.
std::vector<int64_t> getIntegers(const std::vector<Launch> &Launches,
                                 unsigned Index);

} // namespace warpwise::launch

#endif // WARPWISE_TEST_UNIT_LAUNCH_PARSELAUNCHES_H
