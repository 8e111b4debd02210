//===- Literals.h - Kernels and devices as literals -------------*- C++ -*-===//
//
// What the tests of the rules are written in: a kernel with one access whose
// cost is given, and a device with round prices.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_RULES_LITERALS_H
#define WARPWISE_TEST_UNIT_RULES_LITERALS_H

#include "rules/RunRules.h"

#include <string>
#include <vector>

namespace warpwise::test {

/// Lanes 0 to \p Lanes - 1, \p Stride bytes apart.
access::LanePattern strided(int64_t Stride, unsigned Lanes = 32);

launch::Shape launched(launch::Dim3 Block, Place At = {"host.cu", 88});
launch::Shape assumed(launch::Dim3 Block);

/// Exact costs of one request, as the evaluator gives them for 4-byte lanes.
access::Cost sharedCost(double Wavefronts, int64_t Stride = 128);
access::Cost globalCost(double Sectors, double Ideal, int64_t Stride);

/// \p C under the launch with index \p Launch.
access::Cost under(unsigned Launch, access::Cost C);
/// \p C with its headline number only known to lie in [Low, High].
access::Cost bounded(access::Cost C, double Low, double High);

access::Access accessTo(access::Space Memory, unsigned Bytes,
                        std::vector<access::Cost> PerLaunch);
access::Kernel kernelWith(std::vector<access::Access> Accesses,
                          std::vector<launch::Shape> Launches = {
                              launched({32, 8, 1})});

/// Prices: wavefront 2, sector 1, word 3, local access 30 cycles; bandwidths:
/// char 100, short 200, char4 and half2 300 GB/s. No guideline was tested.
profile::Profile device();
void refute(profile::Profile &Device, const std::string &Guideline);
void setValue(profile::Profile &Device, const std::string &Path, double Value);

/// What the one rule says about the one kernel.
std::vector<advice::Finding> run(std::string_view Rule,
                                 const access::Kernel &Kernel,
                                 const profile::Profile &Device = device());

/// Whether one of the notes contains \p Part.
bool hasNote(const advice::Finding &F, std::string_view Part);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_RULES_LITERALS_H
