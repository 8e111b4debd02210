// Fragments of a matrix are loaded by 16 bytes: rows of bytes are padded by as many.
//
// REQUIRES: cuda-toolkit
// RUN: %checkpriced --min-gain=0 --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 %s -- -arch=sm_90 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

#include <mma.h>

using namespace nvcuda;

__global__ void products(int *Out, const int4 *In) {
  __shared__ alignas(32) signed char Rows[64 * 128];
  for (int I = threadIdx.x; I < 64 * 8; I += blockDim.x)
    reinterpret_cast<int4 *>(Rows)[I] = In[blockIdx.x * 64 * 8 + I];
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> Sum;
  wmma::fill_fragment(Sum, 0);
  const signed char *Mine = Rows + threadIdx.x / 32 * 16 * 128;
  for (int K = 0; K < 8; ++K) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> B;
    // CHECK: [[@LINE+1]]:5: warning: shared load is {{.*}} bank conflict
    wmma::load_matrix_sync(A, Mine + K * 16, 128);
    // CHECK: note: pad each row of 'Rows' by 16 bytes
    wmma::load_matrix_sync(B, Mine + K * 16, 128);
    wmma::mma_sync(Sum, A, B, Sum);
  }
  wmma::store_matrix_sync(Out + (blockIdx.x * 4 + threadIdx.x / 32) * 256, Sum,
                          16, wmma::mem_row_major);
}

void launch(int *Out, const int4 *In) { products<<<4096, 128>>>(Out, In); }
