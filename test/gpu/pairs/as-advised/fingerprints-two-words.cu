// Rule: cuda-memory-missing-restrict
// Fingerprints of molecules, 1024 bits each, are held against one: a warp
// takes one after the other, a word of 64 bits in half its lanes. As advised,
// the pointers are declared __restrict__.
#include "../Pair.cuh"

constexpr int N = 1 << 17, Words = 16, Each = 32;

__device__ int common(uint64_t A, uint64_t B) { return __popcll(A & B); }

template <int Lanes> __device__ int sum(int Value) {
  for (int I = Lanes / 2; I > 0; I /= 2)
    Value += __shfl_xor_sync(~0u, Value, I);
  return Value;
}

__global__ void before(const uint64_t *Prints, const uint64_t *Wanted,
                       int *Bits) {
  const int Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  const uint64_t Mine = Wanted[Lane % Words];
  for (int I = 0; I < Each; I += 2) {
    const int Print = Warp * Each + I + Lane / Words;
    const int Count =
        sum<Words>(common(Prints[Print * Words + Lane % Words], Mine));
    if (Lane % Words == 0)
      Bits[Print] = Count;
  }
}

__global__ void after(const uint64_t *__restrict__ Prints,
                      const uint64_t *__restrict__ Wanted,
                      int *__restrict__ Bits) {
  const int Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  const uint64_t Mine = Wanted[Lane % Words];
  for (int I = 0; I < Each; I += 2) {
    const int Print = Warp * Each + I + Lane / Words;
    const int Count =
        sum<Words>(common(Prints[Print * Words + Lane % Words], Mine));
    if (Lane % Words == 0)
      Bits[Print] = Count;
  }
}

int main() {
  // Words of 32 bits come by twos.
  const uint32_t *Prints = input<uint32_t>(2 * N * Words, ~0u),
                 *Wanted = input<uint32_t>(4 * Words + 64, ~0u) + 64;
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("fingerprints-two-words-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Each / 8, 256>>>((const uint64_t *)Prints,
                                    (const uint64_t *)Wanted, Expected);
    else
      after<<<N / Each / 8, 256>>>((const uint64_t *)Prints,
                                   (const uint64_t *)Wanted, Out);
}
