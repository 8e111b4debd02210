// Rule: cuda-memory-atomic-contention
// Values are added up by class, as k-means does: in sixteen words of global
// memory, or of each block's shared memory first.
// Options: --buffer=Class=random,count=524288,below=16
#include "Pair.cuh"

constexpr int N = 1 << 19, Classes = 16;

__global__ void before(const float *In, const unsigned char *Class,
                       float *Sums) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Sums[Class[I]], In[I]);
}

__global__ void after(const float *In, const unsigned char *Class,
                      float *Sums) {
  __shared__ float Part[Classes];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < Classes)
    Part[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&Part[Class[I]], In[I]);
  __syncthreads();
  if (threadIdx.x < Classes)
    atomicAdd(&Sums[threadIdx.x], Part[threadIdx.x]);
}

int main() {
  const float *In = input<float>(N);
  const unsigned char *Class = input<unsigned char>(N, Classes);
  float *Expected = output<float>(Classes), *Out = output<float>(Classes);
  Pair P("class-sums");
  P.same(Expected, Out, Classes);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Class, Expected);
    else
      after<<<N / 256, 256>>>(In, Class, Out);
}
