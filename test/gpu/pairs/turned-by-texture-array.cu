// Rule: cuda-memory-texture
// A picture of floats is turned by 90 degrees and a little more, each pixel
// the nearest one, from global memory or from a texture of two dimensions.
#include "Pair.cuh"

constexpr int Side = 2048;

template <class F> __device__ void turn(float *To, F Pixel) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  // In fixed point, so that both agree about each pixel.
  const int U = Side - 1 - Y, V = X + (Y * 5 >> 5) & Side - 1;
  To[Y * Side + X] = Pixel(U, V);
}

__global__ void before(const float *__restrict__ From, float *To) {
  turn(To, [&](int U, int V) { return From[V * Side + U]; });
}

__global__ void after(cudaTextureObject_t From, float *To) {
  turn(To,
       [&](int U, int V) { return tex2D<float>(From, U + 0.5f, V + 0.5f); });
}

int main() {
  const float *From = input<float>(Side * Side);
  cudaArray_t Array;
  const cudaChannelFormatDesc Format = cudaCreateChannelDesc<float>();
  must(cudaMallocArray(&Array, &Format, Side, Side));
  must(cudaMemcpy2DToArray(Array, 0, 0, From, Side * sizeof(float),
                           Side * sizeof(float), Side,
                           cudaMemcpyDeviceToDevice));
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypeArray;
  Resource.res.array.array = Array;
  cudaTextureDesc Description = {};
  Description.addressMode[0] = cudaAddressModeClamp;
  Description.addressMode[1] = cudaAddressModeClamp;
  Description.filterMode = cudaFilterModePoint;
  Description.readMode = cudaReadModeElementType;
  cudaTextureObject_t Texture = 0;
  must(cudaCreateTextureObject(&Texture, &Resource, &Description, nullptr));
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("turned-by-texture-array");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(From, Expected);
    else
      after<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Texture, Out);
}
