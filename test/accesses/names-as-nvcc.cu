// Kernels have the names that nvcc gives them, by which profilers speak of them
// and ptxas reports. Since Clang 18 the type of a template parameter that depends
// on another one would be part of the name ("TnNSt9enable_if...").
//
// RUN: %warpwise accesses %s | FileCheck %s

template <bool Condition> struct EnableIf {};
template <> struct EnableIf<true> {
  using Type = int;
};

// CHECK: "mangled": "_Z5firstIfLi0EEvPT_"
template <class T, typename EnableIf<sizeof(T) == 4>::Type = 0>
__global__ void first(T *Out) {
  Out[threadIdx.x] = T();
}

int main() {
  float *Out;
  cudaMalloc(&Out, 128);
  first<<<1, 32>>>(Out);
}
