// Rule: cuda-memory-uncoalesced-access
// Each ray looks for the nearest of 24 boxes. Rays are records of seven words,
// or seven planes: "structure of arrays" as wavefront path tracers advise for
// the state of rays (Laine, Karras, Aila: Megakernels considered harmful).
#include "Pair.cuh"

constexpr int N = 1 << 21, Boxes = 24, Block = 256;

struct Ray {
  float OriginX, OriginY, OriginZ, DirectionX, DirectionY, DirectionZ, Far;
};

struct Box {
  float LowX, LowY, LowZ, HighX, HighY, HighZ;
};

__constant__ Box Scene[Boxes];

__device__ int nearest(float Ox, float Oy, float Oz, float Dx, float Dy,
                       float Dz, float Far, float *Distance) {
  const float Ix = 1 / Dx, Iy = 1 / Dy, Iz = 1 / Dz;
  int Found = -1;
  for (int B = 0; B < Boxes; ++B) {
    const float X0 = (Scene[B].LowX - Ox) * Ix, X1 = (Scene[B].HighX - Ox) * Ix;
    const float Y0 = (Scene[B].LowY - Oy) * Iy, Y1 = (Scene[B].HighY - Oy) * Iy;
    const float Z0 = (Scene[B].LowZ - Oz) * Iz, Z1 = (Scene[B].HighZ - Oz) * Iz;
    const float Enter =
        fmaxf(fmaxf(fminf(X0, X1), fminf(Y0, Y1)), fmaxf(fminf(Z0, Z1), 0.0f));
    const float Leave =
        fminf(fminf(fmaxf(X0, X1), fmaxf(Y0, Y1)), fminf(fmaxf(Z0, Z1), Far));
    if (Enter <= Leave) {
      Far = Enter;
      Found = B;
    }
  }
  *Distance = Far;
  return Found;
}

__global__ void before(const Ray *__restrict__ Rays, int *__restrict__ Hit,
                       float *__restrict__ Distance) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const Ray R = Rays[I];
  float Far;
  Hit[I] = nearest(R.OriginX, R.OriginY, R.OriginZ, R.DirectionX, R.DirectionY,
                   R.DirectionZ, 4 * R.Far, &Far);
  Distance[I] = Far;
}

__global__ void after(const float *__restrict__ Rays, int *__restrict__ Hit,
                      float *__restrict__ Distance) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float Far;
  Hit[I] = nearest(Rays[I], Rays[N + I], Rays[2 * N + I], Rays[3 * N + I],
                   Rays[4 * N + I], Rays[5 * N + I], 4 * Rays[6 * N + I], &Far);
  Distance[I] = Far;
}

int main() {
  constexpr size_t Words = size_t(N) * 7;
  const float *Records = input<float>(Words);
  const float *Planes = arranged(Records, Words, Words,
                                 [](size_t I) { return I % N * 7 + I / N; });
  std::vector<Box> Host(Boxes);
  for (int B = 0; B < Boxes; ++B) {
    const float X = 0.1f + mixed(3 * B) % 1000 * 0.0015f,
                Y = 0.1f + mixed(3 * B + 1) % 1000 * 0.0015f,
                Z = 0.1f + mixed(3 * B + 2) % 1000 * 0.0015f;
    Host[B] = {X, Y, Z, X + 0.1f, Y + 0.2f, Z + 0.15f};
  }
  must(cudaMemcpyToSymbol(Scene, Host.data(), sizeof(Scene)));
  int *ExpectedHit = output<int>(N), *Hit = output<int>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("rays-in-planes-against-boxes");
  P.same(ExpectedHit, Hit, N);
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(reinterpret_cast<const Ray *>(Records),
                                   ExpectedHit, Expected);
    else
      after<<<N / Block, Block>>>(Planes, Hit, Out);
}
