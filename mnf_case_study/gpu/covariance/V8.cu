//===- V8.cu - One launch for both covariances ----------------------------===//
//
// Beyond the paper. Of V7's time a third is not the products: two launches, 17
// MB of partial sums and a kernel that adds them up, twice. Here one launch
// does both matrices, each by half of the blocks, so that there are half as
// many partial sums; and the blocks themselves add them up when all are there.
// The copy engine brings the chunks, asked by one thread, and wide tiles leave
// the tensor cores more of shared memory's bandwidth.
//
//===----------------------------------------------------------------------===//

#include "Jobs.cuh"

namespace mnf {

using namespace jobs;

__global__ void __launch_bounds__(Threads, 1)
    addProductsOfJobs(const __grid_constant__ JobsOfLaunch Of) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  addProductsOfBlock(Of, Buffers);
}

size_t scratchBytesV8(int Pixels) {
  return bytesOfSets(multiprocessors(), Pixels);
}

static void addProducts(const JobV8 *Jobs, int Count, int Bands,
                        void *Scratch) {
  JobsOfLaunch Launch;
  int Blocks =
      prepare(Jobs, Count, Bands, multiprocessors() / Count, Scratch, Launch);
  cudaFuncSetAttribute(addProductsOfJobs,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  // Blocks wait for each other, so all have to run at once.
  void *Arguments[] = {&Launch};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(addProductsOfJobs),
                              dim3(Blocks * Count), dim3(Threads), Arguments,
                              size_t(SharedBytes), nullptr);
}

void addProductsV8(const JobV8 &Of, int Bands, void *Scratch) {
  addProducts(&Of, 1, Bands, Scratch);
}

void addProductsV8(const JobV8 (&Of)[2], int Bands, void *Scratch) {
  addProducts(Of, 2, Bands, Scratch);
}

} // namespace mnf
