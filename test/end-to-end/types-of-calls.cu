// nvcc lets code for the device ask std::declval, which is a function of the
// host, for the type of a call.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --min-gain=0 --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s
#include <utility>

struct Halved {
  __device__ float of(float X) const { return X * 0.5f; }
};

template <class K>
__device__ auto valueOf(K &Kernel, float X)
    -> decltype(std::declval<K>().of(X)) {
  return Kernel.of(X);
}

template <class K> struct Result {
  using type = decltype(std::declval<K>().of(1.f));
};

template <class K>
__host__ __device__ auto sizeOn(K Kernel)
    -> decltype(std::declval<int>() + sizeof(K)) {
  return sizeof(Kernel);
}

template <class K>
__global__ void spread(K Kernel, const float *In,
                       typename Result<K>::type *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+1]]:58: warning: global load is uncoalesced: 32 sectors per request
  decltype(valueOf(Kernel, 0.f)) Value = valueOf(Kernel, In[32 * I]);
  Out[I] = Value + sizeOn(Kernel);
}

void launch(const float *In, float *Out) {
  spread<<<(1 << 20) / 256, 256>>>(Halved{}, In, Out + sizeOn(1));
}
// CHECK: note: 1 warning in 1 kernel, 2 of 2 accesses judged
