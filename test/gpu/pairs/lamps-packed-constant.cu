// Rule: cuda-memory-constant-walk
// How many of 512 lamps reach each point of a scene? Lamps are records of 64
// bytes in constant memory, of which 16 are read, or those 16 bytes alone.
#include "Pair.cuh"

constexpr int N = 1 << 18, Lamps = 512;

struct alignas(16) Lamp {
  float4 Sphere;
  float Colour[3], Power, Direction[3], Angle, Falloff[3];
  int Shadow;
};

__constant__ Lamp Whole[Lamps];
__constant__ float4 Spheres[Lamps];

__device__ int reaches(float X, float Y, float Z, const float4 &S) {
  const float U = X - S.x, V = Y - S.y, W = Z - S.z;
  return fmaf(W, W, fmaf(V, V, U * U)) < S.w * S.w;
}

__global__ void before(const float *__restrict__ Points,
                       int *__restrict__ Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Points[I], Y = Points[N + I], Z = Points[2 * N + I];
  int Count = 0;
#pragma unroll 8
  for (int L = 0; L < Lamps; ++L)
    Count += reaches(X, Y, Z, Whole[L].Sphere);
  Counts[I] = Count;
}

__global__ void after(const float *__restrict__ Points,
                      int *__restrict__ Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Points[I], Y = Points[N + I], Z = Points[2 * N + I];
  int Count = 0;
#pragma unroll 8
  for (int L = 0; L < Lamps; ++L)
    Count += reaches(X, Y, Z, Spheres[L]);
  Counts[I] = Count;
}

int main() {
  std::vector<Lamp> Host(Lamps);
  std::vector<float4> Packed(Lamps);
  for (int L = 0; L < Lamps; ++L) {
    const auto Number = [&](int Of) { return mixed(9 * L + Of) * 2.3e-10f; };
    Packed[L] = make_float4(Number(0), Number(1), Number(2), 0.3f * Number(3));
    Host[L].Sphere = Packed[L];
  }
  must(cudaMemcpyToSymbol(Whole, Host.data(), sizeof(Whole)));
  must(cudaMemcpyToSymbol(Spheres, Packed.data(), sizeof(Spheres)));
  const float *Points = input<float>(3 * N);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("lamps-packed-constant");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Points, Expected);
    else
      after<<<N / 256, 256>>>(Points, Out);
}
