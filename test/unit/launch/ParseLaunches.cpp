//===- ParseLaunches.cpp - Launches of a snippet, for tests ---------------===//

#include "ParseLaunches.h"

#include "analyzer/launch/LaunchBounds.h"
#include "analyzer/launch/LaunchCollector.h"

#include "fmt/format.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

namespace warpwise::launch {

// Ends with a line directive: places are those of the snippet.
static constexpr std::string_view Declarations =
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "#define __host__ __attribute__((host))\n"
    "#define __launch_bounds__(...) "
    "__attribute__((launch_bounds(__VA_ARGS__)))\n"
    "typedef unsigned long size_t;\n"
    "struct dim3 { unsigned x, y, z; __host__ __device__ constexpr "
    "dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)"
    " : x(x), y(y), z(z) {} };\n"
    "enum cudaError_t { cudaSuccess, cudaErrorUnknown };\n"
    "typedef void *cudaStream_t;\n"
    "struct cudaDeviceProp { char name[8]; int multiProcessorCount, warpSize, "
    "maxThreadsPerBlock, major, minor; };\n"
    "struct cudaLaunchConfig_t { dim3 gridDim, blockDim; "
    "size_t dynamicSmemBytes; cudaStream_t stream; };\n"
    "extern \"C\" {\n"
    "unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, "
    "cudaStream_t = 0);\n"
    "cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);\n"
    "cudaError_t cudaMalloc(void **, size_t);\n"
    "enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1 };\n"
    "cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);\n"
    "cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);\n"
    "cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, "
    "cudaStream_t);\n"
    "cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, "
    "void **, size_t, cudaStream_t);\n"
    "cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, "
    "void **);\n"
    "enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };\n"
    "cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);\n"
    "cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, "
    "const void *, size_t = 0, int = 0);\n"
    "cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, "
    "const void *, int, size_t);\n"
    "size_t strlen(const char *); char *strchr(const char *, int);\n"
    "int strcmp(const char *, const char *), atoi(const char *);\n"
    "int strncasecmp(const char *, const char *, size_t);\n"
    "int unknown(...); void exit(int) __attribute__((noreturn));\n"
    "double ceil(double); }\n"
    "template <typename... P, typename... A> cudaError_t cudaLaunchKernelEx("
    "const cudaLaunchConfig_t *, void (*)(P...), A &&...);\n"
    "#line 1 \"host.cu\"\n";

static std::unique_ptr<clang::ASTUnit> parse(std::string_view Code) {
  std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          std::string(Declarations) + std::string(Code),
          {"-xcuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
           "-nocudainc", "-nocudalib", "-std=c++17", "-w", "-nostdinc"},
          "input.cu");
  EXPECT_TRUE(Unit);
  return Unit;
}

std::vector<Launch> parseLaunches(std::string_view Code, unsigned MaxPerKernel,
                                  std::vector<std::string> *Notes) {
  auto Unit = parse(Code);
  std::vector<std::string> Ignored;
  return Unit ? collectLaunches({{&Unit->getASTContext()}, {}},
                                Notes ? *Notes : Ignored, MaxPerKernel)
              : std::vector<Launch>();
}

std::vector<Launch> parseRun(const std::vector<std::string_view> &Units,
                             const HostSettings &Settings,
                             std::set<std::string> *Wanted) {
  std::vector<std::unique_ptr<clang::ASTUnit>> Parsed;
  HostProgram Program = {{}, Settings};
  for (std::string_view Code : Units) {
    Parsed.push_back(parse(Code));
    if (!Parsed.back())
      return {};
    Program.Units.push_back(&Parsed.back()->getASTContext());
  }
  return collectRun(Program, 1 << 16, Wanted);
}

std::map<std::string, unsigned> parseBounds(std::string_view Code) {
  auto Unit = parse(Code);
  return Unit ? collectLaunchBounds(Unit->getASTContext())
              : std::map<std::string, unsigned>();
}

static std::string print(const std::optional<Dim3> &Shape, bool Certain) {
  if (!Shape)
    return "?";
  return fmt::format("{}x{}x{}{}", (*Shape)[0], (*Shape)[1], (*Shape)[2],
                     Certain ? "" : "~");
}

std::string printBlock(const Launch &L) {
  return print(L.Block, L.BlockCertain);
}

std::string printGrid(const Launch &L) { return print(L.Grid, L.GridCertain); }

std::vector<int64_t> getIntegers(const std::vector<Launch> &Launches,
                                 unsigned Index) {
  std::vector<int64_t> Result;
  for (const Launch &L : Launches)
    Result.push_back(Index < L.Arguments.size()
                         ? L.Arguments[Index].Integer.value_or(-1)
                         : -1);
  return Result;
}

} // namespace warpwise::launch
