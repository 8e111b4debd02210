// Rule: cuda-memory-scalar-stream
// Sunshine on each cell of a globe at an instant. Each thread first works out
// declination of the sun and equation of time by Spencer's series, then its
// cell; as advised, it does four neighbouring cells, loaded as vectors.
#include "../Pair.cuh"

constexpr int Cells = 12 << 20, Block = 256;

struct Sun {
  float SineOfDeclination, CosineOfDeclination, NoonShift, Strength;
};

__device__ Sun sunAt(float Day, float Hour) {
  const float A = 6.2831853f * (Day - 1 + Hour / 24) / 365;
  const float Declination = 0.006918f - 0.399912f * cosf(A) +
                            0.070257f * sinf(A) - 0.006758f * cosf(2 * A) +
                            0.000907f * sinf(2 * A) - 0.002697f * cosf(3 * A) +
                            0.00148f * sinf(3 * A);
  const float Minutes =
      229.18f * (0.000075f + 0.001868f * cosf(A) - 0.032077f * sinf(A) -
                 0.014615f * cosf(2 * A) - 0.040849f * sinf(2 * A));
  Sun S;
  sincosf(Declination, &S.SineOfDeclination, &S.CosineOfDeclination);
  S.NoonShift = 0.2617994f * (Hour + Minutes / 60 - 12);
  S.Strength = 1361 * (1 + 0.033f * cosf(A));
  return S;
}

__device__ float sunshine(const Sun &S, float Latitude, float Longitude,
                          float Clouds) {
  float Sine, Cosine;
  __sincosf(Latitude, &Sine, &Cosine);
  const float Height =
      Sine * S.SineOfDeclination +
      Cosine * S.CosineOfDeclination * __cosf(S.NoonShift + Longitude);
  return S.Strength * fmaxf(Height, 0.0f) * (1 - 0.75f * Clouds);
}

__global__ void before(const float *__restrict__ Latitude,
                       const float *__restrict__ Longitude,
                       const float *__restrict__ Clouds,
                       float *__restrict__ Out, int Count, float Day,
                       float Hour) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  const Sun S = sunAt(Day, Hour);
  Out[I] = sunshine(S, Latitude[I], Longitude[I], Clouds[I]);
}

// Count is a multiple of four.
__global__ void after(const float4 *__restrict__ Latitude,
                      const float4 *__restrict__ Longitude,
                      const float4 *__restrict__ Clouds,
                      float4 *__restrict__ Out, int Count, float Day,
                      float Hour) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count / 4)
    return;
  const Sun S = sunAt(Day, Hour);
  const float4 A = Latitude[I], B = Longitude[I], C = Clouds[I];
  Out[I] = make_float4(sunshine(S, A.x, B.x, C.x), sunshine(S, A.y, B.y, C.y),
                       sunshine(S, A.z, B.z, C.z), sunshine(S, A.w, B.w, C.w));
}

int main() {
  const float *In = input<float>(3 * Cells);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("sunshine-grid-stride-as-advised");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / Block, Block>>>(In, In + Cells, In + 2 * Cells, Expected,
                                       Cells, 172, 11.5f);
    else
      after<<<Cells / 4 / Block, Block>>>(
          (const float4 *)In, (const float4 *)(In + Cells),
          (const float4 *)(In + 2 * Cells), (float4 *)Out, Cells, 172, 11.5f);
}
