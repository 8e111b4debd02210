// The index is what is to be changed, and with it the accesses to all arrays
// that it leads to: one finding. Another index is another finding.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void rows(float *Sum, const float *A, const float *B,
                     const float *Each, int Rows, int Columns) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  for (int I = 0; I < Columns; ++I)
    // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: global store is uncoalesced: 32 sectors per request where 'Columns' is large
    // CHECK: note: each lane walks along 'Sum' by itself: {{.*}}; the same at [[@LINE+1]]:{{[0-9]+}} and [[@LINE+1]]:{{[0-9]+}}
    Sum[Row * Columns + I] = A[Row * Columns + I] + B[Row * Columns + I] * Each[I * Rows + Row];
}

__global__ void lengths(float *Sum, const float *A, const float *B, int Rows,
                        int Columns, int Pitch) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  for (int I = 0; I < Columns; ++I)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Columns' is large
    Sum[I * Rows + Row] = A[Row * Columns + I]
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Pitch' is large
                        + B[Row * Pitch + I];
}

void launch(float *Sum, const float *A, const float *B, const float *Each,
            int Rows, int Columns, int Pitch) {
  rows<<<(Rows + 255) / 256, 256>>>(Sum, A, B, Each, Rows, Columns);
  lengths<<<(Rows + 255) / 256, 256>>>(Sum, A, B, Rows, Columns, Pitch);
}
