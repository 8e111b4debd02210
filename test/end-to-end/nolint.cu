// Each comment silences exactly what it names.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- >%t.out 2>%t.err
// RUN: FileCheck %s --implicit-check-not=warning: <%t.out
// RUN: FileCheck %s --check-prefix=SUMMARY <%t.err

__global__ void strided(float *Out, const float *A, const float *B,
                        const float *C, const float *D, const float *E,
                        const float *F, const float *G) {
  int I = threadIdx.x * 64;
  float S = 0;
  S += A[I]; // NOLINT
  // NOLINTNEXTLINE
  S += B[I];
  S += C[I]; // NOLINT(cuda-memory-uncoalesced-access)
  S += D[I]; // NOLINT(cuda-memory-un*)
  S += E[I]; // NOLINT(cuda-memory-bank-conflict)
  // CHECK: nolint.cu:[[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]

  // NOLINTBEGIN(cuda-memory-*)
  S += F[I];
  // NOLINTEND(cuda-memory-*)
  S += G[I];
  // CHECK: nolint.cu:[[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]
  Out[threadIdx.x] = S;
}

void launch(float *Out, const float *In) {
  strided<<<1, 256>>>(Out, In, In, In, In, In, In, In);
}

// An end without a beginning is worth a note.
// NOLINTEND
// SUMMARY: nolint.cu:[[@LINE-1]]:{{[0-9]+}}: note: unmatched
// SUMMARY: note: 2 warnings in 1 kernel, {{[0-9]+ of [0-9]+}} accesses judged (5 suppressed by NOLINT)
