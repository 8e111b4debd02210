// The plain kernels of the case study, launched with images that are small enough
// to run every thread.

#include "mnf_case_study/gpu/covariance/V0.cu"
#include "mnf_case_study/gpu/noise_filter/V0.cu"
#include "mnf_case_study/gpu/transformation/V0.cu"

int main() {
  unsigned char *Image;
  short *Noise;
  int64_t *Products;
  float *Weights, *Components;
  cudaMalloc(&Image, 1 << 20);
  cudaMalloc(&Noise, 1 << 20);
  cudaMalloc(&Products, 1 << 13);
  cudaMalloc(&Weights, 1 << 12);
  cudaMalloc(&Components, 1 << 20);
  mnf::filterNoiseV0(Image, Noise, 30, 13, 2, 512);
  mnf::addProductsV0(Noise, Products, 20, 31, 64);
  mnf::addProductsV0(Image, Products, 24, 40, 64);
  mnf::transformV0(Image, Weights, Components, 9, 2, 403, 512, 512);
}
