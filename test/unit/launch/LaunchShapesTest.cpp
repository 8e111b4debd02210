//===- LaunchShapesTest.cpp - Grid, block and shared bytes ----------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

using namespace warpwise::launch;

TEST(LaunchShapesTest, ReadsLiterals) {
  auto Found = parseLaunches("__global__ void k(int n) {}\n"
                             "int main() {\n"
                             "  k<<<4, 256, 64>>>(7);\n"
                             "}\n");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Mangled, "_Z1ki");
  EXPECT_EQ(Found[0].At.text(), "host.cu:3");
  EXPECT_EQ(printBlock(Found[0]), "256x1x1");
  EXPECT_EQ(printGrid(Found[0]), "4x1x1");
  EXPECT_EQ(Found[0].DynamicSharedBytes, 64U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 7);
}

TEST(LaunchShapesTest, ReadsDim3VariablesAndMacros) {
  auto Found = parseLaunches(R"(
    #define TILE 16
    #define LAUNCH(K, G, B, ...) K<<<G, B>>>(__VA_ARGS__)
    __global__ void k(int n) {}
    void run(int n) {
      dim3 Block(TILE, TILE), Grid;
      Grid.x = (100 + Block.x - 1) / Block.x;
      Grid.y = ceil((float)n / (float)Block.y);
      LAUNCH(k, Grid, Block, n);
    }
    int main() { run(40); })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "16x16x1");
  EXPECT_EQ(printGrid(Found[0]), "7x3x1");
  EXPECT_EQ(Found[0].Arguments[0].Integer, 40);
}

TEST(LaunchShapesTest, LeavesParametersOfARootUnknown) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n, float *p) {}
    void run(int n, float *p) { k<<<n / 64, 64>>>(n, p); })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "64x1x1");
  EXPECT_EQ(printGrid(Found[0]), "?");
  EXPECT_FALSE(Found[0].Arguments[0].Integer);
  EXPECT_FALSE(Found[0].Arguments[1].PointerOffset);
}

TEST(LaunchShapesTest, KeepsTheDefaultOfACommandLineOption) {
  auto Found = parseLaunches(R"(
    bool checkCmdLineFlag(int, const char **, const char *);
    int getCmdLineArgumentInt(int, const char **, const char *);
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      int n = 1 << 20;
      if (checkCmdLineFlag(argc, (const char **)argv, "n"))
        n = getCmdLineArgumentInt(argc, (const char **)argv, "n");
      k<<<n / 256, 256>>>(n);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "256x1x1");
  EXPECT_EQ(printGrid(Found[0]), "4096x1x1~");
  EXPECT_EQ(Found[0].Arguments[0].Integer, 1 << 20);
  EXPECT_FALSE(Found[0].Arguments[0].Certain);
}

TEST(LaunchShapesTest, KnowsOnlyWhatAllDevicesShare) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    int main() {
      cudaDeviceProp p;
      cudaGetDeviceProperties(&p, 0);
      k<<<p.multiProcessorCount, p.warpSize * 4>>>(p.maxThreadsPerBlock);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "128x1x1~");
  EXPECT_EQ(printGrid(Found[0]), "?");
  EXPECT_EQ(Found[0].Arguments[0].Integer, 1024);
  EXPECT_FALSE(Found[0].Arguments[0].Certain);
}

TEST(LaunchShapesTest, RejectsEmptyShapes) {
  auto Found = parseLaunches(R"(
    __global__ void k() {}
    int main() { int n = 0; k<<<dim3(0, 1), dim3(n, 4)>>>(); })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "?");
  EXPECT_EQ(printGrid(Found[0]), "?");
}

TEST(LaunchShapesTest, ReadsLaunchFunctions) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n, float *p) {}
    int main() {
      float *p;
      cudaMalloc((void **)&p, 400);
      int n = 5;
      void *Arguments[] = {&n, &p};
      cudaLaunchKernel((void *)k, dim3(2), dim3(32, 2), Arguments, 16, 0);
      cudaLaunchConfig_t c = {0};
      c.gridDim = dim3(3);
      c.blockDim = 64;
      c.dynamicSmemBytes = 8;
      cudaLaunchKernelEx(&c, k, 9, p + 4);
      cudaLaunchKernelExC(&c, (const void *)k, Arguments);
    })");
  ASSERT_EQ(Found.size(), 3U);
  EXPECT_EQ(printBlock(Found[0]), "32x2x1");
  EXPECT_EQ(Found[0].DynamicSharedBytes, 16U);
  EXPECT_EQ(printGrid(Found[1]), "3x1x1");
  EXPECT_EQ(printBlock(Found[2]), "64x1x1");
  EXPECT_EQ(Found[2].DynamicSharedBytes, 8U);
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{5, 9, 5}));
  EXPECT_EQ(Found[0].Arguments[1].PointerOffset, 0);
  EXPECT_EQ(Found[1].Arguments[1].PointerOffset, 16);
}

