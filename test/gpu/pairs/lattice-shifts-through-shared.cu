// Rule: ?
// A step of a lattice of nine speeds with a force, periodic both ways, that
// pushes what it relaxed: populations that go east or west are stored one off a
// sector's bounds, or first shifted in shared memory and then stored aligned.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, N = Width * Height, Block = 256;

// Rest, E, N, W, S, NE, NW, SW, SE.
__device__ void relax(float (&F)[9], float Omega, float Force) {
  float Density = 0;
#pragma unroll
  for (int Q = 0; Q < 9; ++Q)
    Density += F[Q];
  const float Share = __fdividef(1.0f, Density);
  const float U = (F[1] - F[3] + F[5] - F[6] - F[7] + F[8]) * Share + Force;
  const float V = (F[2] - F[4] + F[5] + F[6] - F[7] - F[8]) * Share;
  const float Square = 1.5f * (U * U + V * V);
  const float Along[] = {0, U, V, -U, -V, U + V, V - U, -U - V, U - V};
#pragma unroll
  for (int Q = 0; Q < 9; ++Q) {
    const float Weight = Q == 0 ? 4.0f / 9 : Q < 5 ? 1.0f / 9 : 1.0f / 36;
    const float C = 3.0f * Along[Q];
    F[Q] += Omega * (Weight * Density * (1 + C + 0.5f * C * C - Square) - F[Q]);
  }
}

__global__ void before(const float *__restrict__ Old, float Omega, float Force,
                       float *__restrict__ New) {
  const int X = blockIdx.x * Block + threadIdx.x, Y = blockIdx.y;
  float F[9];
#pragma unroll
  for (int Q = 0; Q < 9; ++Q)
    F[Q] = Old[Q * N + Y * Width + X];
  relax(F, Omega, Force);
  const int East = (X + 1) & (Width - 1), West = (X - 1) & (Width - 1);
  const int Here = Y * Width, North = ((Y + 1) & (Height - 1)) * Width,
            South = ((Y - 1) & (Height - 1)) * Width;
  New[Here + X] = F[0];
  New[1 * N + Here + East] = F[1];
  New[2 * N + North + X] = F[2];
  New[3 * N + Here + West] = F[3];
  New[4 * N + South + X] = F[4];
  New[5 * N + North + East] = F[5];
  New[6 * N + North + West] = F[6];
  New[7 * N + South + West] = F[7];
  New[8 * N + South + East] = F[8];
}

__global__ void after(const float *__restrict__ Old, float Omega, float Force,
                      float *__restrict__ New) {
  __shared__ float ToEast[3][Block + 1], ToWest[3][Block + 1];
  const int T = threadIdx.x;
  const int X = blockIdx.x * Block + T, Y = blockIdx.y;
  float F[9];
#pragma unroll
  for (int Q = 0; Q < 9; ++Q)
    F[Q] = Old[Q * N + Y * Width + X];
  relax(F, Omega, Force);
  const int Here = Y * Width, North = ((Y + 1) & (Height - 1)) * Width,
            South = ((Y - 1) & (Height - 1)) * Width;
  ToEast[0][T + 1] = F[1];
  ToEast[1][T + 1] = F[5];
  ToEast[2][T + 1] = F[8];
  ToWest[0][T] = F[3];
  ToWest[1][T] = F[6];
  ToWest[2][T] = F[7];
  New[Here + X] = F[0];
  New[2 * N + North + X] = F[2];
  New[4 * N + South + X] = F[4];
  // What leaves the block.
  if (T == Block - 1) {
    const int East = (X + 1) & (Width - 1);
    New[1 * N + Here + East] = F[1];
    New[5 * N + North + East] = F[5];
    New[8 * N + South + East] = F[8];
  }
  if (T == 0) {
    const int West = (X - 1) & (Width - 1);
    New[3 * N + Here + West] = F[3];
    New[6 * N + North + West] = F[6];
    New[7 * N + South + West] = F[7];
  }
  __syncthreads();
  if (T > 0) {
    New[1 * N + Here + X] = ToEast[0][T];
    New[5 * N + North + X] = ToEast[1][T];
    New[8 * N + South + X] = ToEast[2][T];
  }
  if (T < Block - 1) {
    New[3 * N + Here + X] = ToWest[0][T + 1];
    New[6 * N + North + X] = ToWest[1][T + 1];
    New[7 * N + South + X] = ToWest[2][T + 1];
  }
}

int main() {
  const float *Old = input<float>(9 * N);
  float *Expected = output<float>(9 * N), *Out = output<float>(9 * N);
  Pair P("lattice-shifts-through-shared");
  P.same(Expected, Out, 9 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / Block, Height), Block>>>(Old, 1.2f, 0.001f,
                                                     Expected);
    else
      after<<<dim3(Width / Block, Height), Block>>>(Old, 1.2f, 0.001f, Out);
}
