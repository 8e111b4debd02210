// Rule: cuda-memory-texture
// Cash flows are discounted by a curve of 512 rates that is read at any two
// neighbours: from global memory, or through a texture of linear memory.
#include "Pair.cuh"

constexpr int N = 1 << 21, Rates = 512;

template <class F>
__device__ void discount(const float *Years, float *Out, F Rate) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float At = Years[I] * (Rates - 2);
  const int Below = int(At);
  const float R = Rate(Below) + (At - Below) * (Rate(Below + 1) - Rate(Below));
  Out[I] = __expf(-0.05f * R * Years[I] * 30);
}

__global__ void before(const float *Years, const float *Curve, float *Out) {
  discount(Years, Out, [&](int At) { return Curve[At]; });
}

__global__ void after(const float *Years, cudaTextureObject_t Curve,
                      float *Out) {
  discount(Years, Out, [&](int At) { return tex1Dfetch<float>(Curve, At); });
}

int main() {
  const float *Years = input<float>(N);
  float *Curve = input<float>(Rates);
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypeLinear;
  Resource.res.linear.devPtr = Curve;
  Resource.res.linear.desc = cudaCreateChannelDesc<float>();
  Resource.res.linear.sizeInBytes = Rates * sizeof(float);
  cudaTextureDesc Description = {};
  cudaTextureObject_t Texture = 0;
  must(cudaCreateTextureObject(&Texture, &Resource, &Description, nullptr));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("yield-curve-by-texture");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Years, Curve, Expected);
    else
      after<<<N / 256, 256>>>(Years, Texture, Out);
}
