// Rule: cuda-memory-redundant-round-trip
// Two explicit steps of heat conduction with conductivities at the faces. The
// values of the middle step are worked out by each thread for its neighbours
// too, or once by the block, in shared memory.
#include "Pair.cuh"

constexpr int NX = 2048, NY = 2048, Pitch = NX + 8;
constexpr int BX = 32, BY = 16;

struct Plate {
  const float *T, *KX, *KY;
};

__device__ float step(const Plate &P, int I, float Dt) {
  const float C = P.T[I];
  const float East = P.KX[I + 1] * (P.T[I + 1] - C);
  const float West = P.KX[I] * (C - P.T[I - 1]);
  const float North = P.KY[I + Pitch] * (P.T[I + Pitch] - C);
  const float South = P.KY[I] * (C - P.T[I - Pitch]);
  return C + Dt * (East - West + North - South);
}

__global__ void before(Plate P, float *Out, float Dt) {
  const int X = blockIdx.x * BX + threadIdx.x;
  const int Y = blockIdx.y * BY + threadIdx.y;
  const int I = (Y + 4) * Pitch + X + 4;
  const float C = step(P, I, Dt);
  const float E = step(P, I + 1, Dt), W = step(P, I - 1, Dt);
  const float N = step(P, I + Pitch, Dt), S = step(P, I - Pitch, Dt);
  Out[Y * NX + X] = C + Dt * (P.KX[I + 1] * (E - C) - P.KX[I] * (C - W) +
                              P.KY[I + Pitch] * (N - C) - P.KY[I] * (C - S));
}

__global__ void after(Plate P, float *Out, float Dt) {
  __shared__ float Middle[BY + 2][BX + 2];
  const int X0 = blockIdx.x * BX, Y0 = blockIdx.y * BY;
  constexpr int Cells = (BX + 2) * (BY + 2);
  for (int K = threadIdx.y * BX + threadIdx.x; K < Cells; K += BX * BY) {
    const int TX = K % (BX + 2), TY = K / (BX + 2);
    Middle[TY][TX] = step(P, (Y0 + TY + 3) * Pitch + X0 + TX + 3, Dt);
  }
  __syncthreads();
  const int TX = threadIdx.x + 1, TY = threadIdx.y + 1;
  const int X = X0 + threadIdx.x, Y = Y0 + threadIdx.y;
  const int I = (Y + 4) * Pitch + X + 4;
  const float C = Middle[TY][TX];
  const float E = Middle[TY][TX + 1], W = Middle[TY][TX - 1];
  const float N = Middle[TY + 1][TX], S = Middle[TY - 1][TX];
  Out[Y * NX + X] = C + Dt * (P.KX[I + 1] * (E - C) - P.KX[I] * (C - W) +
                              P.KY[I + Pitch] * (N - C) - P.KY[I] * (C - S));
}

int main() {
  constexpr size_t Count = size_t(Pitch) * (NY + 8);
  const Plate P0 = {input<float>(Count), input<float>(Count),
                    input<float>(Count)};
  float *Expected = output<float>(size_t(NX) * NY);
  float *Out = output<float>(size_t(NX) * NY);
  const dim3 Grid(NX / BX, NY / BY), Block(BX, BY);
  Pair P("conduction-two-steps-middle-in-shared");
  P.same(Expected, Out, size_t(NX) * NY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(P0, Expected, 0.1f);
    else
      after<<<Grid, Block>>>(P0, Out, 0.1f);
}
