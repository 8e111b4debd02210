//===- NoGpuEngine.cpp - Where there is no nvcc ---------------------------===//

#include "mnf_case_study/app/Engine.h"

namespace mnf {

Expected<std::unique_ptr<Engine>>
makeGpuEngine(const GpuWay &, const EnviImage &, NoiseEstimate, size_t) {
  return Failure{"this mnf was built without nvcc and has no versions for a "
                 "GPU; --serial needs none"};
}

} // namespace mnf
