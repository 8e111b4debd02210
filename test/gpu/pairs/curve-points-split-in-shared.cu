// Rule: cuda-memory-bank-conflict
// Points of a closed curve are smoothed eight times in shared memory: records
// of three floats, or an array for each coordinate.
#include "Pair.cuh"

constexpr int Curves = 1056, Points = 256, Times = 8;

struct Point {
  float X, Y, Z;
};

__device__ float smooth(float A, float B, float C) {
  return 0.25f * (A + C) + 0.5f * B;
}

__global__ void before(const Point *In, Point *Out) {
  __shared__ Point Curve[2][Points];
  const int T = threadIdx.x, L = (T + Points - 1) % Points,
            R = (T + 1) % Points;
  Curve[0][T] = In[blockIdx.x * Points + T];
  __syncthreads();
  for (int I = 0; I < Times; ++I) {
    const Point A = Curve[I % 2][L], B = Curve[I % 2][T], C = Curve[I % 2][R];
    Curve[(I + 1) % 2][T] = {smooth(A.X, B.X, C.X), smooth(A.Y, B.Y, C.Y),
                             smooth(A.Z, B.Z, C.Z)};
    __syncthreads();
  }
  Out[blockIdx.x * Points + T] = Curve[Times % 2][T];
}

__global__ void after(const Point *In, Point *Out) {
  __shared__ float Curve[2][3][Points];
  const int T = threadIdx.x, L = (T + Points - 1) % Points,
            R = (T + 1) % Points;
  const Point P = In[blockIdx.x * Points + T];
  Curve[0][0][T] = P.X, Curve[0][1][T] = P.Y, Curve[0][2][T] = P.Z;
  __syncthreads();
  for (int I = 0; I < Times; ++I) {
    for (int C = 0; C < 3; ++C) {
      const float *From = Curve[I % 2][C];
      Curve[(I + 1) % 2][C][T] = smooth(From[L], From[T], From[R]);
    }
    __syncthreads();
  }
  const auto &Last = Curve[Times % 2];
  Out[blockIdx.x * Points + T] = {Last[0][T], Last[1][T], Last[2][T]};
}

int main() {
  constexpr int Count = Curves * Points * 3;
  const float *In = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("curve-points-split-in-shared");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Curves, Points>>>((const Point *)In, (Point *)Expected);
    else
      after<<<Curves, Points>>>((const Point *)In, (Point *)Out);
}
