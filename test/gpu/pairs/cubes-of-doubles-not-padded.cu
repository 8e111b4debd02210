// Rule: cuda-memory-bank-conflict
// Differences are added up along the three axes of cubes of 8^3 doubles in shared
// memory. A row made longer by one, as for columns of floats, puts two of the
// rows that a half warp uses into the same banks; rows of 8 do not need it.
#include "Pair.cuh"

constexpr int Side = 8, Cubes = 1 << 16, Elements = Cubes * Side * Side * Side;

template <int Row>
__device__ void addUp(const double *In, double *Out) {
  __shared__ double Cube[Side][Side][Row];
  const unsigned X = threadIdx.x, Y = threadIdx.y, Z = threadIdx.z;
  const unsigned I = ((blockIdx.x * Side + Z) * Side + Y) * Side + X;
  Cube[Z][Y][X] = In[I];
  __syncthreads();
  for (unsigned Step = 1; Step < Side; Step *= 2) {
    const double Left = X >= Step ? Cube[Z][Y][X - Step] : 0;
    __syncthreads();
    Cube[Z][Y][X] += Left;
    __syncthreads();
  }
  for (unsigned Step = 1; Step < Side; Step *= 2) {
    const double Above = Y >= Step ? Cube[Z][Y - Step][X] : 0;
    __syncthreads();
    Cube[Z][Y][X] += Above;
    __syncthreads();
  }
  for (unsigned Step = 1; Step < Side; Step *= 2) {
    const double Behind = Z >= Step ? Cube[Z - Step][Y][X] : 0;
    __syncthreads();
    Cube[Z][Y][X] += Behind;
    __syncthreads();
  }
  Out[I] = Cube[Z][Y][X];
}

__global__ void before(const double *In, double *Out) {
  addUp<Side + 1>(In, Out);
}

__global__ void after(const double *In, double *Out) { addUp<Side>(In, Out); }

int main() {
  const double *In = input<double>(Elements);
  double *Expected = output<double>(Elements), *Out = output<double>(Elements);
  Pair P("cubes-of-doubles-not-padded");
  P.same(Expected, Out, Elements);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cubes, dim3(Side, Side, Side)>>>(In, Expected);
    else
      after<<<Cubes, dim3(Side, Side, Side)>>>(In, Out);
}
