//===- ThreadRun.h - One thread of a generated kernel -----------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_THREADRUN_H
#define WARPWISE_TEST_UNIT_EVALUATE_THREADRUN_H

#include "test/unit/evaluate/GeneratedKernel.h"

namespace warpwise::test {

/// One execution of an access by a thread.
struct ThreadAccess {
  unsigned Access;
  /// Numbers of the iterations of the loops around it, eight bits each, the
  /// innermost in the low bits.
  uint64_t Iterations;
  uint64_t Address;
};

class ThreadRun {
public:
  ThreadRun(const GeneratedKernel &K, const KernelLaunch &Launch,
            std::vector<ThreadAccess> &Made)
      : K(K), Launch(Launch), Made(Made) {}

  /// False when it takes too long.
  bool run(const std::array<uint32_t, 3> &Block,
           const std::array<uint32_t, 3> &Thread);

private:
  enum class After { GoOn, Break, Continue, Return };

  const GeneratedKernel &K;
  const KernelLaunch &Launch;
  std::vector<ThreadAccess> &Made;
  std::array<uint32_t, 3> Block{}, Thread{};
  std::vector<uint64_t> Variables;
  bool TooLong = false;
  unsigned Count = 0;

  uint64_t value(const Expression &E) const;
  uint64_t leaf(const Expression &E) const;
  uint32_t loaded(uint32_t Index) const;
  bool holds(const Expression *Condition) const {
    return value(*Condition) & 1;
  }
  After execute(const std::vector<Statement> &List, uint64_t Iterations);
  After loop(const Statement &S, uint64_t Outer);
  void access(unsigned Number, uint64_t Iterations);
};

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_THREADRUN_H
