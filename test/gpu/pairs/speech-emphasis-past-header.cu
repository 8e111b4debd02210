// Rule: cuda-memory-uncoalesced-access
// Pre-emphasis of speech (each sample less most of the one before), read from
// a file image whose header takes eleven words, or from an aligned copy of the
// payload. "Align the start of what warps read", says the section on offset
// copies of the CUDA best practices guide.
#include "Pair.cuh"

constexpr int N = 1 << 24, HeaderWords = 11, Block = 256;

__global__ void before(const float *__restrict__ File,
                       float *__restrict__ Emphasised, float Factor) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float *Samples = File + HeaderWords;
  const float Now = Samples[I], Last = I > 0 ? Samples[I - 1] : 0.0f;
  const float Value = Now - Factor * Last;
  Emphasised[I] = copysignf(log1pf(255 * fabsf(Value)) / 5.545177f, Value);
}

__global__ void after(const float *__restrict__ Samples,
                      float *__restrict__ Emphasised, float Factor) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float Now = Samples[I], Last = I > 0 ? Samples[I - 1] : 0.0f;
  const float Value = Now - Factor * Last;
  Emphasised[I] = copysignf(log1pf(255 * fabsf(Value)) / 5.545177f, Value);
}

int main() {
  const float *File = input<float>(N + HeaderWords);
  float *Payload = output<float>(N);
  must(cudaMemcpy(Payload, File + HeaderWords, size_t(N) * sizeof(float),
                  cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("speech-emphasis-past-header");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(File, Expected, 0.97f);
    else
      after<<<N / Block, Block>>>(Payload, Out, 0.97f);
}
