// Rule: cuda-memory-scalar-stream
// Values of high-dynamic-range video turned to light by the PQ curve (SMPTE
// ST 2084), two powers each. The remedy reads and writes four values at a time.
#include "Pair.cuh"

constexpr int N = 3 * 1920 * 1080;

__device__ float light(float Signal) {
  const float Root = powf(Signal, 1 / 78.84375f);
  const float Above = fmaxf(Root - 0.8359375f, 0.0f);
  return 10000 * powf(Above / (18.8515625f - 18.6875f * Root),
                      1 / 0.1593017578125f);
}

__global__ void before(const float *__restrict__ Video,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = light(Video[I]);
}

__global__ void after(const float4 *__restrict__ Video,
                      float4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N / 4)
    return;
  const float4 V = Video[I];
  Out[I] = make_float4(light(V.x), light(V.y), light(V.z), light(V.w));
}

int main() {
  const float *Video = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("pq-video-to-light-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>(Video, Expected);
    else
      after<<<(N / 4 + 255) / 256, 256>>>((const float4 *)Video, (float4 *)Out);
}
