// An index into an array that is a member of a record stays within that array,
// not within the record.
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-nonuniform' --quiet %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Settings {
  float Weights[20];
  char Sides[12];
  float Limits[3];
  int Rest[40];
};
__constant__ Settings All[1];

__global__ void chosen(const int *Which, int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = All->Sides[(Which[I] == 7) * 3 + Which[I + 4096]];
  // CHECK: [[@LINE-1]]:12: warning: constant load differs between lanes: likely 11 elements per request for random indices (ideal 1)
  // CHECK: note: an estimate, not exact: {{.*}}; from 1 to 12 are possible
}

// Three can hardly be called random.
__global__ void oneOfThree(const int *Which, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = All->Limits[Which[I]];
}

void launch(const int *Which, int *Out, float *Others) {
  chosen<<<4096, 256>>>(Which, Out);
  oneOfThree<<<4096, 256>>>(Which, Others);
}
