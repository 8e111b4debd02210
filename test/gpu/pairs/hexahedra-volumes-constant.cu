// Rule: cuda-memory-constant-candidate
// Volume and first moment of hexahedral finite elements by eight points of
// quadrature. The gradients of the shape functions are the same for all and
// read through a pointer, or lie in constant memory, whose words instructions
// take as operands. CUDA programming guide: uniform read-only data.
#include "Pair.cuh"

constexpr int Elements = 1 << 18, Nodes = 8, Points = 8, Block = 128;
constexpr int PointWords = Nodes * 4; // three gradients and the value

__constant__ float Shapes[Points * PointWords];

__device__ void integrate(const float (&X)[Nodes], const float (&Y)[Nodes],
                          const float (&Z)[Nodes], const float *Shape,
                          float &Volume, float &Moment) {
  float J[9] = {}, At = 0;
#pragma unroll
  for (int N = 0; N < Nodes; ++N) {
#pragma unroll
    for (int D = 0; D < 3; ++D) {
      const float Gradient = Shape[4 * N + D];
      J[D] += Gradient * X[N];
      J[3 + D] += Gradient * Y[N];
      J[6 + D] += Gradient * Z[N];
    }
    At += Shape[4 * N + 3] * Z[N];
  }
  const float Determinant = J[0] * (J[4] * J[8] - J[5] * J[7]) -
                            J[1] * (J[3] * J[8] - J[5] * J[6]) +
                            J[2] * (J[3] * J[7] - J[4] * J[6]);
  Volume += Determinant;
  Moment += Determinant * At;
}

__global__ void before(const float *__restrict__ Corners,
                       const float *__restrict__ Shape,
                       float *__restrict__ Volumes, float *__restrict__ Moments,
                       int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float X[Nodes], Y[Nodes], Z[Nodes], Volume = 0, Moment = 0;
#pragma unroll
  for (int N = 0; N < Nodes; ++N) {
    X[N] = Corners[3 * N * Count + I] + (N & 1);
    Y[N] = Corners[(3 * N + 1) * Count + I] + (N >> 1 & 1);
    Z[N] = Corners[(3 * N + 2) * Count + I] + (N >> 2);
  }
#pragma unroll 2
  for (int Q = 0; Q < Points; ++Q)
    integrate(X, Y, Z, Shape + Q * PointWords, Volume, Moment);
  Volumes[I] = Volume;
  Moments[I] = Moment;
}

__global__ void after(const float *__restrict__ Corners,
                      float *__restrict__ Volumes, float *__restrict__ Moments,
                      int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float X[Nodes], Y[Nodes], Z[Nodes], Volume = 0, Moment = 0;
#pragma unroll
  for (int N = 0; N < Nodes; ++N) {
    X[N] = Corners[3 * N * Count + I] + (N & 1);
    Y[N] = Corners[(3 * N + 1) * Count + I] + (N >> 1 & 1);
    Z[N] = Corners[(3 * N + 2) * Count + I] + (N >> 2);
  }
#pragma unroll 2
  for (int Q = 0; Q < Points; ++Q)
    integrate(X, Y, Z, Shapes + Q * PointWords, Volume, Moment);
  Volumes[I] = Volume;
  Moments[I] = Moment;
}

int main() {
  std::vector<float> Host(Points * PointWords);
  for (int Q = 0; Q < Points; ++Q)
    for (int N = 0; N < Nodes; ++N) {
      float Value[3], Slope[3];
      for (int D = 0; D < 3; ++D) {
        const float At = (Q >> D & 1) ? 0.788675f : 0.211325f;
        Value[D] = (N >> D & 1) ? At : 1 - At;
        Slope[D] = (N >> D & 1) ? 1 : -1;
      }
      float *It = &Host[Q * PointWords + 4 * N];
      It[0] = Slope[0] * Value[1] * Value[2];
      It[1] = Value[0] * Slope[1] * Value[2];
      It[2] = Value[0] * Value[1] * Slope[2];
      It[3] = Value[0] * Value[1] * Value[2];
    }
  must(cudaMemcpyToSymbol(Shapes, Host.data(), sizeof(Shapes)));
  const float *Shape = onDevice(Host);
  const float *Corners = input<float>(size_t(Elements) * Nodes * 3);
  float *Expected = output<float>(2 * Elements),
        *Out = output<float>(2 * Elements);
  Pair P("hexahedra-volumes-constant");
  P.same(Expected, Out, 2 * Elements);
  while (P.next())
    if (P.beforesTurn())
      before<<<Elements / Block, Block>>>(Corners, Shape, Expected,
                                          Expected + Elements, Elements);
    else
      after<<<Elements / Block, Block>>>(Corners, Out, Out + Elements,
                                         Elements);
}
