// Rule: cuda-memory-missing-restrict
// Six tracers of an ocean model are carried by the same wind, upwind
// differences in two dimensions. The wind and the area of the cell are read
// again after each store, as that might have changed them, or pointers have
// __restrict__. NVIDIA blog, "Optimize using pointer aliasing".
#include "Pair.cuh"

constexpr int Width = 1536, Height = 1024, Tracers = 6, Bx = 32, By = 8;

__device__ float carried(const float *Q, int I, float East, float North) {
  const float Mid = Q[I];
  const float AlongX =
      East > 0 ? East * (Mid - Q[I - 1]) : East * (Q[I + 1] - Mid);
  const float AlongY =
      North > 0 ? North * (Mid - Q[I - Width]) : North * (Q[I + Width] - Mid);
  return AlongX + AlongY;
}

__global__ void before(const float *Tracer, const float *WindX,
                       const float *WindY, const float *Area, float *Out,
                       float Step) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y, I = Y * Width + X;
  if (X == 0 || X == Width - 1 || Y == 0 || Y == Height - 1)
    return;
  for (int T = 0; T < Tracers; ++T) {
    const float *Q = Tracer + T * Width * Height;
    const float Flux = carried(Q, I, WindX[I] - 0.5f, WindY[I] - 0.5f);
    Out[T * Width * Height + I] = Q[I] - Step * Flux / (1 + Area[I]);
  }
}

__global__ void after(const float *__restrict__ Tracer,
                      const float *__restrict__ WindX,
                      const float *__restrict__ WindY,
                      const float *__restrict__ Area, float *__restrict__ Out,
                      float Step) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y, I = Y * Width + X;
  if (X == 0 || X == Width - 1 || Y == 0 || Y == Height - 1)
    return;
  for (int T = 0; T < Tracers; ++T) {
    const float *Q = Tracer + T * Width * Height;
    const float Flux = carried(Q, I, WindX[I] - 0.5f, WindY[I] - 0.5f);
    Out[T * Width * Height + I] = Q[I] - Step * Flux / (1 + Area[I]);
  }
}

int main() {
  constexpr size_t Cells = size_t(Width) * Height, All = Cells * Tracers;
  const float *In = input<float>(All + 3 * Cells), *Wind = In + All;
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("tracers-upwind-restrict");
  P.same(Expected, Out, All);
  const dim3 Grid(Width / Bx, Height / By), Block(Bx, By);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Wind, Wind + Cells, Wind + 2 * Cells,
                              Expected, 0.3f);
    else
      after<<<Grid, Block>>>(In, Wind, Wind + Cells, Wind + 2 * Cells, Out,
                             0.3f);
}
