//===- KernelQuestion.h - One kernel and what is known of it ----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PIPELINE_KERNELQUESTION_H
#define WARPWISE_ANALYZER_PIPELINE_KERNELQUESTION_H

#include "analyzer/evaluate/KeptAccesses.h"
#include "analyzer/evaluate/LaunchPlans.h"
#include "analyzer/pipeline/DebugNames.h"
#include "analyzer/source/DeclaredArray.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace warpwise::pipeline {

/// All that the evaluation of a kernel is told.
struct KernelQuestion {
  llvm::Function &Kernel; ///< in canonical form
  const DebugNames &Names;
  profile::RequestLaw Law;
  access::LaunchKnowledge Launches;
  /// What the user says of its arguments, by their number.
  std::map<unsigned, launch::Argument> Arguments;
  std::map<unsigned, std::shared_ptr<const launch::Contents>> Contents;
  /// Where it accesses memory before it is lowered.
  std::vector<Place> Written;
  /// Of the file.
  const std::vector<DeclaredArray> &Arrays;
  /// What nvcc leaves of its loads.
  std::function<const access::KeptAccesses &()> Kept;
  /// nvcc can be asked.
  bool HasNvcc = false;
  /// Steps that it may take.
  uint64_t Budget = 0;
};

/// Accesses of private arrays, by name and declaration. They count for those
/// that stay in memory, which another clone of the kernel tells (and has debug
/// information of its own).
using PrivateAccesses =
    std::map<std::pair<std::string, Place>, std::vector<access::Access>>;

struct KernelAnswer {
  access::Kernel Found; ///< all but its state, private arrays and nvcc's word
  PrivateAccesses Privates;
  /// By their number, pointers whose contents count for nothing, since the
  /// kernel stores to them.
  std::set<unsigned> StoredTo;
  /// What nvcc makes of its registers has to be asked.
  bool AsksNvcc = false;
  uint64_t Steps = 0; ///< that it took
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_KERNELQUESTION_H
