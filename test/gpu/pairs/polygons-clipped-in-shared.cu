// Rule: cuda-memory-local-array
// The area of triangles within a window, each clipped at four sides by a
// thread: the corners, up to seven, are in private arrays, or each thread has
// a column in shared memory.
#include "Pair.cuh"

constexpr int N = 1 << 18, Threads = 128, Corners = 8;

template <class F>
__device__ float clippedArea(const float2 *Triangles, F Corner) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  int Count = 3;
  for (int I = 0; I < 3; ++I)
    Corner(0, I) = Triangles[I * N + T];
  for (int Side = 0; Side < 4; ++Side) {
    const int From = Side % 2;
    const auto Inner = [&](float2 P) {
      const float C = Side < 2 ? P.x : P.y;
      return Side % 2 ? 0.8f - C : C - 0.2f;
    };
    int Kept = 0;
    for (int I = 0; I < Count; ++I) {
      const float2 A = Corner(From, I),
                   B = Corner(From, I + 1 == Count ? 0 : I + 1);
      const float U = Inner(A), V = Inner(B);
      if (U >= 0)
        Corner(1 - From, Kept++) = A;
      if ((U >= 0) != (V >= 0)) {
        const float At = U / (U - V);
        Corner(1 - From, Kept++) =
            make_float2(A.x + At * (B.x - A.x), A.y + At * (B.y - A.y));
      }
    }
    Count = Kept;
  }
  float Area = 0;
  for (int I = 0; I < Count; ++I) {
    const float2 A = Corner(0, I), B = Corner(0, I + 1 == Count ? 0 : I + 1);
    Area += A.x * B.y - A.y * B.x;
  }
  return 0.5f * fabsf(Area);
}

__global__ void before(const float2 *Triangles, float *Areas) {
  float2 Mine[2][Corners];
  Areas[blockIdx.x * blockDim.x + threadIdx.x] = clippedArea(
      Triangles, [&](int Of, int I) -> float2 & { return Mine[Of][I]; });
}

__global__ void after(const float2 *Triangles, float *Areas) {
  __shared__ float2 All[2][Corners][Threads];
  Areas[blockIdx.x * blockDim.x + threadIdx.x] =
      clippedArea(Triangles, [&](int Of, int I) -> float2 & {
        return All[Of][I][threadIdx.x];
      });
}

int main() {
  const float *Triangles = input<float>(6 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("polygons-clipped-in-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>((const float2 *)Triangles, Expected);
    else
      after<<<N / Threads, Threads>>>((const float2 *)Triangles, Out);
}
