//===- Engine.cpp ---------------------------------------------------------===//

#include "mnf_case_study/app/Engine.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace mnf {

Progress::Progress(bool Quiet) : Shown(!Quiet && ::isatty(STDERR_FILENO)) {}

void Progress::show(const char *Step, size_t Done, size_t Of) {
  if (!Shown)
    return;
  std::fprintf(stderr, "\r\x1b[K%s: %zu %%", Step, 100 * Done / Of);
  Dirty = true;
}

Progress::~Progress() {
  if (Dirty)
    std::fputs("\r\x1b[K", stderr);
}

Expected<Rotation> Engine::solve(const Moments &Of, Times &Spent) {
  return Spent.measure("S3 S5-S7 eigenvalues",
                       [&] { return mnf::solve(Of.Noise, Of.Image); });
}

std::vector<float> weightsOf(const Rotation &By, size_t Components) {
  const size_t Bands = size_t(By.Transformation.rows());
  std::vector<float> Weights(Bands * Components);
  for (size_t Band = 0; Band < Bands; ++Band)
    for (size_t K = 0; K < Components; ++K)
      Weights[Band * Components + K] =
          float(By.Transformation(Eigen::Index(Band), Eigen::Index(K)));
  return Weights;
}

} // namespace mnf
