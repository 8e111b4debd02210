// Rule: cuda-memory-scalar-stream
// Coherent dedispersion: the spectra of two polarisations are turned by a
// chirp's phase and weighted by the band's taper. Ten planes of four million
// floats, each touched by a float or by four of them.
#include "Pair.cuh"

constexpr int N = 1 << 22;

template <class T> struct Spectrum {
  T *Re, *Im;
};

struct Turn {
  float C, S;
};

__device__ Turn chirp(float Phase, float Taper) {
  Turn T;
  __sincosf(6.2831853f * (Phase - rintf(Phase)), &T.S, &T.C);
  T.C *= Taper;
  T.S *= Taper;
  return T;
}

__device__ void apply(Turn T, float &Re, float &Im) {
  const float Old = Re;
  Re = T.C * Old - T.S * Im;
  Im = T.S * Old + T.C * Im;
}

__device__ void apply(const Turn (&T)[4], float4 &Re, float4 &Im) {
  apply(T[0], Re.x, Im.x);
  apply(T[1], Re.y, Im.y);
  apply(T[2], Re.z, Im.z);
  apply(T[3], Re.w, Im.w);
}

__global__ void before(Spectrum<const float> X, Spectrum<const float> Y,
                       const float *__restrict__ Phase,
                       const float *__restrict__ Taper, Spectrum<float> OutX,
                       Spectrum<float> OutY) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Xr = X.Re[I], Xi = X.Im[I], Yr = Y.Re[I], Yi = Y.Im[I];
  const Turn T = chirp(Phase[I], Taper[I]);
  apply(T, Xr, Xi);
  apply(T, Yr, Yi);
  OutX.Re[I] = Xr;
  OutX.Im[I] = Xi;
  OutY.Re[I] = Yr;
  OutY.Im[I] = Yi;
}

__global__ void after(Spectrum<const float4> X, Spectrum<const float4> Y,
                      const float4 *__restrict__ Phase,
                      const float4 *__restrict__ Taper, Spectrum<float4> OutX,
                      Spectrum<float4> OutY) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Xr = X.Re[I], Xi = X.Im[I], Yr = Y.Re[I], Yi = Y.Im[I];
  const float4 F = Phase[I], W = Taper[I];
  const Turn T[4] = {chirp(F.x, W.x), chirp(F.y, W.y), chirp(F.z, W.z),
                     chirp(F.w, W.w)};
  apply(T, Xr, Xi);
  apply(T, Yr, Yi);
  OutX.Re[I] = Xr;
  OutX.Im[I] = Xi;
  OutY.Re[I] = Yr;
  OutY.Im[I] = Yi;
}

template <class T> Spectrum<T> planes(T *First) {
  return {First, First + N * sizeof(float) / sizeof(T)};
}

int main() {
  const float *In = input<float>(size_t(6) * N);
  float *Expected = output<float>(size_t(4) * N),
        *Out = output<float>(size_t(4) * N);
  const float4 *Wide = (const float4 *)In;
  Pair P("dispersion-removed-by-chirp-float4");
  P.same(Expected, Out, size_t(4) * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(planes(In), planes(In + 2 * N), In + 4 * N,
                               In + 5 * N, planes(Expected),
                               planes(Expected + 2 * N));
    else
      after<<<N / 1024, 256>>>(planes(Wide), planes(Wide + N / 2), Wide + N,
                               Wide + 5 * (N / 4), planes((float4 *)Out),
                               planes((float4 *)Out + N / 2));
}
