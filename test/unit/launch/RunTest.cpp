//===- RunTest.cpp - One run of a program on one device -------------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

using namespace warpwise::launch;

static HostSettings withArguments(std::vector<std::string> Words) {
  HostSettings Settings;
  Settings.CommandLine = std::move(Words);
  return Settings;
}

TEST(RunTest, TakesPropertiesFromTheDevice) {
  HostSettings Settings;
  Settings.Device = {{"multiProcessorCount", 132}, {"major", 9}};
  auto Found = parseRun({R"(
    __global__ void k(int a, int b, int c) {}
    int main() {
      cudaDeviceProp p;
      int n;
      cudaGetDeviceProperties(&p, 0);
      cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);
      k<<<p.multiProcessorCount, 32>>>(p.major, n, p.minor);
    })"},
                        Settings);
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printGrid(Found[0]), "132x1x1");
  EXPECT_EQ(Found[0].Arguments[0].Integer, 9);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_EQ(Found[0].Arguments[1].Integer, 132);
  // The profile does not tell, so it stays what all GPUs have, in doubt.
  EXPECT_FALSE(Found[0].Arguments[2].Certain);
}

static constexpr std::string_view ReadsFlags = R"(
  __global__ void k(int n) {}
  bool has(int argc, char **argv, const char *name, int *value) {
    for (int i = 1; i < argc; i++) {
      const char *word = argv[i];
      while (*word == '-') word++;
      int length = (int)strlen(name);
      const char *equal = strchr(word, '=');
      if (equal && equal - word == length && !strncasecmp(word, name, length)) {
        *value = atoi(equal + 1);
        return true;
      }
    }
    return false;
  }
  int main(int argc, char **argv) {
    int n = 1024;
    if (!has(argc, argv, "size", &n)) n = 512;
    if (argc > 2 && strcmp(argv[2], "twice") == 0) n *= 2;
    k<<<n / 32, 32>>>(n);
  })";

TEST(RunTest, InterpretsTheCommandLine) {
  auto Found = parseRun({ReadsFlags}, withArguments({"--Size=96", "twice"}));
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 192);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_EQ(printGrid(Found[0]), "6x1x1");
}

TEST(RunTest, TakesDefaultsWithoutArguments) {
  auto Found = parseRun({ReadsFlags}, withArguments({}));
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 512);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
}

TEST(RunTest, ForgetsStringsThatAreWritten) {
  auto Found = parseRun({R"(
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      unknown(argv[1]);
      argv[1][0] = '7';
      k<<<1, 32>>>(atoi(argv[1]));
    })"},
                        withArguments({"12"}));
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_FALSE(Found[0].Arguments[0].Integer);
}

TEST(RunTest, KeepsTheOrderOfTheRun) {
  auto Found = parseRun({R"(
    __global__ void k(int n) {}
    void second() { k<<<1, 32>>>(2); }
    void first() { k<<<1, 32>>>(1); k<<<1, 32>>>(1); }
    int main() {
      for (int i = 0; i < 2; i++) { first(); second(); }
    })"});
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{1, 2, 1, 2}));
  ASSERT_EQ(Found.size(), 4U);
  EXPECT_EQ(Found[0].Count, 2U);
  EXPECT_EQ(Found[1].Count, 1U);
}

TEST(RunTest, FollowsAllIterationsUpToItsSettings) {
  HostSettings Settings;
  Settings.LaunchIterations = 4096;
  constexpr std::string_view Code = R"(
    __global__ void k(int i) {}
    int main() { for (int i = 1; i <= 2048; i++) k<<<1, 32>>>(i * i); })";
  EXPECT_EQ(parseRun({Code}, Settings).size(), 2048U);
  // In outline, the launches that were left out are marked.
  auto Outline = parseRun({Code});
  ASSERT_EQ(Outline.size(), 48U);
  EXPECT_FALSE(Outline[31].AfterGap);
  EXPECT_TRUE(Outline[32].AfterGap);
  // More than the walk may do: all of it in outline.
  Settings.StepsPerRoot = 1000;
  auto Cut = parseRun({Code}, Settings);
  ASSERT_EQ(Cut.size(), 48U);
  EXPECT_EQ(Cut.back().Arguments[0].Integer, 2048 * 2048);
}

TEST(RunTest, WalksTheUnitsOfAProgram) {
  const std::vector<std::string_view> Units = {R"(
    __global__ void k(int n, int size) {}
    extern "C" const int Size = 64;
    namespace lib { int Scale; }
    void run(int n) { k<<<n, Size>>>(n * lib::Scale, Size); })",
                                               R"(
    extern "C" const int Size;
    namespace lib { extern int Scale; }
    void run(int);
    int main() { lib::Scale = 10; run(Size / 8); })"};
  auto Found = parseRun(Units);
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printGrid(Found[0]), "8x1x1");
  EXPECT_EQ(printBlock(Found[0]), "64x1x1");
  EXPECT_EQ(Found[0].Arguments[0].Integer, 80);
  // By itself the file with the kernel tells less.
  auto Alone = parseRun({Units[0]});
  ASSERT_EQ(Alone.size(), 1U);
  EXPECT_EQ(printGrid(Alone[0]), "?");
}

TEST(RunTest, KeepsFunctionsWithInternalLinkageApart) {
  auto Found = parseRun({R"(
    __global__ void k(int n) {}
    static int size() { return 7; }
    void run() { k<<<1, 32>>>(size()); })",
                         R"(
    void run();
    static int size() { return 8; }
    int main() { if (size() == 8) run(); })"});
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 7);
}

static HostSettings withOccupancy(unsigned Registers) {
  HostSettings Settings;
  Settings.Device = {{"multiProcessorCount", 132},
                     {"maxThreadsPerMultiProcessor", 2048},
                     {"maxBlocksPerMultiProcessor", 32},
                     {"regsPerMultiprocessor", 65536},
                     {"sharedMemPerMultiprocessor", 233472},
                     {"reservedSharedMemPerBlock", 1024},
                     {"maxThreadsPerBlock", 1024}};
  if (Registers)
    Settings.Kernels["_Z1kv"] = {Registers, 0, 1024};
  return Settings;
}

TEST(RunTest, AnswersOccupancyFunctions) {
  constexpr std::string_view Code = R"(
    __global__ void k() {}
    int main() {
      int grid, block, blocks;
      cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void *)k);
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)k, 256,
                                                    100 * 1024);
      k<<<dim3(grid, blocks), block>>>();
    })";
  // With 32 registers, two blocks of 1024 threads fill an SM.
  auto Full = parseRun({Code}, withOccupancy(32));
  ASSERT_EQ(Full.size(), 1U);
  EXPECT_EQ(printBlock(Full[0]), "1024x1x1");
  EXPECT_EQ(printGrid(Full[0]), "264x2x1");
  std::set<std::string> Wanted;
  auto Unknown = parseRun({Code}, withOccupancy(0), &Wanted);
  ASSERT_EQ(Unknown.size(), 1U);
  EXPECT_EQ(printBlock(Unknown[0]), "?");
  EXPECT_EQ(Wanted, (std::set<std::string>{"_Z1kv"}));
}
