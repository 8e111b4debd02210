// Rule: cuda-memory-local-array
// Rays of a picture walk through voxels until one is filled (Amanatides, Woo).
// The axis of the next step indexes small arrays, which then lie in local
// memory, or is told by comparisons that leave all in registers. As code
// reviews of ray marchers advise.
#include "Pair.cuh"

constexpr int Side = 128, Width = 1024, Height = 768, MaxSteps = 3 * Side;

__device__ bool filled(const unsigned char *Voxels, int X, int Y, int Z) {
  return Voxels[(Z * Side + Y) * Side + X];
}

__global__ void before(const unsigned char *__restrict__ Voxels,
                       float *__restrict__ Depth, float Turn) {
  const int Px = blockIdx.x * 16 + threadIdx.x,
            Py = blockIdx.y * 8 + threadIdx.y;
  const float Vx = (Px + 0.5f) / Width - 0.5f, Vy = (Py + 0.5f) / Height - 0.5f;
  const float Direction[3] = {Vx + Turn, Vy - 0.5f * Turn, 1.0f};
  float Next[3], Delta[3];
  int Cell[3] = {Side / 2, Side / 2, 0}, Step[3];
  const float Origin[3] = {Side / 2 + 0.3f, Side / 2 + 0.6f, 0.1f};
  for (int A = 0; A < 3; ++A) {
    Step[A] = Direction[A] < 0 ? -1 : 1;
    Delta[A] = 1 / fmaxf(fabsf(Direction[A]), 1e-6f);
    Next[A] = __fmul_rn(
        Step[A] > 0 ? Cell[A] + 1 - Origin[A] : Origin[A] - Cell[A], Delta[A]);
  }
  float At = 0;
  for (int S = 0; S < MaxSteps; ++S) {
    if (filled(Voxels, Cell[0], Cell[1], Cell[2]))
      break;
    int Axis = Next[0] < Next[1] ? 0 : 1;
    if (Next[2] < Next[Axis])
      Axis = 2;
    At = Next[Axis];
    Next[Axis] += Delta[Axis];
    Cell[Axis] += Step[Axis];
    if (unsigned(Cell[Axis]) >= Side)
      break;
  }
  Depth[Py * Width + Px] = At;
}

__global__ void after(const unsigned char *__restrict__ Voxels,
                      float *__restrict__ Depth, float Turn) {
  const int Px = blockIdx.x * 16 + threadIdx.x,
            Py = blockIdx.y * 8 + threadIdx.y;
  const float Vx = (Px + 0.5f) / Width - 0.5f, Vy = (Py + 0.5f) / Height - 0.5f;
  const float Dx = Vx + Turn, Dy = Vy - 0.5f * Turn, Dz = 1.0f;
  const int StepX = Dx < 0 ? -1 : 1, StepY = Dy < 0 ? -1 : 1, StepZ = 1;
  const float DeltaX = 1 / fmaxf(fabsf(Dx), 1e-6f),
              DeltaY = 1 / fmaxf(fabsf(Dy), 1e-6f),
              DeltaZ = 1 / fmaxf(fabsf(Dz), 1e-6f);
  int X = Side / 2, Y = Side / 2, Z = 0;
  const float Ox = Side / 2 + 0.3f, Oy = Side / 2 + 0.6f, Oz = 0.1f;
  float NextX = __fmul_rn(StepX > 0 ? X + 1 - Ox : Ox - X, DeltaX);
  float NextY = __fmul_rn(StepY > 0 ? Y + 1 - Oy : Oy - Y, DeltaY);
  float NextZ = __fmul_rn(Z + 1 - Oz, DeltaZ);
  float At = 0;
  for (int S = 0; S < MaxSteps; ++S) {
    if (filled(Voxels, X, Y, Z))
      break;
    if (NextZ < fminf(NextX, NextY)) {
      At = NextZ;
      NextZ += DeltaZ;
      Z += StepZ;
      if (unsigned(Z) >= Side)
        break;
    } else if (NextX < NextY) {
      At = NextX;
      NextX += DeltaX;
      X += StepX;
      if (unsigned(X) >= Side)
        break;
    } else {
      At = NextY;
      NextY += DeltaY;
      Y += StepY;
      if (unsigned(Y) >= Side)
        break;
    }
  }
  Depth[Py * Width + Px] = At;
}

int main() {
  std::vector<unsigned char> Host(Side * Side * Side);
  for (size_t V = 0; V < Host.size(); ++V)
    Host[V] = V >= size_t(Side) * Side && mixed(V) % 256 == 0;
  const unsigned char *Voxels = onDevice(Host);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("voxel-walk-axis-selected");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Width / 16, Height / 8), Block(16, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Voxels, Expected, 0.21f);
    else
      after<<<Grid, Block>>>(Voxels, Out, 0.21f);
}
