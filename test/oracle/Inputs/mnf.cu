// The kernels of the case study, launched with images that are small enough to
// run every thread.

#include "mnf_case_study/v0_naive/Covariance.cuh"
#include "mnf_case_study/v0_naive/NoiseFilter.cu"
#include "mnf_case_study/v0_naive/Transform.cu"

int main() {
  unsigned char *Image;
  short *Noise;
  float *Means, *Covariance, *Weights, *Components;
  cudaMalloc(&Image, 1 << 20);
  cudaMalloc(&Noise, 1 << 20);
  cudaMalloc(&Means, 1 << 12);
  cudaMalloc(&Covariance, 1 << 12);
  cudaMalloc(&Weights, 1 << 12);
  cudaMalloc(&Components, 1 << 20);
  dim3 Block(16, 16);
  mnf::filterNoise<<<dim3(2, 1, 2), Block>>>(Image, Noise, 30, 13);
  mnf::addCovariance<<<dim3(2, 2), Block>>>(Noise, Means, Covariance, 20, 31);
  mnf::addCovariance<<<dim3(2, 2), Block>>>(Image, Means, Covariance, 24, 40);
  mnf::transformImage<<<dim3(2, 2), 256>>>(Image, Weights, Components, 403, 9);
}
