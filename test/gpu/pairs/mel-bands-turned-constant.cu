// Rule: cuda-memory-constant-walk
// Spectra of 128 lines are summed up to 32 bands by weights in constant
// memory, a band and 128 frames a block: the weights of a line lie together,
// or those of a band.
#include "Pair.cuh"

constexpr int Lines = 128, Bands = 32, Frames = 1 << 14;

__constant__ float ByLine[Lines * Bands];
__constant__ float ByBand[Lines * Bands];

__global__ void before(const float *__restrict__ Spectra,
                       float *__restrict__ Out) {
  const int Frame = blockIdx.x * 128 + threadIdx.x, Band = blockIdx.y;
  float Sum = 1e-6f;
  for (int L = 0; L < Lines; ++L)
    Sum += ByLine[L * Bands + Band] * Spectra[L * Frames + Frame];
  Out[Band * Frames + Frame] = __logf(Sum);
}

__global__ void after(const float *__restrict__ Spectra,
                      float *__restrict__ Out) {
  const int Frame = blockIdx.x * 128 + threadIdx.x, Band = blockIdx.y;
  float Sum = 1e-6f;
  for (int L = 0; L < Lines; ++L)
    Sum += ByBand[Band * Lines + L] * Spectra[L * Frames + Frame];
  Out[Band * Frames + Frame] = __logf(Sum);
}

int main() {
  const float *Weights = input<float>(Lines * Bands);
  const float *Turned =
      arranged(Weights, Lines * Bands, Lines * Bands,
               [](size_t I) { return I % Lines * Bands + I / Lines; });
  must(cudaMemcpyToSymbol(ByLine, Weights, sizeof(ByLine), 0,
                          cudaMemcpyDeviceToDevice));
  must(cudaMemcpyToSymbol(ByBand, Turned, sizeof(ByBand), 0,
                          cudaMemcpyDeviceToDevice));
  const float *Spectra = input<float>(Lines * Frames);
  float *Expected = output<float>(Bands * Frames),
        *Out = output<float>(Bands * Frames);
  Pair P("mel-bands-turned-constant");
  P.same(Expected, Out, Bands * Frames);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Frames / 128, Bands), 128>>>(Spectra, Expected);
    else
      after<<<dim3(Frames / 128, Bands), 128>>>(Spectra, Out);
}
