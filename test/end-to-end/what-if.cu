// The same code under another block shape and on another GPU.
//
// RUN: %checkpriced --gpu=h200 --what-if=block=16x16 --what-if=block=8x32 \
// RUN:   --what-if=gpu=nvidia-h100-pcie %s -- -nocudainc 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=UNPRICED --input-file=%t.err
// RUN: not %checkpriced --what-if=grid=7 %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// RUN: not %checkpriced --what-if=gpu=voodoo2 %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GPU
//
// What the user says and nothing answers to is said.
// RUN: %checkpriced --gpu=h200 --block='nosuch=32' --arg Absent=3 --arg Pitch=4096 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --check-prefix=UNMATCHED
// RUN: %checkpriced --checks='cuda-memori-*' %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECKS
//

__global__ void copyRows(float *Out, const float *In, int Pitch) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * 4096 + X] = In[Y * Pitch + X];
}

void launch(float *Out, const float *In, int Pitch) {
  copyRows<<<dim3(128, 512), dim3(32, 8)>>>(Out, In, Pitch);
}

// CHECK: kernel as it is block=16x16 block=8x32 gpu=nvidia-h100-pcie
// CHECK-NEXT: copyRows {{[0-9.]+}} us {{[0-9.]+}} us ({{[0-9.]+}}x) {{[0-9.]+}} us ({{[0-9.]+}}x) -
// CHECK-NOT: {{.}}
// UNPRICED: note: gpu=nvidia-h100-pcie: there are no times and gains, because the profile has no value for

// WRONG: error: '--what-if=grid=7': expected block=32x8, block=KERNEL=32x8 or gpu=NAME
// GPU: error: no profile for 'voodoo2'

// UNMATCHED: note: no kernel that was analysed is called 'nosuch' (--block)
// UNMATCHED-NEXT: note: no kernel that was analysed has a number 'Absent' as argument (--arg)
// CHECKS: note: no rule is called 'cuda-memori-*' (--checks)
