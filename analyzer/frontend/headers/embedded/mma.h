/* Matrix fragments for tensor cores, on the builtins that Clang has for them:
   loads and stores become llvm.nvvm.wmma intrinsics. */
#ifndef WARPWISE_MMA_H
#define WARPWISE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
/* The builtins exist on the device only; the host just has to parse. */
#ifdef __CUDA_ARCH__
#define WARPWISE_BUILTIN(NAME, ...) NAME(__VA_ARGS__)
#else
#define WARPWISE_BUILTIN(NAME, ...) (void)0
#endif

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {
  static constexpr int Column = 0;
};
struct col_major {
  static constexpr int Column = 1;
};
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
} // namespace precision

#define WARPWISE_STATIC static __device__ __inline__

/* What one thread holds of a matrix. */
template <class T, int N> struct __align__(8) __frag_base {
  typedef T element_type;
  typedef T storage_element_type;
  static constexpr int num_elements = N;
  static constexpr int num_storage_elements = N;
  T x[N];
};

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

template <class T, int N, class V>
WARPWISE_STATIC void fill_fragment(__frag_base<T, N> &Fragment, const V &v) {
  for (int I = 0; I < N; ++I)
    Fragment.x[I] = v;
}
WARPWISE_STATIC float __float_to_tf32(float v) { return v; }

/* A fragment of A or B: its shape, elements per thread, load. */
#define WARPWISE_INPUT(USE, M, N, K, T, STORAGE, COUNT, WORD, LOAD)            \
  template <class Layout>                                                      \
  class fragment<USE, M, N, K, T, Layout>                                      \
      : public __frag_base<STORAGE, COUNT> {};                                 \
  template <class Layout>                                                      \
  WARPWISE_STATIC void load_matrix_sync(fragment<USE, M, N, K, T, Layout> &To, \
                                        const STORAGE *From,                   \
                                        unsigned Stride) {                     \
    WARPWISE_BUILTIN(LOAD, (WORD *)To.x, (const WORD *)From, Stride,           \
                     Layout::Column);                                          \
  }
/* An accumulator: load and store. */
#define WARPWISE_ACCUMULATOR(M, N, K, T, COUNT, WORD, LOAD, STORE)             \
  template <>                                                                  \
  class fragment<accumulator, M, N, K, T, void>                                \
      : public __frag_base<T, COUNT> {};                                       \
  WARPWISE_STATIC void load_matrix_sync(fragment<accumulator, M, N, K, T> &To, \
                                        const T *From, unsigned Stride,        \
                                        layout_t Layout) {                     \
    if (Layout == mem_row_major)                                               \
      WARPWISE_BUILTIN(LOAD, (WORD *)To.x, (const WORD *)From, Stride, 0);     \
    else                                                                       \
      WARPWISE_BUILTIN(LOAD, (WORD *)To.x, (const WORD *)From, Stride, 1);     \
  }                                                                            \
  WARPWISE_STATIC void store_matrix_sync(                                      \
      T *To, const fragment<accumulator, M, N, K, T> &From, unsigned Stride,   \
      layout_t Layout) {                                                       \
    if (Layout == mem_row_major)                                               \
      WARPWISE_BUILTIN(STORE, (WORD *)To, (const WORD *)From.x, Stride, 0);    \
    else                                                                       \
      WARPWISE_BUILTIN(STORE, (WORD *)To, (const WORD *)From.x, Stride, 1);    \
  }
/* D = A * B + C for the four pairs of layouts. */
#define WARPWISE_MULTIPLY(M, N, K, T, TC, TD, WORD, WORDC, WORDD, MMA)         \
  template <class LayoutA, class LayoutB>                                      \
  WARPWISE_STATIC void mma_sync(                                               \
      fragment<accumulator, M, N, K, TD> &D,                                   \
      const fragment<matrix_a, M, N, K, T, LayoutA> &A,                        \
      const fragment<matrix_b, M, N, K, T, LayoutB> &B,                        \
      const fragment<accumulator, M, N, K, TC> &C, bool = false) {             \
    /* Bit 1: A by columns, bit 0: B by columns. */                            \
    WARPWISE_BUILTIN(MMA, (WORDD *)D.x, (const WORD *)A.x, (const WORD *)B.x,  \
                     (const WORDC *)C.x,                                       \
                     LayoutA::Column * 2 + LayoutB::Column, 0);                \
  }

