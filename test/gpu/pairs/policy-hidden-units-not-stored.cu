// Rule: cuda-memory-local-array
// A small policy network of up to 128 hidden units plays a quarter of a million
// landers, a thread for each: the units go through an array of the thread, or
// each is added to the actions as soon as it is known.
#include "Pair.cuh"

constexpr int Landers = 1 << 18, Senses = 8, MostUnits = 128, Actions = 4;

__constant__ float Inner[MostUnits][Senses], InnerBias[MostUnits];
__constant__ float Outer[Actions][MostUnits], OuterBias[Actions];

__device__ float unit(const float (&Sense)[Senses], int U) {
  float Sum = InnerBias[U];
#pragma unroll
  for (int S = 0; S < Senses; ++S)
    Sum += Inner[U][S] * (Sense[S] - 0.5f);
  return fmaxf(Sum - 0.5f, 0.f);
}

__device__ void load(float (&Sense)[Senses], const float *Senser, int I) {
#pragma unroll
  for (int S = 0; S < Senses; ++S)
    Sense[S] = Senser[S * Landers + I];
}

__global__ void before(const float *__restrict__ Sensed,
                       float *__restrict__ Preferences, int Units) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sense[Senses], Hidden[MostUnits];
  load(Sense, Sensed, I);
  for (int U = 0; U < Units; ++U)
    Hidden[U] = unit(Sense, U);
  for (int A = 0; A < Actions; ++A) {
    float Sum = OuterBias[A];
    for (int U = 0; U < Units; ++U)
      Sum += Outer[A][U] * Hidden[U];
    Preferences[A * Landers + I] = Sum;
  }
}

__global__ void after(const float *__restrict__ Sensed,
                      float *__restrict__ Preferences, int Units) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sense[Senses], Sums[Actions];
  load(Sense, Sensed, I);
#pragma unroll
  for (int A = 0; A < Actions; ++A)
    Sums[A] = OuterBias[A];
  for (int U = 0; U < Units; ++U) {
    const float Hidden = unit(Sense, U);
#pragma unroll
    for (int A = 0; A < Actions; ++A)
      Sums[A] += Outer[A][U] * Hidden;
  }
#pragma unroll
  for (int A = 0; A < Actions; ++A)
    Preferences[A * Landers + I] = Sums[A];
}

template <class T> void set(const T &Symbol) {
  const float *Values = input<float>(sizeof(T) / sizeof(float));
  must(cudaMemcpyToSymbol(Symbol, Values, sizeof(T), 0,
                          cudaMemcpyDeviceToDevice));
}

int main() {
  set(Inner);
  set(InnerBias);
  set(Outer);
  set(OuterBias);
  const float *Sensed = input<float>(Senses * Landers);
  float *Expected = output<float>(Actions * Landers),
        *Out = output<float>(Actions * Landers);
  Pair P("policy-hidden-units-not-stored");
  P.same(Expected, Out, Actions * Landers);
  while (P.next())
    if (P.beforesTurn())
      before<<<Landers / 128, 128>>>(Sensed, Expected, 120);
    else
      after<<<Landers / 128, 128>>>(Sensed, Out, 120);
}
