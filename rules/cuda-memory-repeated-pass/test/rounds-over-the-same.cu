// Eight sums over the same column, one after the other, or eight at once. The
// rounds may not need each other, and registers have to hold what they add up.
//
// RUN: %checkpriced --checks='-*,cuda-memory-repeated-pass,cuda-memory-missing-reuse' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Pixels = 1 << 20, Bands = 64, Spectra = 8;
__constant__ float Reference[64][Bands];

__global__ void spectra(const float *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Best = -1;
  for (int S = 0; S < Spectra; ++S) {
    float Dot = 0;
    for (int B = 0; B < Bands; ++B)
      // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: each of 8 rounds of a loop walks over the same elements of 'Scene'; about {{[2-9]\..*}}x faster
      // CHECK: note: make the loop over these rounds the inner one: it has each element for all 8 rounds, and keeps what they add up in 8 registers
      Dot += Reference[S][B] * Scene[B * Pixels + I];
    if (Dot > Best)
      Best = Dot;
  }
  Out[I] = Best;
}

__global__ void atOnce(const float *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Dot[Spectra] = {};
  for (int B = 0; B < Bands; ++B) {
    const float Element = Scene[B * Pixels + I];
    for (int S = 0; S < Spectra; ++S)
      Dot[S] += Reference[S][B] * Element;
  }
  float Best = -1;
  for (int S = 0; S < Spectra; ++S)
    Best = fmaxf(Best, Dot[S]);
  Out[I] = Best;
}

// What a round finds is where the next one begins.
__global__ void steps(const float *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Guess = 1;
  for (int S = 0; S < Spectra; ++S) {
    float Slope = 0;
    for (int B = 0; B < Bands; ++B)
      Slope += Scene[B * Pixels + I] * Guess - Reference[S][B];
    Guess -= Slope;
  }
  Out[I] = Guess;
}

// Each round has a column of its own.
__global__ void columns(const float *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int S = 0; S < Spectra; ++S) {
    float Sum = 0;
    for (int B = 0; B < Bands / Spectra; ++B)
      Sum += Scene[(S * Bands / Spectra + B) * Pixels + I];
    Out[S * Pixels + I] = Sum;
  }
}

// A window of halves slides along: sectors come again, elements do not.
__global__ void window(const short *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int S = 0; S < 16; ++S) {
    float Sum = 0;
    for (int B = 0; B < 4; ++B)
      Sum += Scene[I * 20 + S + B];
    if (Sum > 4)
      Out[S * Pixels + I] = Sum;
  }
}

// Too many results for the registers of a thread.
__global__ void many(const float *Scene, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int S = 0; S < 64; ++S) {
    float Dot = 0;
    for (int B = 0; B < Bands; ++B)
      Dot += Reference[S][B] * Scene[B * Pixels + I];
    Out[S * Pixels + I] = Dot;
  }
}

int main() {
  float *Scene, *Out;
  cudaMalloc(&Scene, 4ul * Bands * Pixels);
  cudaMalloc(&Out, 4ul * Bands * Pixels);
  spectra<<<Pixels / 256, 256>>>(Scene, Out);
  atOnce<<<Pixels / 256, 256>>>(Scene, Out);
  steps<<<Pixels / 256, 256>>>(Scene, Out);
  columns<<<Pixels / 256, 256>>>(Scene, Out);
  window<<<Pixels / 256, 256>>>((const short *)Scene, Out);
  many<<<Pixels / 256, 256>>>(Scene, Out);
}
