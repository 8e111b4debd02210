// Rule: cuda-memory-narrow-access
// How long do points of a Julia set stay near zero? A thread follows the orbit
// of one point in shared memory, or, as advised, those of two neighbouring
// points, whose times it stores as one ushort2.
#include "../Pair.cuh"

constexpr int Side = 1024, Most = 200;

// With each rounding written out, so that both agree about each turn.
__device__ bool isFar(double U, double V) {
  return fma(U, U, __dmul_rn(V, V)) > 4;
}

__device__ double nextU(double U, double V) {
  return fma(U, U, -fma(V, V, 0.75));
}

__device__ double nextV(double U, double V) { return fma(2 * U, V, 0.11); }

__global__ void before(uint16_t *Times) {
  __shared__ double2 Orbit[256];
  const int T = threadIdx.y * 32 + threadIdx.x;
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  Orbit[T] = make_double2((X - Side / 2) * 0.003, (Y - Side / 2) * 0.003);
  int Time = 0;
  while (Time < Most) {
    const double U = Orbit[T].x, V = Orbit[T].y;
    if (isFar(U, V))
      break;
    Orbit[T].x = nextU(U, V);
    Orbit[T].y = nextV(U, V);
    ++Time;
  }
  Times[Y * Side + X] = uint16_t(Time);
}

__device__ int timeOf(double2 &Point, int X, int Y) {
  Point = make_double2((X - Side / 2) * 0.003, (Y - Side / 2) * 0.003);
  int Time = 0;
  while (Time < Most) {
    const double U = Point.x, V = Point.y;
    if (isFar(U, V))
      break;
    Point.x = nextU(U, V);
    Point.y = nextV(U, V);
    ++Time;
  }
  return Time;
}

__global__ void after(uint16_t *Times) {
  __shared__ double2 Orbit[256];
  const int T = threadIdx.y * 32 + threadIdx.x;
  const int X = 2 * (blockIdx.x * 32 + threadIdx.x);
  const int Y = blockIdx.y * 8 + threadIdx.y;
  const int First = timeOf(Orbit[T], X, Y);
  const int Second = timeOf(Orbit[T], X + 1, Y);
  *reinterpret_cast<ushort2 *>(Times + Y * Side + X) =
      make_ushort2(uint16_t(First), uint16_t(Second));
}

int main() {
  uint16_t *Expected = output<uint16_t>(Side * Side),
           *Out = output<uint16_t>(Side * Side);
  Pair P("julia-orbit-in-registers-as-advised");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Expected);
    else
      after<<<dim3(Side / 32 / 2, Side / 8), dim3(32, 8)>>>(Out);
}
