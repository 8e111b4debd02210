// Rule: other
// The staggered Dirac operator of lattice QCD: a site's colour vector from its
// eight neighbours' through the SU(3) links between. A link's nine complex
// numbers are all loaded, or two rows of them, of which the third is the
// conjugate cross product.
#include "Pair.cuh"

constexpr int L = 32, Lt = 16, Volume = L * L * L * Lt;

struct Vector {
  float2 C[3];
};

struct Link {
  float2 U[3][3];
};

__device__ Vector vectorAt(const float2 *__restrict__ In, int Site) {
  return {{In[Site], In[Volume + Site], In[2 * Volume + Site]}};
}

__device__ Link wholeLink(const float2 *__restrict__ Links, int Direction,
                          int Site) {
  Link K;
#pragma unroll
  for (int I = 0; I < 9; ++I)
    K.U[I / 3][I % 3] = Links[(Direction * 9 + I) * Volume + Site];
  return K;
}

__device__ float2 conjugateMinor(float2 A, float2 B, float2 C, float2 D) {
  return {A.x * B.x - A.y * B.y - C.x * D.x + C.y * D.y,
          C.x * D.y + C.y * D.x - A.x * B.y - A.y * B.x};
}

__device__ Link rebuiltLink(const float2 *__restrict__ Links, int Direction,
                            int Site) {
  Link K;
#pragma unroll
  for (int I = 0; I < 6; ++I)
    K.U[I / 3][I % 3] = Links[(Direction * 6 + I) * Volume + Site];
#pragma unroll
  for (int I = 0; I < 3; ++I) {
    const int J = (I + 1) % 3, M = (I + 2) % 3;
    K.U[2][I] = conjugateMinor(K.U[0][J], K.U[1][M], K.U[0][M], K.U[1][J]);
  }
  return K;
}

__device__ void addForward(Vector &Sum, const Link &K, const Vector &V,
                           float Sign) {
#pragma unroll
  for (int I = 0; I < 3; ++I)
#pragma unroll
    for (int J = 0; J < 3; ++J) {
      Sum.C[I].x += Sign * (K.U[I][J].x * V.C[J].x - K.U[I][J].y * V.C[J].y);
      Sum.C[I].y += Sign * (K.U[I][J].x * V.C[J].y + K.U[I][J].y * V.C[J].x);
    }
}

__device__ void subtractBackward(Vector &Sum, const Link &K, const Vector &V,
                                 float Sign) {
#pragma unroll
  for (int I = 0; I < 3; ++I)
#pragma unroll
    for (int J = 0; J < 3; ++J) {
      Sum.C[I].x -= Sign * (K.U[J][I].x * V.C[J].x + K.U[J][I].y * V.C[J].y);
      Sum.C[I].y -= Sign * (K.U[J][I].x * V.C[J].y - K.U[J][I].y * V.C[J].x);
    }
}

struct Neighbours {
  int Ahead[4], Behind[4];
  float Sign[4];
};

__device__ Neighbours neighbours(int Site) {
  const int X[4] = {Site % L, Site / L % L, Site / (L * L) % L,
                    Site / (L * L * L)};
  Neighbours N;
  int Stride = 1, Parity = 0;
#pragma unroll
  for (int D = 0; D < 4; ++D) {
    const int Extent = D == 3 ? Lt : L;
    N.Ahead[D] = Site + (X[D] == Extent - 1 ? 1 - Extent : 1) * Stride;
    N.Behind[D] = Site + (X[D] == 0 ? Extent - 1 : -1) * Stride;
    N.Sign[D] = Parity & 1 ? -0.5f : 0.5f;
    Parity += X[D];
    Stride *= Extent;
  }
  return N;
}

