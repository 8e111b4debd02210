// Rule: cuda-memory-narrow-access
// Frames of Pauli errors of half a million shots of a noisy circuit of 256
// qubits, sent through 128 Clifford gates: a thread has a shot, whose qubits
// are the bits of eight words, or 32 shots, the bits of a word for each qubit.
// Options: --buffer=Kind=random,count=128,below=3
// Options: --buffer=Control=random,count=128,below=256
// Options: --buffer=Target=random,count=128,below=256
#include "Pair.cuh"

constexpr int Shots = 1 << 19, Qubits = 256, Words = Qubits / 32, Gates = 128;
constexpr int ShotWords = Shots / 32;

__global__ void before(const int *__restrict__ Kind,
                       const int *__restrict__ Control,
                       const int *__restrict__ Target, unsigned *__restrict__ X,
                       unsigned *__restrict__ Z, unsigned *__restrict__ Flip) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int G = 0; G < Gates; ++G) {
    const int C = Control[G], T = Target[G];
    const int AtC = C / 32 * Shots + I, AtT = T / 32 * Shots + I;
    if (Kind[G] == 0) { // Hadamard's
      const unsigned A = X[AtC], B = Z[AtC];
      const unsigned Differ = (A ^ B) & 1u << C % 32;
      X[AtC] = A ^ Differ;
      Z[AtC] = B ^ Differ;
    } else if (Kind[G] == 1) { // phase
      Z[AtC] ^= X[AtC] & 1u << C % 32;
    } else if (C != T) { // controlled not
      X[AtT] ^= (X[AtC] >> C % 32 & 1) << T % 32;
      Z[AtC] ^= (Z[AtT] >> T % 32 & 1) << C % 32;
    }
  }
  for (int W = 0; W < Words; ++W) {
    const bool Odd = __popc(X[W * Shots + I] & 0x11111111) & 1;
    const unsigned Together = __ballot_sync(~0u, Odd);
    if (I % 32 == 0)
      Flip[W * ShotWords + I / 32] = Together;
  }
}

__global__ void after(const int *__restrict__ Kind,
                      const int *__restrict__ Control,
                      const int *__restrict__ Target, unsigned *__restrict__ X,
                      unsigned *__restrict__ Z, unsigned *__restrict__ Flip) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int G = 0; G < Gates; ++G) {
    const int C = Control[G], T = Target[G];
    const int AtC = C * ShotWords + I, AtT = T * ShotWords + I;
    if (Kind[G] == 0) { // Hadamard's
      const unsigned A = X[AtC];
      X[AtC] = Z[AtC];
      Z[AtC] = A;
    } else if (Kind[G] == 1) { // phase
      Z[AtC] ^= X[AtC];
    } else if (C != T) { // controlled not
      X[AtT] ^= X[AtC];
      Z[AtC] ^= Z[AtT];
    }
  }
  for (int W = 0; W < Words; ++W) {
    unsigned Odd = 0;
#pragma unroll
    for (int Q = 0; Q < 32; Q += 4)
      Odd ^= X[(W * 32 + Q) * ShotWords + I];
    Flip[W * ShotWords + I] = Odd;
  }
}

// Words of 32 shots of a qubit, from those of 32 qubits of a shot.
unsigned *bitsTurned(const unsigned *Frames) {
  const std::vector<unsigned> Old = onHost(Frames, size_t(Words) * Shots);
  std::vector<unsigned> New(size_t(Qubits) * ShotWords);
  for (int Q = 0; Q < Qubits; ++Q)
    for (int I = 0; I < Shots; ++I)
      New[size_t(Q) * ShotWords + I / 32] |=
          (Old[size_t(Q / 32) * Shots + I] >> Q % 32 & 1) << I % 32;
  return onDevice(New);
}

int main() {
  const int *Kind = input<int>(Gates, 3), *Control = input<int>(Gates, Qubits);
  // The same noise one place on, so that a gate's two qubits differ.
  const int *Target = arranged(Control, Gates, Gates,
                               [](size_t I) { return (I + 1) % Gates; });
  unsigned *X = input<unsigned>(Words * Shots, 4294967295u);
  unsigned *Z = arranged(X, Words * Shots, Words * Shots, [](size_t I) {
    return size_t(Words) * Shots - 1 - I;
  });
  unsigned *TurnedX = bitsTurned(X), *TurnedZ = bitsTurned(Z);
  unsigned *Expected = output<unsigned>(Words * ShotWords),
           *Out = output<unsigned>(Words * ShotWords);
  Pair P("pauli-frames-shots-in-words");
  P.same(Expected, Out, Words * ShotWords);
  while (P.next())
    if (P.beforesTurn())
      before<<<Shots / 256, 256>>>(Kind, Control, Target, X, Z, Expected);
    else
      after<<<ShotWords / 64, 64>>>(Kind, Control, Target, TurnedX, TurnedZ,
                                    Out);
}
