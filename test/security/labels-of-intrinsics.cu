// An asm label makes an intrinsic of LLVM's out of any function. Those that
// jump, trap or write to addresses are functions that nobody knows; so are
// those with other arguments than the intrinsic has.
//
// RUN: not %warpwise reuse --quiet --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=crashed
// RUN: %warpwise check --quiet --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CALM --allow-empty
// CALM-NOT: crashed

__device__ void jump(void *) asm("llvm.eh.sjlj.longjmp");
__device__ void interrupt(unsigned char) asm("llvm.x86.int");
__device__ void **whereItReturns() asm("llvm.addressofreturnaddress.p0");
__device__ void copy(int) asm("llvm.memcpy.p0.p0.i64");
__device__ int count(int) asm("llvm.ctpop.i32");
__device__ int used[4] asm("llvm.used");

// CHECK-DAG: error: kernel 'jumps': the accesses of a call of 'llvm_eh_sjlj_longjmp' are not modelled
__global__ void jumps(long *P) {
  P[threadIdx.x] = 1;
  jump(P);
}

// CHECK-DAG: error: kernel 'traps': the accesses of a call of 'llvm_x86_int' are not modelled
__global__ void traps(long *P) {
  P[threadIdx.x] = 1;
  interrupt(3);
}

// CHECK-DAG: error: kernel 'overwrites': {{.*}}call of 'llvm_addressofreturnaddress_p0'
__global__ void overwrites(long *P) {
  *whereItReturns() = (void *)0x4242424242;
  P[threadIdx.x] = 1;
}

// CHECK-DAG: error: kernel 'copies': the accesses of a call of 'llvm_memcpy_p0_p0_i64' are not modelled
__global__ void copies(long *P) {
  P[threadIdx.x] = 1;
  copy(1);
}

// With the right type it is what __popc is.
__global__ void counts(long *P) { P[count(threadIdx.x)] = used[1]; }

void launch(long *P) {
  jumps<<<1, 32>>>(P);
  traps<<<1, 32>>>(P);
  overwrites<<<1, 32>>>(P);
  copies<<<1, 32>>>(P);
  counts<<<1, 32>>>(P);
}
