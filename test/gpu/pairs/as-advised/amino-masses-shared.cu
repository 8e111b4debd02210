// Rule: cuda-memory-narrow-access
// Masses of peptides of sixteen residues, by a table of 20 masses: a thread
// works out one peptide, or, as advised, four neighbouring ones, whose residues
// it loads as one uchar4.
// Options: --buffer=Residue=random,count=16777216,below=20
#include "../Pair.cuh"

constexpr int N = 1 << 20, Long = 16, Kinds = 20;

__global__ void before(const unsigned char *Residue, const float *Mass, int Long,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 18.01f;
  for (int R = 0; R < Long; ++R)
    Sum += Mass[Residue[R * N + I]];
  Out[I] = Sum;
}

__global__ void after(const unsigned char *Residue, const float *Mass, int Long,
                      float *Out) {
  const int I = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  float4 Sum = make_float4(18.01f, 18.01f, 18.01f, 18.01f);
  for (int R = 0; R < Long; ++R) {
    const uchar4 Four = *reinterpret_cast<const uchar4 *>(Residue + R * N + I);
    Sum.x += Mass[Four.x];
    Sum.y += Mass[Four.y];
    Sum.z += Mass[Four.z];
    Sum.w += Mass[Four.w];
  }
  *reinterpret_cast<float4 *>(Out + I) = Sum;
}

int main() {
  const unsigned char *Residue = input<unsigned char>(N * Long, Kinds);
  const float *Mass = input<float>(Kinds);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("amino-masses-shared-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Residue, Mass, Long, Expected);
    else
      after<<<N / 256 / 4, 256>>>(Residue, Mass, Long, Out);
}
