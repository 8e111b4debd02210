// What data decide is a remark, which only who asks for it gets: what random
// indices would cost, and what it is worth to put them in order. With the indices
// given they are judged as they are.
//
// RUN: %checkpriced --explain --remarks --checks='-*,cuda-memory-gather' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --remarks --fail-on=warning \
// RUN:   --profile=nvidia-h200 %s -- >/dev/null 2>&1
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --profile=nvidia-h200 \
// RUN:   %s -- 2>&1 | FileCheck %s --check-prefix=UNASKED
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --profile=nvidia-h200 \
// RUN:   --buffer=Index=iota %s -- 2>&1 | FileCheck %s --check-prefix=INORDER
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --profile=nvidia-h200 \
// RUN:   --remarks --format=sarif %s -- 2>/dev/null | FileCheck %s --check-prefix=SARIF
// RUN: %checkpriced --checks='-*,cuda-memory-gather' --profile=nvidia-h200 \
// RUN:   --buffer=Index=random,count=16777216 %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GIVEN
// GIVEN: warning: data decide where this global load goes: 32 sectors per request (in order 4); about
// UNASKED-NOT: {{remark|warning}}:
// UNASKED: note: 2 remarks are left out (--remarks shows them)
// INORDER-NOT: 'gather'
// INORDER-NOT: 'In'
// INORDER: note: 0 warnings in 7 kernels, {{[0-9]+}} of 20 accesses judged
// SARIF: "level": "note"
// SARIF-NOT: "level": "warning",{{$}}

constexpr int N = 1 << 24;

__global__ void gather(const float *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+4]]:12: remark: data decide where this global load goes: 32 sectors per request for random indices (in order 4); at best about {{[2-9]\.[0-9]+}}x faster {{.*}} [cuda-memory-gather]
  // CHECK: note: from 1 to 32 are possible: --buffer tells what the indices are
  // CHECK: note: the kernel takes about
  // CHECK: note: sort the indices or renumber 'In', so that neighbouring lanes want neighbouring elements; keep side by side what one index selects
  Out[I] = In[Index[I]];
}

__global__ void scatter(const float *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+2]]:17: remark: data decide where this global store goes: 32 sectors per request for random indices (in order 4); at best about
  // CHECK: note: store to 'Out' in order, and load from where the inverse of the indices says; or sort them
  Out[Index[I]] = In[I];
}

// All lanes want the same element.
__global__ void same(const float *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Index[blockIdx.x]];
}

// Four lanes fill a sector, wherever it is.
__global__ void pieces(const double *In, const int *Index, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Index[I / 4] * 4 + I % 4];
}

// Where atomics put things they come in turns, side by side more often than not.
__global__ void compact(const float *In, float *Out, int *Count) {
  const float Value = In[blockIdx.x * blockDim.x + threadIdx.x];
  if (Value > 0)
    Out[atomicAdd(Count, 1)] = Value;
}

// In order the members of records lie as far apart as the records.
struct Record {
  float Of[8];
};
__global__ void members(const Record *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Index[I]].Of[3];
}

// How often atomics meet is another rule's.
__global__ void count(unsigned *Bins, const int *Index) {
  atomicAdd(&Bins[Index[blockIdx.x * blockDim.x + threadIdx.x]], 1);
}

void launch(const float *In, const int *Index, float *Out, double *Wide,
            unsigned *Bins, int *Found) {
  gather<<<N / 256, 256>>>(In, Index, Out);
  scatter<<<N / 256, 256>>>(In, Index, Out);
  same<<<N / 256, 256>>>(In, Index, Out);
  pieces<<<N / 256, 256>>>(Wide, Index, Wide);
  count<<<N / 256, 256>>>(Bins, Index);
  compact<<<N / 256, 256>>>(In, Out, Found);
  members<<<N / 256, 256>>>((const Record *)In, Index, Out);
}
// CHECK: note: 0 warnings and 2 remarks in 7 kernels