#define WARPWISE_HALF(M, N, K, SHAPE)                                          \
  WARPWISE_INPUT(matrix_a, M, N, K, __half, __half, 16, int,                   \
                 __hmma_##SHAPE##_ld_a)                                        \
  WARPWISE_INPUT(matrix_b, M, N, K, __half, __half, 16, int,                   \
                 __hmma_##SHAPE##_ld_b)                                        \
  WARPWISE_ACCUMULATOR(M, N, K, __half, 8, int, __hmma_##SHAPE##_ld_c_f16,     \
                       __hmma_##SHAPE##_st_c_f16)                              \
  WARPWISE_ACCUMULATOR(M, N, K, float, 8, float, __hmma_##SHAPE##_ld_c_f32,    \
                       __hmma_##SHAPE##_st_c_f32)                              \
  WARPWISE_MULTIPLY(M, N, K, __half, float, float, int, float, float,          \
                    __hmma_##SHAPE##_mma_f32f32)                               \
  WARPWISE_MULTIPLY(M, N, K, __half, __half, float, int, int, float,           \
                    __hmma_##SHAPE##_mma_f32f16)                               \
  WARPWISE_MULTIPLY(M, N, K, __half, float, __half, int, float, int,           \
                    __hmma_##SHAPE##_mma_f16f32)                               \
  WARPWISE_MULTIPLY(M, N, K, __half, __half, __half, int, int, int,            \
                    __hmma_##SHAPE##_mma_f16f16)
WARPWISE_HALF(16, 16, 16, m16n16k16)
WARPWISE_HALF(32, 8, 16, m32n8k16)
WARPWISE_HALF(8, 32, 16, m8n32k16)
#undef WARPWISE_HALF

#define WARPWISE_BYTES(M, N, K, SHAPE, COUNTA, COUNTB)                         \
  WARPWISE_INPUT(matrix_a, M, N, K, signed char, signed char, COUNTA, int,     \
                 __imma_##SHAPE##_ld_a_s8)                                     \
  WARPWISE_INPUT(matrix_a, M, N, K, unsigned char, unsigned char, COUNTA, int, \
                 __imma_##SHAPE##_ld_a_u8)                                     \
  WARPWISE_INPUT(matrix_b, M, N, K, signed char, signed char, COUNTB, int,     \
                 __imma_##SHAPE##_ld_b_s8)                                     \
  WARPWISE_INPUT(matrix_b, M, N, K, unsigned char, unsigned char, COUNTB, int, \
                 __imma_##SHAPE##_ld_b_u8)                                     \
  WARPWISE_ACCUMULATOR(M, N, K, int, 8, int, __imma_##SHAPE##_ld_c,            \
                       __imma_##SHAPE##_st_c_i32)                              \
  WARPWISE_MULTIPLY(M, N, K, signed char, int, int, int, int, int,             \
                    __imma_##SHAPE##_mma_s8)                                   \
  WARPWISE_MULTIPLY(M, N, K, unsigned char, int, int, int, int, int,           \
                    __imma_##SHAPE##_mma_u8)
WARPWISE_BYTES(16, 16, 16, m16n16k16, 8, 8)
WARPWISE_BYTES(32, 8, 16, m32n8k16, 16, 4)
WARPWISE_BYTES(8, 32, 16, m8n32k16, 4, 16)
#undef WARPWISE_BYTES

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPWISE_BF16(M, N, K, SHAPE, COUNTA, COUNTB)                          \
  WARPWISE_INPUT(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, COUNTA, int, \
                 __mma_bf16_##SHAPE##_ld_a)                                    \
  WARPWISE_INPUT(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, COUNTB, int, \
                 __mma_bf16_##SHAPE##_ld_b)
WARPWISE_BF16(16, 16, 16, m16n16k16, 8, 8)
WARPWISE_BF16(32, 8, 16, m32n8k16, 16, 4)
WARPWISE_BF16(8, 32, 16, m8n32k16, 4, 16)
#undef WARPWISE_BF16

WARPWISE_INPUT(matrix_a, 16, 16, 8, precision::tf32, float, 4, int,
               __mma_tf32_m16n16k8_ld_a)
WARPWISE_INPUT(matrix_b, 16, 16, 8, precision::tf32, float, 4, int,
               __mma_tf32_m16n16k8_ld_b)
WARPWISE_ACCUMULATOR(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c,
                     __mma_m16n16k8_st_c_f32)

WARPWISE_INPUT(matrix_a, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_a)
WARPWISE_INPUT(matrix_b, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_b)
WARPWISE_ACCUMULATOR(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c,
                     __dmma_m8n8k4_st_c_f64)

WARPWISE_MULTIPLY(16, 16, 16, __nv_bfloat16, float, float, int, float, float,
                  __mma_bf16_m16n16k16_mma_f32)
WARPWISE_MULTIPLY(32, 8, 16, __nv_bfloat16, float, float, int, float, float,
                  __mma_bf16_m32n8k16_mma_f32)
WARPWISE_MULTIPLY(8, 32, 16, __nv_bfloat16, float, float, int, float, float,
                  __mma_bf16_m8n32k16_mma_f32)
WARPWISE_MULTIPLY(16, 16, 8, precision::tf32, float, float, int, float, float,
                  __mma_tf32_m16n16k8_mma_f32)
WARPWISE_MULTIPLY(8, 8, 4, double, double, double, double, double, double,
                  __dmma_m8n8k4_mma_f64)
#endif

#undef WARPWISE_MULTIPLY
#undef WARPWISE_ACCUMULATOR
#undef WARPWISE_INPUT
#undef WARPWISE_BUILTIN
#undef WARPWISE_STATIC

} // namespace wmma
} // namespace nvcuda
#endif
#endif
