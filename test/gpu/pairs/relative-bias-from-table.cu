// Rule: cuda-memory-gather
// Attention scores get a bias that depends on the distance of query and key
// (as in T5): its bucket is computed with a logarithm for each score, or read
// from a table of all distances.
#include "Pair.cuh"

constexpr int Heads = 12, Length = 1024, Buckets = 32, MaxDistance = 128;

__host__ __device__ inline int bucketOf(int Relative) {
  constexpr int Half = Buckets / 2, Exact = Half / 2;
  const int Side = Relative > 0 ? Half : 0;
  const int Distance = Relative < 0 ? -Relative : Relative;
  if (Distance < Exact)
    return Side + Distance;
  const float Log = logf(float(Distance) / Exact) /
                    logf(float(MaxDistance) / Exact) * (Half - Exact);
  // The 1e-3 keeps exact powers on their side of the border everywhere.
  const int Large = Exact + int(Log + 1e-3f);
  return Side + (Large < Half - 1 ? Large : Half - 1);
}

__global__ void before(const float *Scores, const float *Bias, float Scale,
                       float *Out) {
  const int Key = blockIdx.x * blockDim.x + threadIdx.x;
  const int Query = blockIdx.y;
  const int Head = blockIdx.z;
  const size_t I = (size_t(Head) * Length + Query) * Length + Key;
  const int Bucket = bucketOf(Key - Query);
  Out[I] = Scores[I] * Scale + Bias[Bucket * Heads + Head];
}

__global__ void after(const float *Scores, const float *Bias,
                      const uint8_t *BucketOfDistance, float Scale,
                      float *Out) {
  const int Key = blockIdx.x * blockDim.x + threadIdx.x;
  const int Query = blockIdx.y;
  const int Head = blockIdx.z;
  const size_t I = (size_t(Head) * Length + Query) * Length + Key;
  const int Bucket = BucketOfDistance[Key - Query + Length - 1];
  Out[I] = Scores[I] * Scale + Bias[Bucket * Heads + Head];
}

int main() {
  constexpr size_t Count = size_t(Heads) * Length * Length;
  std::vector<uint8_t> Table(2 * Length - 1);
  for (int D = 0; D < 2 * Length - 1; ++D)
    Table[D] = uint8_t(bucketOf(D - (Length - 1)));
  const uint8_t *BucketOfDistance = onDevice(Table);
  const float *Scores = input<float>(Count),
              *Bias = input<float>(Buckets * Heads);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("relative-bias-from-table");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Length / 256, Length, Heads), 256>>>(Scores, Bias, 0.125f,
                                                         Expected);
    else
      after<<<dim3(Length / 256, Length, Heads), 256>>>(
          Scores, Bias, BucketOfDistance, 0.125f, Out);
}
