// Rule: cuda-memory-uncoalesced-access
// 24 blocks scale one member of records of eight words, or an array of it.
#include "Pair.cuh"

constexpr int N = 24 * 512, Times = 64;

struct Record {
  float Of[8];
};

__global__ void before(Record *Records, const float *Factors) {
  const int I = blockIdx.x * 512 + threadIdx.x;
  for (int T = 0; T < Times; ++T)
    Records[T * N + I].Of[0] = Factors[T] + I;
}

__global__ void after(float *Members, const float *Factors) {
  const int I = blockIdx.x * 512 + threadIdx.x;
  for (int T = 0; T < Times; ++T)
    Members[T * N + I] = Factors[T] + I;
}

int main() {
  const float *Factors = input<float>(Times);
  float *Expected = output<float>(size_t(N) * Times * 8),
        *Out = output<float>(size_t(N) * Times * 8);
  Pair P("few-blocks-records");
  // Behind the members that are there both have zeros.
  P.same(Out, Expected, size_t(N) * Times * 8,
         [](size_t I) { return I < size_t(N) * Times ? 8 * I : 1; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(reinterpret_cast<Record *>(Expected), Factors);
    else
      after<<<N / 512, 512>>>(Out, Factors);
}
