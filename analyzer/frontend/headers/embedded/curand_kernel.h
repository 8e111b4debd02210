/* Random numbers in kernels: a state of the right size that every draw reads
   and writes, with a generator of the xorshift family behind it. */
#ifndef WARPWISE_CURAND_KERNEL_H
#define WARPWISE_CURAND_KERNEL_H

#include "cuda_runtime.h"
#include "curand.h"

#ifdef __cplusplus
#define WARPWISE_STATIC static __device__ __inline__

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct __align__(16) curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateSobol32 {
  unsigned i, x, c, direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
struct curandStateMtgp32 {
  unsigned s[1024];
  int offset, pIdx;
  void *k;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol32 curandStateScrambledSobol32;
typedef curandStateSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateSobol64 curandStateScrambledSobol64;
typedef curandStateSobol64 curandStateScrambledSobol64_t;
typedef curandStateMtgp32 curandStateMtgp32_t;

WARPWISE_STATIC void curand_init(unsigned long long Seed,
                                 unsigned long long Sequence,
                                 unsigned long long Offset,
                                 curandStateXORWOW *State) {
  unsigned Low = (unsigned)Seed ^ 0xaad26b49u;
  unsigned High = (unsigned)(Seed >> 32) ^ 0xf7dcefddu;
  State->d = 6615241 + High + (unsigned)Offset;
  for (int I = 0; I < 5; ++I)
    State->v[I] = Low * 1099087573u + High * (I + 1) + (unsigned)Sequence;
  State->boxmuller_flag = State->boxmuller_flag_double = 0;
}
WARPWISE_STATIC void curand_init(unsigned long long Seed,
                                 unsigned long long Sequence,
                                 unsigned long long Offset,
                                 curandStateMRG32k3a *State) {
  for (int I = 0; I < 3; ++I) {
    State->s1[I] = (unsigned)Seed + I + (unsigned)Offset;
    State->s2[I] = (unsigned)(Seed >> 32) + I + (unsigned)Sequence;
  }
  State->boxmuller_flag = State->boxmuller_flag_double = 0;
}
WARPWISE_STATIC void curand_init(unsigned long long Seed,
                                 unsigned long long Sequence,
                                 unsigned long long Offset,
                                 curandStatePhilox4_32_10 *State) {
  State->ctr = make_uint4((unsigned)Offset, (unsigned)(Offset >> 32),
                          (unsigned)Sequence, (unsigned)(Sequence >> 32));
  State->key = make_uint2((unsigned)Seed, (unsigned)(Seed >> 32));
  State->output = make_uint4(0, 0, 0, 0);
  State->STATE = 0;
  State->boxmuller_flag = State->boxmuller_flag_double = 0;
}
/* The quasi-random ones start from a table of directions. */
#define WARPWISE_SOBOL(STATE, WORD, BITS, FIND)                                \
  WARPWISE_STATIC void curand_init(WORD *Directions, WORD Offset,              \
                                   STATE *State) {                             \
    for (int I = 0; I < BITS; ++I)                                             \
      State->direction_vectors[I] = Directions[I];                             \
    State->x = 0;                                                              \
    State->i = State->c = Offset;                                              \
  }                                                                            \
  WARPWISE_STATIC void curand_init(WORD *Directions, WORD Scramble,            \
                                   WORD Offset, STATE *State) {                \
    curand_init(Directions, Offset, State);                                    \
    State->x = Scramble;                                                       \
  }                                                                            \
  WARPWISE_STATIC WORD curand(STATE *State) {                                  \
    WORD Result = State->x;                                                    \
    State->x ^= State->direction_vectors[FIND(~State->i) - 1];                 \
    ++State->i;                                                                \
    return Result;                                                             \
  }
WARPWISE_SOBOL(curandStateSobol32, unsigned, 32, __ffs)
WARPWISE_SOBOL(curandStateSobol64, unsigned long long, 64, __ffsll)
#undef WARPWISE_SOBOL

WARPWISE_STATIC unsigned curand(curandStateXORWOW *State) {
  unsigned t = State->v[0] ^ (State->v[0] >> 2);
  for (int I = 0; I < 4; ++I)
    State->v[I] = State->v[I + 1];
  State->v[4] = (State->v[4] ^ (State->v[4] << 4)) ^ (t ^ (t << 1));
  State->d += 362437;
  return State->v[4] + State->d;
}
WARPWISE_STATIC unsigned curand(curandStateMRG32k3a *State) {
  unsigned a = State->s1[1] * 1403580u - State->s1[0] * 810728u;
  unsigned b = State->s2[2] * 527612u - State->s2[0] * 1370589u;
  State->s1[0] = State->s1[1];
  State->s1[1] = State->s1[2];
  State->s1[2] = a;
  State->s2[0] = State->s2[1];
  State->s2[1] = State->s2[2];
  State->s2[2] = b;
  return a - b;
}
WARPWISE_STATIC unsigned curand(curandStatePhilox4_32_10 *State) {
  if (State->STATE++ % 4 == 0) {
    State->ctr.x += 1;
    State->output =
        make_uint4(State->ctr.x * 0xd2511f53u ^ State->key.x,
                   State->ctr.y * 0xcd9e8d57u ^ State->key.y,
                   State->ctr.z + State->key.x, State->ctr.w + State->key.y);
  }
  unsigned Which = (State->STATE - 1) % 4;
  return Which == 0   ? State->output.x
         : Which == 1 ? State->output.y
         : Which == 2 ? State->output.z
                      : State->output.w;
}
WARPWISE_STATIC unsigned curand(curandStateMtgp32 *State) {
  return State->s[(State->offset + threadIdx.x) & 1023];
}
WARPWISE_STATIC uint4 curand4(curandStatePhilox4_32_10 *State) {
  State->ctr.x += 1;
  return make_uint4(State->ctr.x * 0xd2511f53u, State->ctr.y, State->ctr.z,
                    State->ctr.w);
}

template <class State> WARPWISE_STATIC float curand_uniform(State *From) {
  return curand(From) * 2.3283064e-10f + 1.1641532e-10f;
}
template <class State>
WARPWISE_STATIC double curand_uniform_double(State *From) {
  return curand(From) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}
template <class State> WARPWISE_STATIC float2 curand_normal2(State *From) {
  float Radius = sqrtf(-2.0f * logf(curand_uniform(From)));
  float Angle = 6.2831853f * curand_uniform(From);
  return make_float2(Radius * sinf(Angle), Radius * cosf(Angle));
}
template <class State> WARPWISE_STATIC float curand_normal(State *From) {
  if (From->boxmuller_flag) {
    From->boxmuller_flag = 0;
    return From->boxmuller_extra;
  }
  float2 Pair = curand_normal2(From);
  From->boxmuller_extra = Pair.y;
  From->boxmuller_flag = 1;
  return Pair.x;
}
template <class State>
WARPWISE_STATIC double2 curand_normal2_double(State *From) {
  double Radius = sqrt(-2.0 * log(curand_uniform_double(From)));
  double Angle = 6.283185307179586 * curand_uniform_double(From);
  return make_double2(Radius * sin(Angle), Radius * cos(Angle));
}
template <class State>
WARPWISE_STATIC double curand_normal_double(State *From) {
  return curand_normal2_double(From).x;
}
template <class State>
WARPWISE_STATIC float curand_log_normal(State *From, float Mean, float Width) {
  return expf(Mean + Width * curand_normal(From));
}
template <class State>
WARPWISE_STATIC unsigned curand_poisson(State *From, double Lambda) {
  return (unsigned)(curand_uniform_double(From) * Lambda);
}
template <class State> WARPWISE_STATIC float4 curand_uniform4(State *From) {
  return make_float4(curand_uniform(From), curand_uniform(From),
                     curand_uniform(From), curand_uniform(From));
}
template <class State> WARPWISE_STATIC float4 curand_normal4(State *From) {
  float2 a = curand_normal2(From), b = curand_normal2(From);
  return make_float4(a.x, a.y, b.x, b.y);
}
template <class State>
WARPWISE_STATIC void skipahead(unsigned long long, State *From) {
  curand(From);
}
template <class State>
WARPWISE_STATIC void skipahead_sequence(unsigned long long, State *From) {
  curand(From);
}

#undef WARPWISE_STATIC
#endif
#endif
