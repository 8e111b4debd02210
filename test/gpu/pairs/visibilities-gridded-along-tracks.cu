// Rule: cuda-memory-atomic-contention
// Convolutional gridding of an interferometer's visibilities, a block a
// baseline, a thread one of 16 by 16 cells. Every visibility is added to its
// cells at once, or a thread keeps one cell of each 16 by 16 in registers and
// adds it to the grid when the baseline's slow track leaves it. Romein, "An
// efficient work-distribution strategy for gridding radio-telescope data on
// GPUs", 2012.
#include "Pair.cuh"

constexpr int Size = 2048, Support = 16, Oversampling = 8;
constexpr int Baselines = 1024, Times = 128;

struct alignas(16) Visibility {
  float U, V, Re, Im;
};

struct Corner {
  int X, Y;
  const float *Weights;
};

__device__ Corner place(const Visibility &Vis, const float *Kernel) {
  const float U = floorf(Vis.U), V = floorf(Vis.V);
  const int PhaseU = int((Vis.U - U) * Oversampling),
            PhaseV = int((Vis.V - V) * Oversampling);
  return {int(U) - Support / 2 + 1, int(V) - Support / 2 + 1,
          Kernel + (PhaseV * Oversampling + PhaseU) * Support * Support};
}

__global__ void before(const Visibility *__restrict__ Vis,
                       const float *__restrict__ Kernel, float2 *Grid) {
  const int X = threadIdx.x % Support, Y = threadIdx.x / Support;
  const Visibility *Track = Vis + blockIdx.x * Times;
  for (int T = 0; T < Times; ++T) {
    const Visibility V = Track[T];
    const Corner C = place(V, Kernel);
    const float W = C.Weights[Y * Support + X];
    float2 *Cell = Grid + (C.Y + Y) * Size + C.X + X;
    atomicAdd(&Cell->x, W * V.Re);
    atomicAdd(&Cell->y, W * V.Im);
  }
}

__global__ void after(const Visibility *__restrict__ Vis,
                      const float *__restrict__ Kernel, float2 *Grid) {
  const int X = threadIdx.x % Support, Y = threadIdx.x / Support;
  const Visibility *Track = Vis + blockIdx.x * Times;
  int Held = -1;
  float2 Sum = {0, 0};
  for (int T = 0; T < Times; ++T) {
    const Visibility V = Track[T];
    const Corner C = place(V, Kernel);
    // The one cell under the kernel that is this thread's.
    const int Dx = (X - C.X) & (Support - 1), Dy = (Y - C.Y) & (Support - 1);
    const int Cell = (C.Y + Dy) * Size + C.X + Dx;
    if (Cell != Held) {
      if (Held >= 0) {
        atomicAdd(&Grid[Held].x, Sum.x);
        atomicAdd(&Grid[Held].y, Sum.y);
      }
      Held = Cell;
      Sum = {0, 0};
    }
    const float W = C.Weights[Dy * Support + Dx];
    Sum.x += W * V.Re;
    Sum.y += W * V.Im;
  }
  atomicAdd(&Grid[Held].x, Sum.x);
  atomicAdd(&Grid[Held].y, Sum.y);
}

int main() {
  std::vector<Visibility> Tracks(Baselines * Times);
  for (int I = 0; I < Baselines * Times; ++I) {
    const int B = I / Times;
    const float Radius = 50 + mixed(2 * B) * (900 / 4294967296.f),
                Angle = mixed(2 * B + 1) * (6.28f / 4294967296.f) +
                        3e-4f * (I % Times);
    Tracks[I] = {Size / 2 + Radius * std::cos(Angle),
                 Size / 2 + 0.8f * Radius * std::sin(Angle),
                 mixed(I) / 4294967296.f, mixed(~I) / 4294967296.f - 0.5f};
  }
  const Visibility *Vis = onDevice(Tracks);
  const float *Kernel =
      input<float>(Oversampling * Oversampling * Support * Support);
  float *Expected = output<float>(2 * Size * Size),
        *Out = output<float>(2 * Size * Size);
  Pair P("visibilities-gridded-along-tracks");
  P.same(Expected, Out, 2 * Size * Size);
  while (P.next())
    if (P.beforesTurn())
      before<<<Baselines, Support * Support>>>(Vis, Kernel,
                                               (float2 *)Expected);
    else
      after<<<Baselines, Support * Support>>>(Vis, Kernel, (float2 *)Out);
}
