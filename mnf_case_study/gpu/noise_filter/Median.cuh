//===- Median.cuh - The median of a 3x3 window in registers -----*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH

namespace mnf {

__device__ inline int medianOf3(int A, int B, int C) {
  return max(min(A, B), min(max(A, B), C));
}

/// Three samples one above the other, in order.
struct SortedColumn {
  int Small, Middle, Large;
};

__device__ inline SortedColumn sortColumn(int A, int B, int C) {
  return {min(min(A, B), C), medianOf3(A, B, C), max(max(A, B), C)};
}

/// Of nine samples in three sorted columns, the median of the whole is the
/// median of the largest small one, the median middle one and the smallest
/// large one.
__device__ inline int medianOf(SortedColumn A, SortedColumn B, SortedColumn C) {
  return medianOf3(max(max(A.Small, B.Small), C.Small),
                   medianOf3(A.Middle, B.Middle, C.Middle),
                   min(min(A.Large, B.Large), C.Large));
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH
