// Rule: ?
// Keys of 16 bytes that order rows by four columns when compared byte by byte:
// a code, a price from high to low with those unknown last, a day, the row.
// The bytes are stored one by one, or put in order in registers and stored as
// one vector.
#include "Pair.cuh"

constexpr int N = 1 << 21, Width = 16;

__device__ unsigned ofInteger(int Value) {
  return unsigned(Value) ^ 0x80000000u;
}

// Grows with the number.
__device__ unsigned ofFloat(float Value) {
  const unsigned Bits = __float_as_uint(Value);
  return Bits & 0x80000000u ? ~Bits : Bits | 0x80000000u;
}

__device__ unsigned ofPrice(float Price, float Discount, unsigned Unknown) {
  const float Net = Price * (1.0f - 0.1f * Discount) - 0.2f;
  return Unknown & 1 ? 0xffffffffu : ~ofFloat(Net);
}

__device__ void put(unsigned char *At, unsigned Word) {
  At[0] = Word >> 24;
  At[1] = Word >> 16;
  At[2] = Word >> 8;
  At[3] = Word;
}

__global__ void before(const int *__restrict__ Code,
                       const float *__restrict__ Price,
                       const float *__restrict__ Discount,
                       const unsigned *__restrict__ Unknown,
                       const int *__restrict__ Day,
                       unsigned char *__restrict__ Key) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char *Mine = Key + size_t(I) * Width;
  put(Mine, ofInteger(Code[I] - 500));
  put(Mine + 4, ofPrice(Price[I], Discount[I], Unknown[I / 32] >> I % 32));
  put(Mine + 8, ofInteger(Day[I]));
  put(Mine + 12, I);
}

__device__ unsigned turned(unsigned Word) {
  return __byte_perm(Word, 0, 0x0123);
}

__global__ void after(const int *__restrict__ Code,
                      const float *__restrict__ Price,
                      const float *__restrict__ Discount,
                      const unsigned *__restrict__ Unknown,
                      const int *__restrict__ Day, uint4 *__restrict__ Key) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 Mine;
  Mine.x = turned(ofInteger(Code[I] - 500));
  Mine.y =
      turned(ofPrice(Price[I], Discount[I], Unknown[I / 32] >> I % 32));
  Mine.z = turned(ofInteger(Day[I]));
  Mine.w = turned(I);
  Key[I] = Mine;
}

int main() {
  const int *Code = input<int>(N, 1000), *Day = input<int>(N, 20000);
  const float *Price = input<float>(N), *Discount = input<float>(N);
  const unsigned *Unknown = input<unsigned>(N / 32, 2147483647);
  unsigned char *Expected = output<unsigned char>(N * Width),
                *Out = output<unsigned char>(N * Width);
  Pair P("sort-keys-stored-in-one-piece");
  P.same(Expected, Out, N * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Code, Price, Discount, Unknown, Day, Expected);
    else
      after<<<N / 256, 256>>>(Code, Price, Discount, Unknown, Day,
                              (uint4 *)Out);
}
