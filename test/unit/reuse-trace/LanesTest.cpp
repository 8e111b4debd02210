//===- LanesTest.cpp - Three lanes against all of them --------------------===//
//
// Kernels whose lanes are told apart in ways that three lanes must not hide.
// Side by side all lanes run.
//
//===----------------------------------------------------------------------===//

#include "TraceTesting.h"

namespace warpwise::reuse::test {
namespace {

struct Case {
  const char *Name, *Body;
};

void PrintTo(const Case &C, std::ostream *Out) { *Out << C.Name; }

const Case Cases[] = {
    {"OneLane", "if (threadIdx.x == 5) out[i] = in[i];"},
    {"AllButOne", "if (threadIdx.x != 17) out[i] = in[i];"},
    {"SomeInTheMiddle",
     "if (threadIdx.x >= 8 && threadIdx.x < 16) out[i] = in[i];"},
    {"EveryOther", "if (threadIdx.x % 2 == 0) out[i] = in[i];"},
    {"ThirdOfAll", "if (i % 3 == 1) out[i / 3] = in[i];"},
    {"Quotient", "out[i / 7 * 64 + i % 7] = in[i];"},
    {"SmallRows", "out[i % 8 * 64 + i / 8] = in[i];"},
    {"Swizzled", "out[i ^ (i >> 3 & 7)] = in[i];"},
    {"Clamped", "out[i] = in[min(max(i - 11, 0), 40)];"},
    {"Backwards", "out[n - i] = in[3 * (n - i)];"},
    {"Squared", "out[i * i % 97] = in[i];"},
    {"Selected", "out[i < 13 ? i : 2 * i] = in[i];"},
    {"Triangle", "for (int k = i; k < n; k++) out[k] = in[k * n + i];"},
    {"OtherTriangle", "for (int k = 0; k <= i; k++) out[i] += in[k * n + i];"},
    {"NestedTriangle",
     "for (int k = i; k < n; k += 9) for (int l = 0; l < k % 4;"
     " l++) out[k] += in[l * n + i];"},
    {"Switched", "switch (i & 3) { case 0: out[i] = 1; break; case 2: out[i] = "
                 "in[2 * i]; break; default: out[3 * i] = 5; }"},
    {"Left", "if (i > 20) return; out[i] = in[i]; __syncthreads();"},
    {"Broken", "for (int k = 0; k < n; k++) { if (k * 3 == i) break; out[k] ="
               " in[i]; } out[i] = 7;"},
    {"WrappedAround", "if (i * 0x10842109u < 0x80000000u) out[i] = in[i];"},
    {"LaneOfWarp", "out[(i & 31) * 4 + (i >> 5)] = in[i & ~3];"},
};

class LanesTest : public TraceTest, public testing::WithParamInterface<Case> {};

TEST_P(LanesTest, AreAllTraced) {
  const std::string Source =
      std::string("__global__ void kernel(int *out, const int *in, int n) {\n"
                  "int i = (blockIdx.x * blockDim.y + threadIdx.y) * "
                  "blockDim.x + threadIdx.x;\n") +
      GetParam().Body + "\n}\n";
  const std::shared_ptr<KernelProgram> Program = compile(Source);
  ASSERT_TRUE(Program) << Problem;
  // Rows of a warp, partial warps, several rows in a warp, rows across warps.
  for (const std::array<uint32_t, 3> &Block :
       std::vector<std::array<uint32_t, 3>>{
           {32, 1, 1}, {50, 1, 1}, {16, 4, 1}, {2, 9, 1}, {20, 3, 1}}) {
    SCOPED_TRACE(Block[0]);
    runBothWays(Program,
                shape({2, 1, 1}, Block, {pointer(), pointer(), integer(40)}));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, LanesTest, testing::ValuesIn(Cases),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
} // namespace warpwise::reuse::test
