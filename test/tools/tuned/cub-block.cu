//===- cub-block.cu - CUB's building blocks of a kernel -------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

template <int Threads, int Items>
__global__ void useBlocks(const float *In, float *Out, unsigned *Keys) {
  using Load = cub::BlockLoad<float, Threads, Items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store =
      cub::BlockStore<float, Threads, Items, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<float, Threads>;
  using Reduce = cub::BlockReduce<float, Threads>;
  using Sort = cub::BlockRadixSort<unsigned, Threads, Items>;
  using Exchange = cub::BlockExchange<unsigned, Threads, Items>;
  __shared__ union {
    typename Load::TempStorage LoadStorage;
    typename Store::TempStorage StoreStorage;
    typename Scan::TempStorage ScanStorage;
    typename Reduce::TempStorage ReduceStorage;
    typename Sort::TempStorage SortStorage;
    typename Exchange::TempStorage ExchangeStorage;
  } Temp;
  const size_t First = size_t(blockIdx.x) * Threads * Items;
  float Values[Items];
  unsigned Numbers[Items];
  Load(Temp.LoadStorage).Load(In + First, Values);
  __syncthreads();
  Scan(Temp.ScanStorage).ExclusiveSum(Values, Values);
  __syncthreads();
  const float Sum = Reduce(Temp.ReduceStorage).Sum(Values);
  __syncthreads();
  Store(Temp.StoreStorage).Store(Out + First, Values);
  __syncthreads();
  cub::LoadDirectStriped<Threads>(threadIdx.x, Keys + First, Numbers);
  Sort(Temp.SortStorage).Sort(Numbers);
  __syncthreads();
  Exchange(Temp.ExchangeStorage).BlockedToStriped(Numbers, Numbers);
  cub::StoreDirectStriped<Threads>(threadIdx.x, Keys + First, Numbers);
  if (threadIdx.x == 0)
    Out[First] = Sum;
}

void run(const float *In, float *Out, unsigned *Keys) {
  useBlocks<128, 16><<<4096, 128>>>(In, Out, Keys);
  useBlocks<256, 9><<<4096, 256>>>(In, Out, Keys);
}
