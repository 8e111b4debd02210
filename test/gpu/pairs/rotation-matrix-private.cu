// Rule: cuda-memory-local-array
// Points are turned by a matrix that each thread makes of its quaternion: an
// array with indices of loops, or nine variables. The compiler makes it those.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const float4 *Turn, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Q = Turn[I];
  const float M[3][3] = {
      {1 - 2 * (Q.y * Q.y + Q.z * Q.z), 2 * (Q.x * Q.y - Q.z * Q.w),
       2 * (Q.x * Q.z + Q.y * Q.w)},
      {2 * (Q.x * Q.y + Q.z * Q.w), 1 - 2 * (Q.x * Q.x + Q.z * Q.z),
       2 * (Q.y * Q.z - Q.x * Q.w)},
      {2 * (Q.x * Q.z - Q.y * Q.w), 2 * (Q.y * Q.z + Q.x * Q.w),
       1 - 2 * (Q.x * Q.x + Q.y * Q.y)}};
  for (int R = 0; R < 3; ++R) {
    float Sum = 0;
    for (int C = 0; C < 3; ++C)
      Sum += M[R][C] * In[C * N + I];
    Out[R * N + I] = Sum;
  }
}

__global__ void after(const float4 *Turn, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Q = Turn[I];
  const float X = In[I], Y = In[N + I], Z = In[2 * N + I];
  const float XX = Q.x * Q.x, YY = Q.y * Q.y, ZZ = Q.z * Q.z;
  const float XY = Q.x * Q.y, XZ = Q.x * Q.z, YZ = Q.y * Q.z;
  const float XW = Q.x * Q.w, YW = Q.y * Q.w, ZW = Q.z * Q.w;
  Out[I] = (1 - 2 * (YY + ZZ)) * X + 2 * (XY - ZW) * Y + 2 * (XZ + YW) * Z;
  Out[N + I] = 2 * (XY + ZW) * X + (1 - 2 * (XX + ZZ)) * Y + 2 * (YZ - XW) * Z;
  Out[2 * N + I] =
      2 * (XZ - YW) * X + 2 * (YZ + XW) * Y + (1 - 2 * (XX + YY)) * Z;
}

int main() {
  const float *Turn = input<float>(4 * N), *In = input<float>(3 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("rotation-matrix-private");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const float4 *)Turn, In, Expected);
    else
      after<<<N / 256, 256>>>((const float4 *)Turn, In, Out);
}
