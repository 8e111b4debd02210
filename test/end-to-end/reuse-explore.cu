// RDGC section 5.3: other organisations of the caches, as a table and as plots.
// Parameters in a row and options of their own say the same.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --explore l1.capacity=4K,256K l1.replacement=lru,fifo >%t.row
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 \
// RUN:   --explore l1.capacity=4K,256K --explore=l1.replacement=lru,fifo %s \
// RUN:   | cmp - %t.row
// RUN: FileCheck %s <%t.row
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 --curves \
// RUN:   --format=html --output=%t.html --explore l1.capacity=4K,256K \
// RUN:   l1.replacement=lru,fifo %s
// RUN: FileCheck --check-prefix=HTML --implicit-check-not='<b>' %s <%t.html
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 \
// RUN:   --format=json --explore l1.capacity=4K,256K %s \
// RUN:   | FileCheck --check-prefix=JSON %s
// RUN: %warpwise reuse --set=help --gpu=nvidia-h200 \
// RUN:   | FileCheck --check-prefix=HELP %s

__global__ void walk(float *Out, const float *In) {
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += In[threadIdx.x * 8 + I]; // <b>not bold</b>
  Out[threadIdx.x] = Sum;
}

// CHECK: l1.capacity l1.replacement L1 loads stores L2 reads L2 sectors DRAM sectors
// A tiny L1 keeps a sector here and there, where a warp runs ahead of others.
// CHECK-NEXT: 4K lru {{[0-2]?[0-9]\.[0-9]+}} %
// CHECK-NEXT: 4K fifo {{[0-2]?[0-9]\.[0-9]+}} %
// CHECK-NEXT: 256K lru 87.50 %
// CHECK-NEXT: 256K fifo 87.50 %

// HTML: <!doctype html>
// HTML: Sum += In[threadIdx.x * 8 + I]; // &lt;b&gt;not bold&lt;/b&gt;
// HTML: reuse distances
// HTML: hits of L1 loads by l1.capacity
// HTML: hits of L1 loads by l1.replacement
// HTML: data-label="l1.capacity">256K</td>
// HTML-SAME: 87.50 %
// HTML: <summary>All parameters</summary>

// JSON: "explored": [
// JSON: "name": "l1.capacity"
// JSON: "variants": [

// HELP: profile nvidia-h200
// HELP: parameter value origin meaning
// HELP: l1.ways 4 measured lines of a set (a number)
// HELP: l1.stores allocate default {{.*}}(allocate, no-allocate, evict)

int main() {
  float *In, *Out;
  cudaMalloc(&In, 32768);
  cudaMalloc(&Out, 4096);
  walk<<<1, 1024>>>(Out, In);
}
