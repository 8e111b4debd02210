// Rule: ?
// How likely a chromosome is as a mosaic of 256 known haplotypes, a block for
// each chromosome and a thread for each haplotype, with a sum over the block at
// each site: by a tree in shared memory, or by shuffles and one barrier.
#include "Pair.cuh"

constexpr int Targets = 264, Haplotypes = 256, Sites = 200;
constexpr float Error = 0.01f;

__global__ void before(const unsigned char *__restrict__ Panel,
                       const unsigned char *__restrict__ Target,
                       const float *__restrict__ Distance,
                       float *__restrict__ LogLikelihood) {
  __shared__ float Partial[Haplotypes];
  const int State = threadIdx.x;
  float Forward = 1.0f / Haplotypes, Log = 0;
  for (int Site = 0; Site < Sites; ++Site) {
    const float Switch = 0.05f * Distance[Site];
    const bool Same = Panel[Site * Haplotypes + State] ==
                      Target[blockIdx.x * Sites + Site];
    Forward = (Same ? 1 - Error : Error) *
              ((1 - Switch) * Forward + Switch / Haplotypes);
    Partial[State] = Forward;
    __syncthreads();
    for (int Half = Haplotypes / 2; Half; Half /= 2) {
      if (State < Half)
        Partial[State] += Partial[State + Half];
      __syncthreads();
    }
    const float Sum = Partial[0];
    __syncthreads();
    Forward /= Sum;
    Log += __logf(Sum);
  }
  if (State == 0)
    LogLikelihood[blockIdx.x] = Log;
}

__global__ void after(const unsigned char *__restrict__ Panel,
                      const unsigned char *__restrict__ Target,
                      const float *__restrict__ Distance,
                      float *__restrict__ LogLikelihood) {
  __shared__ float Partial[2][Haplotypes / 32];
  const int State = threadIdx.x;
  float Forward = 1.0f / Haplotypes, Log = 0;
  for (int Site = 0; Site < Sites; ++Site) {
    const float Switch = 0.05f * Distance[Site];
    const bool Same = Panel[Site * Haplotypes + State] ==
                      Target[blockIdx.x * Sites + Site];
    Forward = (Same ? 1 - Error : Error) *
              ((1 - Switch) * Forward + Switch / Haplotypes);
    float Sum = Forward;
    for (int Half = 16; Half; Half /= 2)
      Sum += __shfl_xor_sync(~0u, Sum, Half);
    if (State % 32 == 0)
      Partial[Site % 2][State / 32] = Sum;
    __syncthreads();
    Sum = 0;
    for (int Warp = 0; Warp < Haplotypes / 32; ++Warp)
      Sum += Partial[Site % 2][Warp];
    Forward /= Sum;
    Log += __logf(Sum);
  }
  if (State == 0)
    LogLikelihood[blockIdx.x] = Log;
}

int main() {
  const unsigned char *Panel = input<unsigned char>(Sites * Haplotypes, 2),
                      *Target = input<unsigned char>(Targets * Sites, 2);
  const float *Distance = input<float>(Sites);
  float *Expected = output<float>(Targets), *Out = output<float>(Targets);
  Pair P("haplotype-copying-by-shuffles");
  P.same(Expected, Out, Targets);
  while (P.next())
    if (P.beforesTurn())
      before<<<Targets, Haplotypes>>>(Panel, Target, Distance, Expected);
    else
      after<<<Targets, Haplotypes>>>(Panel, Target, Distance, Out);
}
