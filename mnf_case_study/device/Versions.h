//===- Versions.h - How many versions of the GPU's steps there are -*- C++ -*-//

#ifndef WARPWISE_MNF_CASE_STUDY_DEVICE_VERSIONS_H
#define WARPWISE_MNF_CASE_STUDY_DEVICE_VERSIONS_H

namespace mnf {

/// V0 has the plainest version of each step, this one the fastest.
inline constexpr int LastVersion = 8;
/// The one that also takes samples of 16 bits.
inline constexpr int HalfwordVersion = 7;

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_DEVICE_VERSIONS_H