__global__ void before(const float2 *__restrict__ Links,
                       const float2 *__restrict__ In,
                       float2 *__restrict__ Out) {
  const int Site = blockIdx.x * blockDim.x + threadIdx.x;
  const Neighbours N = neighbours(Site);
  Vector Sum = {};
#pragma unroll
  for (int D = 0; D < 4; ++D) {
    addForward(Sum, wholeLink(Links, D, Site), vectorAt(In, N.Ahead[D]),
               N.Sign[D]);
    subtractBackward(Sum, wholeLink(Links, D, N.Behind[D]),
                     vectorAt(In, N.Behind[D]), N.Sign[D]);
  }
  for (int C = 0; C < 3; ++C)
    Out[C * Volume + Site] = Sum.C[C];
}

__global__ void after(const float2 *__restrict__ Links,
                      const float2 *__restrict__ In,
                      float2 *__restrict__ Out) {
  const int Site = blockIdx.x * blockDim.x + threadIdx.x;
  const Neighbours N = neighbours(Site);
  Vector Sum = {};
#pragma unroll
  for (int D = 0; D < 4; ++D) {
    addForward(Sum, rebuiltLink(Links, D, Site), vectorAt(In, N.Ahead[D]),
               N.Sign[D]);
    subtractBackward(Sum, rebuiltLink(Links, D, N.Behind[D]),
                     vectorAt(In, N.Behind[D]), N.Sign[D]);
  }
  for (int C = 0; C < 3; ++C)
    Out[C * Volume + Site] = Sum.C[C];
}

/// Two random rows, made orthonormal.
void makeRows(uint64_t Seed, float2 (&Row)[2][3]) {
  for (int I = 0; I < 6; ++I)
    Row[I / 3][I % 3] = {mixed(12 * Seed + 2 * I) / 4294967296.f - 0.5f,
                         mixed(12 * Seed + 2 * I + 1) / 4294967296.f - 0.5f};
  for (int R = 0; R < 2; ++R) {
    float Re = 0, Im = 0, Square = 0;
    for (int I = 0; I < 3; ++I) {
      Re += Row[0][I].x * Row[R][I].x + Row[0][I].y * Row[R][I].y;
      Im += Row[0][I].x * Row[R][I].y - Row[0][I].y * Row[R][I].x;
    }
    for (float2 &C : Row[R]) {
      if (R == 1) {
        const float2 A = Row[0][&C - Row[R]];
        C = {C.x - Re * A.x + Im * A.y, C.y - Re * A.y - Im * A.x};
      }
      Square += C.x * C.x + C.y * C.y;
    }
    for (float2 &C : Row[R])
      C = {C.x / std::sqrt(Square), C.y / std::sqrt(Square)};
  }
}

int main() {
  std::vector<float2> Whole(size_t(36) * Volume), Short(size_t(24) * Volume);
  for (int D = 0; D < 4; ++D)
    for (int Site = 0; Site < Volume; ++Site) {
      float2 Row[2][3];
      makeRows(uint64_t(D) * Volume + Site, Row);
      for (int I = 0; I < 3; ++I) {
        const float2 A = Row[0][(I + 1) % 3], B = Row[1][(I + 2) % 3],
                     C = Row[0][(I + 2) % 3], E = Row[1][(I + 1) % 3];
        for (int R = 0; R < 2; ++R)
          Whole[size_t(D * 9 + R * 3 + I) * Volume + Site] =
              Short[size_t(D * 6 + R * 3 + I) * Volume + Site] = Row[R][I];
        Whole[size_t(D * 9 + 6 + I) * Volume + Site] = {
            A.x * B.x - A.y * B.y - C.x * E.x + C.y * E.y,
            C.x * E.y + C.y * E.x - A.x * B.y - A.y * B.x};
      }
    }
  const float2 *WholeLinks = onDevice(Whole), *ShortLinks = onDevice(Short);
  const float2 *In = (const float2 *)input<float>(6 * Volume);
  float *Expected = output<float>(6 * Volume), *Out = output<float>(6 * Volume);
  Pair P("gauge-links-third-row-rebuilt");
  P.same(Expected, Out, 6 * Volume);
  while (P.next())
    if (P.beforesTurn())
      before<<<Volume / 128, 128>>>(WholeLinks, In, (float2 *)Expected);
    else
      after<<<Volume / 128, 128>>>(ShortLinks, In, (float2 *)Out);
}
