//===- Median.cuh - The median of a 3x3 window in registers -----*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH

namespace mnf {

/// Three samples one above the other, in order.
template <typename Value> struct SortedColumnOf {
  using Type = Value;
  Value Small, Middle, Large;
};
using SortedColumn = SortedColumnOf<int>;

/// Whole numbers of any size are ints, unless it says otherwise.
template <typename Value = int>
__device__ inline Value medianOf3(typename SortedColumnOf<Value>::Type A,
                                  typename SortedColumnOf<Value>::Type B,
                                  typename SortedColumnOf<Value>::Type C) {
  return max(min(A, B), min(max(A, B), C));
}

template <typename Value = int>
__device__ inline SortedColumnOf<Value>
sortColumn(typename SortedColumnOf<Value>::Type A,
           typename SortedColumnOf<Value>::Type B,
           typename SortedColumnOf<Value>::Type C) {
  return {min(min(A, B), C), medianOf3<Value>(A, B, C), max(max(A, B), C)};
}

/// Of nine samples in three sorted columns, the median of the whole is the
/// median of the largest small one, the median middle one and the smallest
/// large one.
template <typename Value>
__device__ inline Value medianOf(SortedColumnOf<Value> A,
                                 SortedColumnOf<Value> B,
                                 SortedColumnOf<Value> C) {
  return medianOf3<Value>(max(max(A.Small, B.Small), C.Small),
                          medianOf3<Value>(A.Middle, B.Middle, C.Middle),
                          min(min(A.Large, B.Large), C.Large));
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_MEDIAN_CUH
