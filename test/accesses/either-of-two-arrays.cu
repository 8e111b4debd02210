// What a private array holds may be written under its own name and read through a
// pointer that leads to one of several, or that lies in another.
//
// RUN: %warpwise accesses --quiet %s | FileCheck %s

// CHECK: "name": "either(
__global__ void either(float *Out, int Which, int I, int J, int M) {
  int A[8], B[8], C[4];
  for (int N = 0; N < 4; ++N)
    C[N] = N + 4;
  int *P = Which > 1 ? A : B;
  P[J] = 5;
  A[I] = 64;
  // CHECK: "proof": "exact",
  // CHECK: "sectors": 32,
  Out[threadIdx.x * P[J] + C[M]] = 1;
}

struct Part {
  int *P;
  int Q[4];
};

// CHECK: "name": "member(
__global__ void member(float *Out, int Which, int I, int J) {
  int A[8];
  Part Parts[2];
  Parts[0].P = A;
  Parts[1].P = A + 1;
  Parts[Which].P[J] = 3;
  A[I] = 64;
  // CHECK: "proof": "exact",
  // CHECK: "sectors": 32,
  Out[threadIdx.x * Parts[Which].P[J]] = 1;
}

// CHECK: "name": "swapped(
__global__ void swapped(float *Out, int Rounds, int I, int J, int M) {
  int A[8], B[8], C[4];
  for (int N = 0; N < 4; ++N)
    C[N] = N + 1;
  int *P = A, *Q = B;
  for (int N = 0; N < Rounds; ++N) {
    int *Other = P;
    P = Q;
    Q = Other;
    P[J] = C[N & 3];
  }
  A[I] = 64;
  B[I] = 64;
  // CHECK: "proof": "exact",
  // CHECK: "sectors": 32,
  Out[threadIdx.x * P[J] + C[M]] = 1;
}

int main() {
  either<<<1, 32>>>(nullptr, 2, 2, 2, 1);
  member<<<1, 32>>>(nullptr, 1, 3, 2);
  swapped<<<1, 32>>>(nullptr, 3, 2, 2, 1);
}
