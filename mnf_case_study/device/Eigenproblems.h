//===- Eigenproblems.h - S3 and S5 to S7 on the device ----------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_DEVICE_EIGENPROBLEMS_H
#define WARPWISE_MNF_CASE_STUDY_DEVICE_EIGENPROBLEMS_H

#include "mnf_case_study/serial/Rotation.h"

struct cublasContext;
struct cusolverDnContext;

namespace mnf {

/// Solves by cuSOLVER what serial/Rotation.h solves by Eigen, in doubles, too.
class Eigenproblems {
public:
  Eigenproblems();
  Eigenproblems(const Eigenproblems &) = delete;
  Eigenproblems &operator=(const Eigenproblems &) = delete;
  ~Eigenproblems();

  Expected<Rotation> solve(const Statistics &Noise, const Statistics &Image);

private:
  cublasContext *Blas = nullptr;
  cusolverDnContext *Solver = nullptr;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_DEVICE_EIGENPROBLEMS_H
