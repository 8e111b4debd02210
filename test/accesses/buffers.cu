// What the user says of the memory behind an argument makes the accesses exact
// that depend on it.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck --check-prefix=OPEN %s
// RUN: %warpwise accesses --cuda-path=none --buffer Index=iota %s 2>/dev/null | FileCheck --check-prefix=IOTA %s
// RUN: %python -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<256i', *[64 * (i // 8) for i in range(256)]))" >%t.bin
// RUN: %warpwise accesses --cuda-path=none --buffer Index=file:%t.bin %s 2>/dev/null | FileCheck --check-prefix=FILE %s
// RUN: %warpwise accesses --cuda-path=none --buffer Index=random,count=256,below=4 %s 2>/dev/null | FileCheck --check-prefix=RANDOM %s
// RUN: %warpwise accesses --cuda-path=none --buffer Row=random,count=256,below=32 --buffer Column=random,count=256,below=32 %s 2>/dev/null | FileCheck --check-prefix=BOTH %s
// RUN: %warpwise accesses --cuda-path=none --buffer Out=iota --buffer Indx=zeros %s 2>&1 >/dev/null | FileCheck --check-prefix=NOTES %s
// RUN: not %warpwise accesses --cuda-path=none --buffer Index=random %s 2>&1 | FileCheck --check-prefix=SIZE %s
// RUN: not %warpwise check --cuda-path=none --buffer Index=file:/dev/zero %s 2>&1 | FileCheck --check-prefix=DEVICE %s

// OPEN: "object": "In"
// OPEN: "proof": "data-dependent"
// IOTA: "object": "In"
// IOTA: "proof": "exact"
// IOTA: "sectors": 4,
// Each eight lanes read one element, of a sector of its own.
// FILE: "object": "In"
// FILE: "proof": "exact"
// FILE: "sectors": 4,
// RANDOM: "object": "In"
// RANDOM: "proof": "exact"
// RANDOM: "sectors": 1,
__global__ void gather(const int *Index, const float *In, float *Out) {
  Out[threadIdx.x] = In[Index[threadIdx.x]];
}

// Two random buffers are not one: the diagonal would have no two words in a bank.
// BOTH: "name": "pairs(
// BOTH: "object": "Counts"
// BOTH: "op": "atomic"
// BOTH: "object": "Counts"
// BOTH: "wavefronts": {{[2-9]}}
__global__ void pairs(const int *Row, const int *Column, int *Out) {
  __shared__ int Counts[32 * 32];
  for (int I = threadIdx.x; I < 1024; I += 256)
    Counts[I] = 0;
  __syncthreads();
  atomicAdd(&Counts[Row[threadIdx.x] * 32 + Column[threadIdx.x]], 1);
  __syncthreads();
  Out[threadIdx.x] = Counts[threadIdx.x];
}

// NOTES-DAG: note: {{.*}}kernel 'gather(int const*, float const*, float*)' stores to 'Out': what --buffer says of it is not what the kernel reads, and is left out
// NOTES-DAG: note: {{.*}}no kernel of this file has a pointer argument 'Indx' (--buffer)
// SIZE: error: the size of 'Index' has to be known to fill it (,count=N)
// DEVICE: error: cannot read '/dev/zero' for buffer 'Index': it is not a regular file

int main() {
  int *Index;
  float *In, *Out;
  cudaMalloc(&Index, 1024);
  cudaMalloc(&In, 1 << 20);
  cudaMalloc(&Out, 1024);
  gather<<<1, 256>>>(Index, In, Out);
  pairs<<<1, 256>>>(Index, Index, reinterpret_cast<int *>(Out));
}
