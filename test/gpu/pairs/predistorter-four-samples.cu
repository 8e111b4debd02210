// Rule: cuda-memory-single-result
// A transmitter's samples predistorted by a memory polynomial: the last eight
// samples, each by a gain that is a polynomial of its power, of seven complex
// terms in constant memory. A thread works out one result, or four next to each
// other from a window of samples kept in registers.
#include "Pair.cuh"

constexpr int N = 1 << 22, Memory = 8, Terms = 7;

__constant__ float2 Factor[Memory][Terms];

// What a sample that is so old adds to the result.
__device__ void distort(float2 Sample, float Power, int Age, float2 &Sum) {
  float2 Gain = Factor[Age][Terms - 1];
#pragma unroll
  for (int T = Terms - 2; T >= 0; --T) {
    Gain.x = Gain.x * Power + Factor[Age][T].x;
    Gain.y = Gain.y * Power + Factor[Age][T].y;
  }
  Sum.x += Gain.x * Sample.x - Gain.y * Sample.y;
  Sum.y += Gain.x * Sample.y + Gain.y * Sample.x;
}

__device__ float power(float2 Sample) {
  return 0.5f * (Sample.x * Sample.x + Sample.y * Sample.y);
}

// Eight samples precede the first.
__global__ void before(const float2 *__restrict__ Samples,
                       float2 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float2 Sum = {0, 0};
#pragma unroll
  for (int Age = 0; Age < Memory; ++Age) {
    const float2 Sample = Samples[I + Memory - Age];
    distort(Sample, power(Sample), Age, Sum);
  }
  Out[I] = Sum;
}

__global__ void after(const float2 *__restrict__ Samples,
                      float2 *__restrict__ Out) {
  const int I = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  float2 Window[Memory + 4];
  float Powers[Memory + 4];
#pragma unroll
  for (int K = 0; K < Memory + 4; K += 2) {
    const float4 Two = *(const float4 *)(Samples + I + K);
    Window[K] = {Two.x, Two.y};
    Window[K + 1] = {Two.z, Two.w};
    Powers[K] = power(Window[K]);
    Powers[K + 1] = power(Window[K + 1]);
  }
  float2 Sums[4] = {};
#pragma unroll
  for (int Age = 0; Age < Memory; ++Age)
#pragma unroll
    for (int R = 0; R < 4; ++R)
      distort(Window[R + Memory - Age], Powers[R + Memory - Age], Age, Sums[R]);
#pragma unroll
  for (int R = 0; R < 4; R += 2)
    *(float4 *)(Out + I + R) = {Sums[R].x, Sums[R].y, Sums[R + 1].x,
                                Sums[R + 1].y};
}

int main() {
  const float2 *Samples =
      (const float2 *)input<float>(2 * size_t(N + Memory));
  const float *Factors = input<float>(2 * Memory * Terms);
  must(cudaMemcpyToSymbol(Factor, Factors, sizeof(Factor), 0,
                          cudaMemcpyDeviceToDevice));
  float2 *Expected = (float2 *)output<float>(2 * N),
         *Out = (float2 *)output<float>(2 * N);
  Pair P("predistorter-four-samples");
  P.same((const float *)Expected, (const float *)Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Samples, Expected);
    else
      after<<<N / 4 / 256, 256>>>(Samples, Out);
}
