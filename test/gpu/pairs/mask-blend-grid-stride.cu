// Rule: cuda-memory-scalar-stream
// A picture is laid over another as a mask says: a thread a pixel, or as many
// as the GPU holds, each with many.
#include "Pair.cuh"

constexpr int N = 4096 * 2160;

__device__ uchar4 blend(uchar4 A, uchar4 B, int M) {
  return make_uchar4((A.x * M + B.x * (255 - M)) / 255,
                     (A.y * M + B.y * (255 - M)) / 255,
                     (A.z * M + B.z * (255 - M)) / 255, max(A.w, B.w));
}

__global__ void before(const uchar4 *Over, const uchar4 *Under,
                       const unsigned char *Mask, int N, uchar4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = blend(Over[I], Under[I], Mask[I]);
}

__global__ void after(const uchar4 *Over, const uchar4 *Under,
                      const unsigned char *Mask, int N, uchar4 *Out) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    Out[I] = blend(Over[I], Under[I], Mask[I]);
}

int main() {
  const unsigned char *Over = input<unsigned char>(4 * N, 256),
                      *Under = input<unsigned char>(4 * N, 251),
                      *Mask = input<unsigned char>(N, 256);
  unsigned char *Expected = output<unsigned char>(4 * N),
                *Out = output<unsigned char>(4 * N);
  Pair P("mask-blend-grid-stride");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>((const uchar4 *)Over,
                                       (const uchar4 *)Under, Mask, N,
                                       (uchar4 *)Expected);
    else
      after<<<132 * 8, 256>>>((const uchar4 *)Over, (const uchar4 *)Under, Mask,
                              N, (uchar4 *)Out);
}
