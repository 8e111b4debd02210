// --output follows links, writes through what is no regular file, and leaves
// the old result where the new one cannot be written.
//
// RUN: rm -rf %t && mkdir -p %t/sub && touch %t/sub/file
// RUN: ln -s sub/file %t/link
// RUN: %warpwise check --quiet --gpu=nvidia-h100-pcie --output=%t/link %s --
// RUN: readlink %t/link | FileCheck %s --check-prefix=LINK
// RUN: FileCheck %s <%t/sub/file
// RUN: %warpwise check --quiet --gpu=nvidia-h100-pcie --output=/dev/stdout %s -- \
// RUN:   | FileCheck %s
// RUN: %warpwise check --quiet --gpu=nvidia-h100-pcie --output=/dev/stdout %s -- \
// RUN:   >%t/stdout
// RUN: FileCheck %s <%t/stdout
// RUN: not %warpwise check --quiet --gpu=nvidia-h100-pcie --output=/dev/full %s -- \
// RUN:   2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not %warpwise profiles plot nvidia-h200 --output /dev/full 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: test -c /dev/full && test -c /dev/null
//
// A limit on the size of files stands for a full disk:
// RUN: echo old >%t/old
// RUN: not sh -c 'ulimit -f 0; %warpwise check --quiet --gpu=nvidia-h100-pcie --output=%t/old %s --' >%t/limit 2>&1 || true
// RUN: FileCheck %s --check-prefix=OLD <%t/old
// RUN: ls %t | FileCheck %s --check-prefix=FILES

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
  // CHECK: output-places.cu:[[@LINE-1]]:{{.*}} warning:
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

// LINK: {{^}}sub/file
// FULL-NOT: {{.}}
// FULL: error: cannot write '/dev/full': No space left on device
// FULL-NOT: {{.}}
// OLD: {{^}}old
// FILES: limit
// FILES-NEXT: link
// FILES-NEXT: old
// FILES-NEXT: stdout
// FILES-NEXT: sub
