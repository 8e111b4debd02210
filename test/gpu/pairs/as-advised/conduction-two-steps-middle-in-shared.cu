// Rule: cuda-memory-single-result
// Two explicit steps of heat conduction with conductivities at the faces. A
// thread has one result, or, as advised, four in a row along y, and keeps what
// the next one needs, too, in registers.
#include "../Pair.cuh"

constexpr int NX = 2048, NY = 2048, Pitch = NX + 8;
constexpr int BX = 32, BY = 16, Each = 4;

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
  const int X = blockIdx.x * BX + threadIdx.x;
  const int Y = (blockIdx.y * BY + threadIdx.y) * Each;
  const int First = (Y + 4) * Pitch + X + 4;
  // No store comes before the last load, so that each element is loaded once
  // and stays in a register for those results that need it.
  float Result[Each];
  float S = step(P, First - Pitch, Dt), C = step(P, First, Dt);
#pragma unroll
  for (int R = 0; R < Each; ++R) {
    const int I = First + R * Pitch;
    const float E = step(P, I + 1, Dt), W = step(P, I - 1, Dt);
    const float N = step(P, I + Pitch, Dt);
    Result[R] = C + Dt * (P.KX[I + 1] * (E - C) - P.KX[I] * (C - W) +
                          P.KY[I + Pitch] * (N - C) - P.KY[I] * (C - S));
    S = C;
    C = N;
  }
#pragma unroll
  for (int R = 0; R < Each; ++R)
    Out[(Y + R) * NX + X] = Result[R];
}

int main() {
  constexpr size_t Count = size_t(Pitch) * (NY + 8);
  const Plate P0 = {input<float>(Count), input<float>(Count),
                    input<float>(Count)};
  float *Expected = output<float>(size_t(NX) * NY);
  float *Out = output<float>(size_t(NX) * NY);
  const dim3 Block(BX, BY);
  Pair P("conduction-two-steps-middle-in-shared-as-advised");
  P.same(Expected, Out, size_t(NX) * NY);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(NX / BX, NY / BY), Block>>>(P0, Expected, 0.1f);
    else
      after<<<dim3(NX / BX, NY / BY / Each), Block>>>(P0, Out, 0.1f);
}