TEST(LaunchShapesTest, GoesThroughWrappers) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n, float *p) {}
    template <typename K, typename... A>
    void go(K Kernel, dim3 Grid, dim3 Block, A... Arguments) {
      Kernel<<<Grid, Block>>>(Arguments...);
    }
    template <typename F> void measure(const F &Run) { Run(3); }
    struct Runner {
      void (*Kernel)(int, float *);
      void operator()(int n, float *p) const { Kernel<<<n, 96>>>(n, p); }
    };
    int main() {
      float *p;
      cudaMalloc((void **)&p, 400);
      go(k, dim3(2), dim3(32, 2), 5, p);
      measure([=](int n) { k<<<n, 64>>>(n, p + 1); });
      Runner{&k}(4, p);
      int n = 6;
      void *Arguments[] = {&n, &p};
      cudaLaunchCooperativeKernel((void *)k, 7, 128, Arguments, 16, 0);
    })");
  ASSERT_EQ(Found.size(), 4U);
  EXPECT_EQ(printBlock(Found[0]), "32x2x1");
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{5, 4, 3, 6}));
  EXPECT_EQ(printBlock(Found[1]), "96x1x1");
  EXPECT_EQ(printGrid(Found[2]), "3x1x1");
  EXPECT_EQ(Found[2].Arguments[1].PointerOffset, 4);
  EXPECT_EQ(printGrid(Found[3]), "7x1x1");
  EXPECT_EQ(printBlock(Found[3]), "128x1x1");
  EXPECT_EQ(Found[3].DynamicSharedBytes, 16U);
}

TEST(LaunchShapesTest, GoesOnBehindALoopThatTakesTooLong) {
  // The loop is walked in silence first, and that is already too much.
  auto Found = parseLaunches(R"(
    template <int Which> __global__ void k(int n) {}
    template <typename K> void go(K Kernel, int Threads) {
      Kernel<<<1, Threads>>>(Threads);
    }
    int ready();
    template <int Level> void busy() {
      busy<Level - 1>(); busy<Level - 1>(); busy<Level - 1>();
      busy<Level - 1>(); busy<Level - 1>(); busy<Level - 1>();
    }
    template <> void busy<0>() { ready(); }
    void runFirst() { go(k<0>, 64); }
    void runSecond() { go(k<1>, 96); }
    void runAll(const int *Kinds) {
      while (unknown()) {
        if (ready()) runFirst(); else runSecond();
        busy<7>();
      }
    })");
  ASSERT_EQ(Found.size(), 2U);
  std::map<std::string, int64_t> Threads;
  for (const Launch &L : Found)
    Threads[L.Mangled] = L.Arguments[0].Integer.value_or(-1);
  EXPECT_EQ(Threads["_Z1kILi0EEvi"], 64);
  EXPECT_EQ(Threads["_Z1kILi1EEvi"], 96);
}

TEST(LaunchShapesTest, KernelsOfAPointerThatNobodyKnowsHaveItsType) {
  auto Found = parseLaunches(R"(
    template <int Which> __global__ void scale(float *p) {}
    __global__ void add(float *p) {}
    __global__ void other(int n) {}
    using Kernel = void (*)(float *);
    struct State { void *Chosen; };
    Kernel choose(int Kind) {
      switch (Kind) {
      case 0: return &scale<0>;
      case 1: return &scale<1>;
      }
      return nullptr;
    }
    void prepare(State &S, int Kind) { S.Chosen = (void *)choose(Kind); }
    void run(const State &S, float *p) {
      Kernel Chosen = (Kernel)S.Chosen;
      Chosen<<<8, 192>>>(p);
    }
    void apart(float *p, int n) { add<<<8, 32>>>(p); other<<<1, 32>>>(n); })");
  ASSERT_EQ(Found.size(), 4U);
  std::map<std::string, std::string> Blocks;
  for (const Launch &L : Found)
    Blocks[L.Mangled] = printBlock(L);
  EXPECT_EQ(Blocks["_Z5scaleILi0EEvPf"], "192x1x1");
  EXPECT_EQ(Blocks["_Z5scaleILi1EEvPf"], "192x1x1");
  // Whose name stands where it is launched has no need of a pointer.
  EXPECT_EQ(Blocks["_Z3addPf"], "32x1x1");
  EXPECT_EQ(Blocks["_Z5otheri"], "32x1x1");
}

TEST(LaunchShapesTest, GetsPastReferencesOnTheCpu) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    void reference(float *x) {
      for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++)
          for (int k = 0; k < 100; k++)
            x[i * 10000 + j * 100 + k] = i * j;
    }
    int main() {
      float *x = new float[1000000];
      int n = 8;
      for (int i = 0; i < 40; i++) {
        k<<<16, 128>>>(i);
        reference(x);
      }
      k<<<n, 4 * n>>>(n);
    })");
  ASSERT_FALSE(Found.empty());
  EXPECT_EQ(printGrid(Found.back()), "8x1x1");
  EXPECT_EQ(printBlock(Found.back()), "32x1x1");
}

TEST(LaunchShapesTest, SurvivesErrorsInHostCode) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    void run(int n) {
      int b = 8;
      b = missing(n);
      k<<<missing(n), 64>>>(b);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "64x1x1");
  EXPECT_EQ(printGrid(Found[0]), "?");
  EXPECT_FALSE(Found[0].Arguments[0].Integer);
}

TEST(LaunchShapesTest, ReadsLaunchBounds) {
  auto Found = parseBounds(R"(
    #define THREADS 128
    __global__ void __launch_bounds__(THREADS * 2) a(int n) {}
    template <int B> __global__ void __launch_bounds__(B) b() {}
    __global__ void c() {}
    void run() { b<96><<<1, 96>>>(); })");
  EXPECT_EQ(Found, (std::map<std::string, unsigned>{{"_Z1ai", 256},
                                                    {"_Z1bILi96EEvv", 96}}));
}
