//===- Engine.cpp ---------------------------------------------------------===//

#include "mnf_case_study/app/Engine.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace mnf {

void Times::add(const std::string &Name, double Milliseconds) {
  auto It = std::find_if(Steps.begin(), Steps.end(),
                         [&](const Step &S) { return S.Name == Name; });
  if (It == Steps.end())
    It = Steps.insert(Steps.end(), {Name, 0});
  It->Milliseconds += Milliseconds;
}

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
