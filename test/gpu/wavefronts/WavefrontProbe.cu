//===- WavefrontProbe.cu - One shared request per launch ------------------===//
//
// Launches one warp for each of many address patterns; each makes a single
// request to shared memory. Under Nsight Compute the launch's wavefronts are
// that request's. The patterns go to standard output, a line per launch.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

enum Kind { Load, Store, AtomicExchange, AtomicAdd };

constexpr unsigned SharedBytes = 16384;

/// The pattern travels by value: nothing but the probe touches memory before.
struct Pattern {
  uint16_t Offset[32];
  uint32_t Mask;
};

template <int Bytes> struct Word;
template <> struct Word<1> {
  using Type = unsigned char;
};
template <> struct Word<2> {
  using Type = unsigned short;
};
template <> struct Word<4> {
  using Type = unsigned;
};
template <> struct Word<8> {
  using Type = uint2;
};
template <> struct Word<16> {
  using Type = uint4;
};

template <int Bytes, Kind What>
__global__ void probe(__grid_constant__ const Pattern P, unsigned *Out) {
  __shared__ __align__(128) unsigned char Memory[SharedBytes];
  using Type = typename Word<Bytes>::Type;
  const unsigned Lane = threadIdx.x;
  auto *At = reinterpret_cast<volatile unsigned *>(Memory + P.Offset[Lane]);
  if (!(P.Mask >> Lane & 1))
    return;
  if constexpr (What == AtomicExchange) {
    Out[Lane] = atomicExch(const_cast<unsigned *>(At), Lane);
  } else if constexpr (What == AtomicAdd) {
    Out[Lane] = atomicAdd(const_cast<unsigned *>(At), Lane);
  } else {
    const unsigned Address =
        static_cast<unsigned>(__cvta_generic_to_shared(Memory)) +
        P.Offset[Lane];
    unsigned A = Lane, B = 1, C = 2, D = 3;
    if constexpr (What == Load) {
      if constexpr (Bytes == 1)
        asm volatile("ld.shared.u8 %0, [%1];" : "=r"(A) : "r"(Address));
      if constexpr (Bytes == 2)
        asm volatile("ld.shared.u16 %0, [%1];" : "=r"(A) : "r"(Address));
      if constexpr (Bytes == 4)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(A) : "r"(Address));
      if constexpr (Bytes == 8)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(A), "=r"(B)
                     : "r"(Address));
      if constexpr (Bytes == 16)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(A), "=r"(B), "=r"(C), "=r"(D)
                     : "r"(Address));
    } else {
      if constexpr (Bytes == 1)
        asm volatile("st.shared.u8 [%0], %1;" ::"r"(Address), "r"(A));
      if constexpr (Bytes == 2)
        asm volatile("st.shared.u16 [%0], %1;" ::"r"(Address), "r"(A));
      if constexpr (Bytes == 4)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(Address), "r"(A));
      if constexpr (Bytes == 8)
        asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(Address), "r"(A),
                     "r"(B));
      if constexpr (Bytes == 16)
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(Address),
                     "r"(A), "r"(B), "r"(C), "r"(D));
    }
    Out[Lane] = A + B + C + D;
  }
}

uint32_t State = 2463534242u;
uint32_t next() {
  State ^= State << 13;
  State ^= State >> 17;
  State ^= State << 5;
  return State;
}

/// Patterns by number: regular ones first, then random ones of several kinds.
Pattern patternOf(unsigned Number, unsigned Bytes) {
  const unsigned Elements = SharedBytes / Bytes;
  Pattern P{};
  P.Mask = ~0u;
  static const uint32_t Masks[] = {
      ~0u,        0x55555555, 0xaaaaaaaa, 0x33333333, 0x0f0f0f0f,
      0x00ff00ff, 0x0000ffff, 0xffff0000, 0x11111111, 0x80000001};
  for (unsigned L = 0; L != 32; ++L) {
    unsigned E = L;
    switch (Number) {
    case 0:
      E = L;
      break;
    case 1:
      E = 0;
      break;
    case 2:
      E = L / 2;
      break;
    case 3:
      E = L / 4;
      break;
    case 4:
      E = L % 16;
      break;
    case 5:
      E = L % 8;
      break;
    case 6:
      E = L ^ 1;
      break;
    case 7:
      E = 31 - L;
      break;
    case 8:
      E = 2 * L;
      break;
    case 9:
      E = 4 * L;
      break;
    case 10:
      E = 8 * L;
      break;
    case 11:
      E = 16 * L;
      break;
    case 12:
      E = 32 * L;
      break;
    case 13:
      E = 33 * L;
      break;
    case 14:
      E = L + L / 16 * 16;
      break;
    case 15:
      E = L % 2 + L / 2 * 32;
      break;
    case 16:
      E = L / 16 + L % 16 * 2;
      break;
    case 17:
      E = L & ~2u;
      break;
    default:
      if (Number < 28) {
        E = L; // full width under each mask
      } else if (Number < 38) {
        E = 8 * L;
      } else {
        const unsigned Style = Number % 5;
        const unsigned Range = Style == 0   ? Elements
                               : Style == 1 ? 64u
                               : Style == 2 ? 32u
                               : Style == 3 ? 8u
                                            : 256u;
        E = next() % Range;
      }
    }
    P.Offset[L] = uint16_t(E % Elements * Bytes);
  }
  if (Number >= 18 && Number < 38)
    P.Mask = Masks[(Number - 18) % 10];
  else if (Number >= 38 && Number % 3 == 0)
    P.Mask = next() | 1u << (next() % 32);
  return P;
}

template <int Bytes, Kind What> void run(unsigned Count, unsigned *Out) {
  static const char *const Names[] = {"load", "store", "exchange", "add"};
  for (unsigned Number = 0; Number != Count; ++Number) {
    const Pattern P = patternOf(Number, Bytes);
    probe<Bytes, What><<<1, 32>>>(P, Out);
    std::printf("%s,%d,%08x", Names[What], Bytes, P.Mask);
    for (unsigned L = 0; L != 32; ++L)
      std::printf(",%u", P.Offset[L]);
    std::printf("\n");
  }
}

} // namespace

int main() {
  unsigned *Out = nullptr;
  if (cudaMalloc(&Out, 4096) != cudaSuccess) {
    std::fprintf(stderr, "no CUDA device\n");
    return 1;
  }
  constexpr unsigned Count = 70;
  run<1, Load>(Count, Out);
  run<2, Load>(Count, Out);
  run<4, Load>(Count, Out);
  run<8, Load>(Count, Out);
  run<16, Load>(Count, Out);
  run<4, Store>(Count, Out);
  run<8, Store>(Count, Out);
  run<16, Store>(Count, Out);
  run<4, AtomicExchange>(Count, Out);
  run<4, AtomicAdd>(Count, Out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
