//===- Overlapped.cu - Filter and covariances side by side ----------------===//
//
// Beyond the paper. The filter is bound by instructions and leaves the tensor
// cores idle; the covariances are bound by memory and leave everything else
// idle; and between the two launches image and noise leave L2. In one kernel
// (gpu/fused) they fight for registers. So both are launched at once and share
// out the multiprocessors: the filter goes through the image strip by strip and
// counts what it has written; the covariances follow it, and read image and
// noise from L2.
//
// The filter is launched first and never waits, so nothing depends on that the
// launches run at the same time; if a profiler runs them one after the other,
// they only take longer.
//
//===----------------------------------------------------------------------===//

#include "../covariance/Jobs.cuh"
#include "ColumnFilter.cuh"
#include "Overlapped.h"

namespace mnf {

/// Of 132 multiprocessors, those of a covariance where both are asked for, and
/// where the noise's alone is. With few lines what the covariances still have
/// to do when the filter has ended weighs more.
struct Shares {
  int OfEach, OfOnly;
};
constexpr int ManyLines = 4096;
constexpr Shares WithFewLines = {22, 29}, WithManyLines = {20, 26};

__global__ void __launch_bounds__(columns::Threads, 1)
    filterNoiseAhead(const __grid_constant__ columns::Work Of) {
  // The launch behind may begin.
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  columns::filterItems(Of);
}

__global__ void __launch_bounds__(jobs::Threads, 1)
    addProductsBehind(const __grid_constant__ jobs::JobsOfLaunch Of) {
  extern __shared__ __align__(1024) uint8_t Chunks[];
  jobs::addProductsOfBlock(Of, Chunks);
}

/// Multiprocessors of each covariance.
static int shareOfCovariance(int Jobs, int Lines) {
  const Shares &Of = Lines < ManyLines ? WithFewLines : WithManyLines;
  return std::max(
      (Jobs == 2 ? Of.OfEach : Of.OfOnly) * jobs::multiprocessors() / 132, 1);
}

/// Behind the list: the next item, and a counter for each strip.
static int *countersOf(WideChunks *Wide, const NoiseTiles &Of) {
  return &Wide->Count + 1 + 2 * Of.chunks();
}

size_t overlappedListBytes(int Samples, int Lines) {
  return wideBytes(Samples, Lines) + sizeof(int) * (1 + Strips(Lines).count());
}

size_t overlappedScratchBytes(int Samples, int Lines) {
  return jobs::bytesOfSets(2 * shareOfCovariance(2, Lines) +
                               shareOfCovariance(1, Lines),
                           noisePixels(Samples, Lines));
}

void addOverlapped(const uint8_t *Image, int8_t *Noise, WideChunks *Wide,
                   const SumsOfBands &OfNoise, const SumsOfBands *OfImage,
                   int Samples, int Lines, int Bands, int Pitch, int NoisePitch,
                   void *Scratch) {
  const NoiseTiles Tiles = {Samples, Lines};
  const int Jobs = OfImage ? 2 : 1, Share = shareOfCovariance(Jobs, Lines);
  int *Counters = countersOf(Wide, Tiles);
  cudaMemsetAsync(Wide, 0, overlappedListBytes(Samples, Lines));
  const columns::Work Of = {Image, Noise,         Wide,  Counters, Counters + 1,
                            Tiles, Strips(Lines), Bands, Pitch,    NoisePitch};
  filterNoiseAhead<<<jobs::multiprocessors() - Jobs * Share,
                     columns::Threads>>>(Of);

  JobV8 Both[2] = {{Noise, true, OfNoise.Products, OfNoise.OfBands,
                    noisePixels(Samples, Lines), NoisePitch}};
  if (OfImage)
    Both[1] = {Image,           false, OfImage->Products, OfImage->OfBands,
               Samples * Lines, Pitch};
  jobs::JobsOfLaunch Launch;
  const int Blocks = jobs::prepare(Both, Jobs, Bands, Share, Scratch, Launch);
  for (int I = 0; I < Jobs; ++I) {
    jobs::JobOfBlocks &Job = Launch.Of[I];
    // The image's could go ahead; they wait so that they find it in L2.
    Job.Done = Counters + 1;
    Job.Target = Of.itemsOfStrip();
    Job.Strips = Of.Strips;
    Job.PixelsOfLine = I == 0 ? Tiles.ofLine() * tile::Wide : Samples;
  }
  cudaFuncSetAttribute(addProductsBehind,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       jobs::SharedBytes);
  cudaLaunchAttribute Early;
  Early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = dim3(Blocks * Jobs);
  Config.blockDim = dim3(jobs::Threads);
  Config.dynamicSmemBytes = jobs::SharedBytes;
  Config.attrs = &Early;
  Config.numAttrs = 1;
  cudaLaunchKernelEx(&Config, addProductsBehind, Launch);

  correctProducts(Image, Wide, OfNoise.Products, OfNoise.OfBands, Samples,
                  Lines, Bands, Pitch);
}

} // namespace mnf
