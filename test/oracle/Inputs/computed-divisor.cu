// Which lanes take part depends on a power that is computed in floating point.
// Whatever lanes these are, a row of the tile is one wavefront.

__global__ void layers(float *Out) {
  __shared__ float Tile[32][16];
  int X = threadIdx.x, Y = threadIdx.y;
  Tile[Y][X] = Tile[Y + 16][X] = X;
  __syncthreads();
  for (int I = 1; I <= 4; ++I) {
    int Power = __powf(2, I);
    if (Y % Power == 0)
      Tile[Y][X] += Tile[Y + Power / 2][X];
    __syncthreads();
  }
  Out[Y * 16 + X] = Tile[Y][X];
}

int main() {
  float *Out;
  cudaMalloc(&Out, 4096);
  layers<<<1, dim3(16, 16)>>>(Out);
}
