// nvcc's sin and cos of a double read a row of coefficients from a table in global
// memory, one for odd and one for even quadrants: three requests of 16 bytes for
// each lane, in one sector or two. Its sincos has all coefficients in its code.
//
// RUN: %warpwise accesses %s --block=256 | FileCheck %s
// RUN: %warpwise accesses %s --block=256 | FileCheck %s --check-prefix=BOTH

// BOTH-NOT: "line": [[@LINE+3]],{{[[:space:]]+}}"column": {{[0-9]+}},{{[[:space:]]+}}"bytes": 16
__global__ void both(double *Out, double X) {
  double Sine, Cosine;
  sincos(X * threadIdx.x, &Sine, &Cosine);
  Out[threadIdx.x] = Sine * Cosine;
}

__global__ void sine(double *Out, const double *In) {
  const double X = In[threadIdx.x];
  // CHECK: "line": [[@LINE+6]]
  // CHECK: "__cudart_sin_cos_coeffs"
  // CHECK: "proof": "bounded"
  // CHECK: "sectors": 1.99
  // CHECK: "low": 1
  // CHECK: "high": 2
  Out[threadIdx.x] = sin(X);
}

// Half a turn for each lane: odd and even quadrants take turns.
__global__ void known(double *Out) {
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "proof": "exact"
  // CHECK: "sectors": 2
  Out[threadIdx.x] = cospi(0.5 * threadIdx.x);
}

// And all lanes in the same.
__global__ void uniform(double *Out) {
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "proof": "exact"
  // CHECK: "sectors": 1
  Out[threadIdx.x] = sinpi(2.0 * threadIdx.x);
}
