// Shared memory has no addition of floats: nvcc makes a loop of a load and a
// compare-and-swap, whose lanes do not take turns at one word: all of them try in
// each round. (ATOMS.CAST.SPIN: as many wavefronts as ideal, read off an H100's
// counters.)
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["name"].split("(")[0], a["op"], a["per_launch"][0]["wavefronts"], a["per_launch"][0]["ideal_wavefronts"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"] if a["space"] == "shared"]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}

// CHECK:      floats load 1 1
// CHECK-NEXT: floats atomic 1 1
__global__ void floats(const float *In) {
  __shared__ float Sum;
  atomicAdd(&Sum, In[threadIdx.x]);
}

void launch(const float *A) { floats<<<64, 256>>>(A); }
