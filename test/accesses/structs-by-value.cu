// Members of a struct that a kernel gets by value are known one by one: that a
// size comes from the command line leaves the stride beside it as certain as it
// is, and a pointer points where the host put it. So does what std::copy puts
// there, as constructors of tensor views do.
//
// RUN: %warpwise accesses %s | FileCheck %s
// RUN: %warpwise accesses %s -- -DCOPY | FileCheck %s

namespace std {
template <class In, class Out> Out copy(In First, In Last, Out To);
} // namespace std

template <int N> struct View {
  float *Data;
  long Sizes[N], Strides[N];
  View(float *Data, const long *Si, const long *St) : Data(Data) {
#ifdef COPY
    std::copy(Si, Si + N, &Sizes[0]);
    std::copy(St, St + N, &Strides[0]);
#else
    for (int I = 0; I < N; I++) {
      Sizes[I] = Si[I];
      Strides[I] = St[I];
    }
#endif
  }
};

// A stride of one, at an aligned address; how many lanes run is not known.
// CHECK-LABEL: "name": "rows(
__global__ void rows(View<1> Out) {
  long I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "proof": "estimated"
  // CHECK: "sectors": 4
  if (I < Out.Sizes[0])
    Out.Data[I * Out.Strides[0]] = 1;
}

// All of it is known, and the second view starts at an odd element.
// CHECK-LABEL: "name": "whole(
__global__ void whole(View<1> Out, View<1> Shifted) {
  long I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "proof": "exact"
  // CHECK: "sectors": 4
  Out.Data[I * Out.Strides[0]] = 1;
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "proof": "exact"
  // CHECK: "sectors": 5
  Shifted.Data[I * Shifted.Strides[0]] = 1;
}

struct Two {
  float *A, *B;
};

// Two members may point to the same: where they lead is left open.
// CHECK-LABEL: "name": "compares(
__global__ void compares(Two Both) {
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "proof": "bounded"
  if (Both.A != Both.B)
    Both.A[threadIdx.x] = 1;
}

int main(int Count, char **) {
  const long Rows = Count, Pitch = 3 * Count;
  const long Sizes[2] = {Rows, Pitch}, Strides[2] = {Pitch, 1};
  float *Data;
  cudaMalloc(&Data, 4 * Rows * Pitch);
  rows<<<16, 256>>>(View<1>(Data, Sizes, Strides + 1));
  const long Known[1] = {4096};
  whole<<<16, 256>>>(View<1>(Data, Known, Strides + 1),
                     View<1>(Data + 1, Known, Strides + 1));
  compares<<<1, 256>>>(Two{Data, Data});
}
