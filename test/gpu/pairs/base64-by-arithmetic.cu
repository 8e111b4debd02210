// Rule: cuda-memory-local-array
// Three bytes become four letters: those of a table that each thread has for
// itself, or computed from ranges.
#include "Pair.cuh"

constexpr int N = 1 << 21;

template <class F>
__device__ void encode(const uint8_t *In, uchar4 *Out, F Letter) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Bits = In[I * 3] << 16 | In[I * 3 + 1] << 8 | In[I * 3 + 2];
  Out[I] = make_uchar4(Letter(Bits >> 18), Letter(Bits >> 12 & 63),
                       Letter(Bits >> 6 & 63), Letter(Bits & 63));
}

__global__ void before(const uint8_t *In, uchar4 *Out, bool ForAddresses) {
  char Alphabet[64];
  for (int I = 0; I < 26; ++I) {
    Alphabet[I] = char('A' + I);
    Alphabet[26 + I] = char('a' + I);
  }
  for (int I = 0; I < 10; ++I)
    Alphabet[52 + I] = char('0' + I);
  Alphabet[62] = ForAddresses ? '-' : '+';
  Alphabet[63] = ForAddresses ? '_' : '/';
  encode(In, Out, [&](uint32_t Six) { return Alphabet[Six]; });
}

__global__ void after(const uint8_t *In, uchar4 *Out, bool ForAddresses) {
  encode(In, Out, [&](uint32_t Six) {
    const char Sign = Six == 62      ? ForAddresses ? '-' : '+'
                      : ForAddresses ? '_'
                                     : '/';
    return char(Six < 26   ? 'A' + Six
                : Six < 52 ? 'a' + Six - 26
                : Six < 62 ? '0' + Six - 52
                           : Sign);
  });
}

int main() {
  const uint8_t *In = input<uint8_t>(3 * N, 256);
  uint8_t *Expected = output<uint8_t>(4 * N), *Out = output<uint8_t>(4 * N);
  Pair P("base64-by-arithmetic");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, (uchar4 *)Expected, false);
    else
      after<<<N / 256, 256>>>(In, (uchar4 *)Out, false);
}
