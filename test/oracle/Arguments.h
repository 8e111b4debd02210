//===- Arguments.h - What a kernel is called with ---------------*- C++ -*-===//
//
// The arguments of a launch in memory: the values that the launch tells, and
// for the rest what the evaluator makes up.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_ORACLE_ARGUMENTS_H
#define WARPWISE_TEST_ORACLE_ARGUMENTS_H

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/LaunchPlans.h"
#include "analyzer/execution/DeviceMemory.h"

#include <memory>

namespace llvm {
class Argument;
class Type;
} // namespace llvm

namespace warpwise::oracle {

using execution::Contents;
using execution::DeviceMemory;

class Arguments {
public:
  Arguments(const access::Program &Code, const access::LaunchPlan &Plan,
            DeviceMemory &Memory, Contents Initial);

  /// One address for each argument.
  void **pointers() { return Pointers.data(); }
  /// False when memory for a pointer could not be had.
  bool complete() const { return Complete; }

private:
  const access::Program &Code;
  const access::LaunchPlan &Plan;
  const access::Environment Where;
  DeviceMemory &Memory;
  Contents Initial;
  bool Complete = true;
  std::vector<std::unique_ptr<char[]>> Images;
  std::vector<void *> Pointers;

  char *buffer();
  void addStruct(const llvm::Argument &Formal, char *Image, uint64_t Bytes);
  void fillMembers(const llvm::Type *T, uint64_t Offset, uint64_t Base,
                   char *Image);
  void addScalar(const llvm::Argument &Formal, char *Image, uint64_t Bytes);
  uint64_t presetOf(const llvm::Argument &Formal) const;
};

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_ARGUMENTS_H
