//===- HeaderOverlayTest.cpp - Headers that Warpwise brings along ---------===//
//
// Which headers appear for which toolkit, and that code parses with them: by
// the embedded ones always, by a real toolkit where one is installed.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/HeaderOverlay.h"
#include "ParseTesting.h"

using namespace warpwise::frontend;
using namespace warpwise::frontend::test;

namespace {

bool contains(const std::vector<std::string> &Arguments,
              llvm::StringRef Wanted) {
  return llvm::is_contained(Arguments, Wanted);
}

/// A folder with the few files by which a toolkit is told.
class HeaderOverlayTest : public ParseTest {
protected:
  Toolkit toolkit(llvm::StringRef Version,
                  std::initializer_list<const char *> Headers) {
    for (const char *Header : Headers)
      Folder.write((llvm::Twine("cuda/include/") + Header).str(), "");
    return {Folder.at("cuda"), Version.str()};
  }

  bool overlayHas(const Toolkit &Cuda, llvm::StringRef Header) {
    auto Files = overlayHeaders(
        Cuda, llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>());
    return Files->exists((OverlayRoot + "/" + Header).str());
  }
};

TEST_F(HeaderOverlayTest, ShimsWhatTheToolkitLacks) {
  Toolkit Cuda13 =
      toolkit("13.0", {"cuda.h", "cccl/cub/cub.cuh", "curand_mtgp32_kernel.h"});
  EXPECT_TRUE(overlayHas(Cuda13, "shim/texture_fetch_functions.h"));
  EXPECT_FALSE(overlayHas(Cuda13, "shim/curand_mtgp32_kernel.h"));
  EXPECT_FALSE(overlayHas(Cuda13, "embedded/cuda_runtime.h"));
  EXPECT_TRUE(overlayHas(Cuda13, "bridge/warpwise_bridge.h"));
}

TEST_F(HeaderOverlayTest, LeavesAnOlderToolkitAlone) {
  Toolkit Cuda11 = toolkit("11.8", {"cuda.h", "texture_fetch_functions.h",
                                    "curand_mtgp32_kernel.h"});
  EXPECT_FALSE(overlayHas(Cuda11, "shim/texture_fetch_functions.h"));
  std::vector<std::string> Arguments = headerArguments(Cuda11);
  EXPECT_FALSE(contains(Arguments, "-D__WARPWISE_BRIDGE_REMOVED_RUNTIME__"));
  EXPECT_FALSE(contains(Arguments, "-D__WARPWISE_BRIDGE_TEXTURE_REFERENCES__"));
  EXPECT_FALSE(contains(Arguments, Folder.at("cuda/include/cccl")));
}

TEST_F(HeaderOverlayTest, BridgesWhatEachVersionRemoved) {
  std::vector<std::string> Cuda12 =
      headerArguments(toolkit("12.4", {"cuda.h"}));
  EXPECT_TRUE(contains(Cuda12, "-D__WARPWISE_BRIDGE_TEXTURE_REFERENCES__"));
  EXPECT_FALSE(contains(Cuda12, "-D__WARPWISE_BRIDGE_REMOVED_RUNTIME__"));
  std::vector<std::string> Cuda13 =
      headerArguments(toolkit("13.0", {"cuda.h", "cccl/cub/cub.cuh"}));
  EXPECT_TRUE(contains(Cuda13, "-D__WARPWISE_BRIDGE_REMOVED_RUNTIME__"));
  EXPECT_TRUE(contains(Cuda13, "--cuda-path=" + Folder.at("cuda")));
  EXPECT_TRUE(contains(Cuda13, Folder.at("cuda/include/cccl")));
}

TEST_F(HeaderOverlayTest, NeedsNoToolkit) {
  EXPECT_TRUE(overlayHas({}, "embedded/cuda_runtime.h"));
  EXPECT_TRUE(overlayHas({}, "embedded/device_launch_parameters.h"));
  EXPECT_TRUE(contains(headerArguments({}), "-nocudainc"));
}

TEST_F(HeaderOverlayTest, WritesTheFilesForOtherTools) {
  std::string Root = Folder.at("headers");
  ASSERT_FALSE(bool(writeHeaders({}, Folder.path(), "headers")));
  EXPECT_TRUE(llvm::sys::fs::exists(Root + "/embedded/cuda_runtime.h"));
  EXPECT_TRUE(llvm::sys::fs::exists(Root + "/bridge/warpwise_bridge.h"));
  EXPECT_TRUE(contains(headerArguments({}, Root), Root + "/bridge"));
}

TEST_F(HeaderOverlayTest, NamesTheFileItCannotWrite) {
  std::string File = Folder.write("taken", "");
  std::string Message =
      llvm::toString(writeHeaders({}, Folder.path(), "taken"));
  EXPECT_EQ(Message.find("cannot write '" + File + "/"), 0u) << Message;
}

/// One kernel that parses, with a call or a global that its IR must contain.
struct Snippet {
  const char *Name;
  const char *Source;
  const char *Expected;
};

class SnippetTest : public ParseTest,
                    public testing::WithParamInterface<Snippet> {};

constexpr Snippet Snippets[] = {
    {"VectorTypes",
     "__global__ void k(float4 *p, int3 *q) {\n"
     "  static_assert(sizeof(float3) == 12 && alignof(float4) == 16 &&\n"
     "                alignof(double2) == 16 && alignof(int2) == 8, \"\");\n"
     "  p[threadIdx.x] = make_float4(q->x, q->y, q->z, 1);\n"
     "}\n",
     "store float"},
    {"Atomics",
     "__global__ void k(int *i, float *f, unsigned long long *l) {\n"
     "  atomicAdd(i, 1);\n  atomicMax(i, 2);\n  atomicCAS(l, 1ull, 2ull);\n"
     "  atomicAdd(f, 1.0f);\n  atomicExch(f, 2.0f);\n  atomicAdd_block(i, 3);\n"
     "}\n",
     "atomicrmw add"},
    {"Warps",
     "__global__ void k(int *p) {\n"
     "  int v = __shfl_down_sync(~0u, p[threadIdx.x], 4);\n"
     "  v += __ballot_sync(~0u, v > 1) + __popc(__activemask());\n"
     "  v += __match_any_sync(~0u, v) + __reduce_add_sync(~0u, v);\n"
     "  __syncwarp();\n  __syncthreads();\n  __threadfence();\n"
     "  p[threadIdx.x] = __ldg(p + 1) + v;\n"
     "}\n",
     "llvm.nvvm.shfl.sync.down.i32"},
    {"Mathematics",
     "__global__ void k(float *p, double *d) {\n"
     "  *p = sinf(*p) + rsqrtf(*p) + fmaxf(*p, 2.0f) + __expf(*p) +\n"
     "       powf(*p, 2.0f) + fminf(*p, 1.0f) + max(1u, 2u) + min(3ll, 4ll);\n"
     "  *d = sqrt(*d) + pow(*d, 3.0) + fabs(*d) + floor(*d);\n"
     "}\n",
     "@__nv_sinf"},
    {"Half",
     "#include <cuda_fp16.h>\n"
     "#include <cuda_bf16.h>\n"
     "__global__ void k(half *h, half2 *h2, __nv_bfloat16 *b) {\n"
     "  h[0] = __hadd(h[1], __float2half(2.0f)) * h[2];\n"
     "  h2[0] = __hfma2(h2[1], h2[2], __half2half2(h[3]));\n"
     "  b[0] = b[1] * b[2] + __float2bfloat16(__half2float(h[1]));\n"
     "}\n",
     "fadd contract half"},
    {"CooperativeGroups",
     "#include <cooperative_groups.h>\n"
     "#include <cooperative_groups/reduce.h>\n"
     "namespace cg = cooperative_groups;\n"
     "__device__ int sum(cg::thread_block_tile<32> Tile, int v) {\n"
     "  return cg::reduce(Tile, v, cg::plus<int>());\n"
     "}\n"
     "__global__ void k(int *p) {\n"
     "  cg::thread_block Block = cg::this_thread_block();\n"
     "  auto Tile = cg::tiled_partition<32>(Block);\n"
     "  p[cg::this_grid().thread_rank()] = sum(Tile, p[Block.thread_rank()]);\n"
     "  Block.sync();\n  cg::sync(Tile);\n"
     "}\n",
     "llvm.nvvm.shfl.sync"},
    {"AsynchronousCopies",
     "#include <cooperative_groups.h>\n"
     "#include <cooperative_groups/memcpy_async.h>\n"
     "#include <cuda/pipeline>\n"
     "#include <cuda_pipeline.h>\n"
     "__global__ void k(float4 *p) {\n"
     "  __shared__ float4 Tile[64];\n"
     "  __shared__ cuda::barrier<cuda::thread_scope_block> Ready;\n"
     "  auto Block = cooperative_groups::this_thread_block();\n"
     "  __pipeline_memcpy_async(Tile + threadIdx.x, p + threadIdx.x, 16);\n"
     "  __pipeline_commit();\n  __pipeline_wait_prior(0);\n"
     "  cooperative_groups::memcpy_async(Block, Tile, p, sizeof(Tile));\n"
     "  cooperative_groups::wait(Block);\n"
     "  init(&Ready, Block.size());\n"
     "  cuda::memcpy_async(Block, Tile, p, sizeof(Tile), Ready);\n"
     "  Ready.arrive_and_wait();\n"
     "  p[threadIdx.x] = Tile[threadIdx.x];\n"
     "}\n",
     "llvm.nvvm.cp.async.cg.shared.global.16"},
    {"TensorCores",
     "#include <mma.h>\n"
     "using namespace nvcuda;\n"
     "__global__ void k(half *a, half *b, float *c) {\n"
     "  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;\n"
     "  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;\n"
     "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;\n"
     "  wmma::fill_fragment(C, 0.0f);\n"
     "  wmma::load_matrix_sync(A, a, 64);\n"
     "  wmma::load_matrix_sync(B, b, 64);\n"
     "  wmma::mma_sync(C, A, B, C);\n"
     "  wmma::store_matrix_sync(c, C, 64, wmma::mem_row_major);\n"
     "}\n",
     "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0"},
    {"TextureObjects",
     "__global__ void k(float *p, cudaTextureObject_t t) {\n"
     "  *p = tex2D<float>(t, 1.0f, 2.0f) + tex1Dfetch<float4>(t, 3).x;\n"
     "}\n",
     "tex.2d.v4.f32"},
    {"TextureReferences",
     "texture<float, 2> Image;\n"
     "texture<uchar4, 2, cudaReadModeNormalizedFloat> Pixels;\n"
     "__global__ void k(float *p) {\n"
     "  float4 Pixel = tex2D(Pixels, 1.0f, 2.0f);\n"
     "  *p = tex2D(Image, 3.0f, 4.0f) + Pixel.x;\n"
     "}\n"
     "void bind(void *d) { cudaBindTexture(0, Image, d, 4); }\n",
     "@__warpwise_tex2D"},
    {"Surfaces",
     "__global__ void k(cudaSurfaceObject_t s) {\n"
     "  float v;\n"
     "  surf2Dread(&v, s, 4 * threadIdx.x, 0);\n"
     "  surf2Dwrite(v, s, 4 * threadIdx.x, 1);\n"
     "}\n",
     "@__warpwise_surf2Dwrite"},
    {"RandomNumbers",
     "#include <curand_kernel.h>\n"
     "__global__ void k(curandState *s, float *p) {\n"
     "  curandState Local = s[threadIdx.x];\n"
     "  curand_init(1234, threadIdx.x, 0, &Local);\n"
     "  p[threadIdx.x] = curand_uniform(&Local) + curand_normal(&Local);\n"
     "  s[threadIdx.x] = Local;\n"
     "}\n",
     "llvm.memcpy"},
    {"HostCode",
     "#include <cuComplex.h>\n"
     "__constant__ float Table[16];\n"
     "__global__ void k(float *p) { *p = Table[0]; }\n"
     "int main() {\n"
     "  float *d;\n"
     "  cudaMalloc(&d, 64);\n"
     "  cudaMemcpyToSymbol(Table, d, 64);\n"
     "  cudaEvent_t Start;\n"
     "  cudaEventCreate(&Start);\n"
     "  cudaDeviceProp Properties;\n"
     "  cudaGetDeviceProperties(&Properties, 0);\n"
     "  k<<<dim3(2, 2), 32, 0, cudaStream_t()>>>(d);\n"
     "  void *Arguments[] = {&d};\n"
     "  cudaLaunchKernel(k, dim3(1), dim3(32), Arguments, 0, 0);\n"
     "  cudaLaunchConfig_t Config = {};\n"
     "  cudaLaunchKernelEx(&Config, k, d);\n"
     "  cudaThreadSynchronize();\n"
     "  return cudaDeviceSynchronize() != cudaSuccess || max(1u, 2u) == 1;\n"
     "}\n",
     "@Table"},
};

TEST_P(SnippetTest, ParsesWithTheEmbeddedHeaders) {
  ParseResult Result = parse(GetParam().Source);
  expectClean(Result);
  EXPECT_NE(text(Result).find(GetParam().Expected), std::string::npos);
}

TEST_P(SnippetTest, ParsesWithTheToolkit) {
  Toolkit Cuda = findToolkit();
  if (!Cuda.found())
    GTEST_SKIP() << "no CUDA toolkit on this machine";
  ParseResult Result = parse(GetParam().Source, {"-std=c++17"}, Cuda.Path);
  expectClean(Result);
}

INSTANTIATE_TEST_SUITE_P(All, SnippetTest, testing::ValuesIn(Snippets),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
