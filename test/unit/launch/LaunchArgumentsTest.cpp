//===- LaunchArgumentsTest.cpp - What kernels are called with -------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

using namespace warpwise::launch;

TEST(LaunchArgumentsTest, FollowsPointersIntoAllocations) {
  auto Found = parseLaunches(R"(
    __device__ float Table[64];
    __global__ void k(float *a, float *b, const double *c, float *d, float *e) {}
    template <typename T> T *allocate(size_t n) {
      T *p = nullptr;
      cudaMalloc((void **)&p, n * sizeof(T));
      return p;
    }
    int main() {
      float *p[4];
      for (int i = 0; i < 4; ++i)
        p[i] = allocate<float>(100);
      double *c = allocate<double>(100) + 3;
      float Host[4], *h = Host;
      k<<<1, 32>>>(p[1], p[2] + 4, c, &Table[2], h);
    })");
  ASSERT_EQ(Found.size(), 1U);
  const auto &Arguments = Found[0].Arguments;
  EXPECT_EQ(Arguments[0].PointerOffset, 0);
  EXPECT_EQ(Arguments[1].PointerOffset, 16);
  EXPECT_EQ(Arguments[2].PointerOffset, 24);
  EXPECT_EQ(Arguments[3].PointerOffset, 8);
  EXPECT_FALSE(Arguments[4].PointerOffset) << "host memory";
}

TEST(LaunchArgumentsTest, ReadsStructMembersByOffset) {
  auto Found = parseLaunches(R"(
    struct Pitch { int Row, Column; };
    struct Params { char Mode; float Scale; Pitch P; long Size; };
    __global__ void k(Params p) {}
    int main() {
      Params p = {2, 0.5f, {3, 4}, sizeof(Params)};
      p.P.Column = unknown();
      k<<<1, 32>>>(p);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Members,
            (std::vector<Argument::Member>{
                {0, 1, 2}, {4, 4, 0x3f000000}, {8, 4, 3}, {16, 8, 24}}));
}

TEST(LaunchArgumentsTest, KnowsMembersOneByOne) {
  auto Found = parseLaunches(R"(
    struct View { float *Data; const float *Host; long Size, Stride; };
    long Size = 512;
    __global__ void k(View v) {}
    void set(int n) { Size = n; }
    void run() {
      float *Data, Local[4];
      cudaMalloc((void **)&Data, 4096);
      k<<<1, 32>>>(View{Data + 2, Local, Size, 1});
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Members,
            (std::vector<Argument::Member>{
                {0, 8, 8, /*Certain=*/true, /*IsPointer=*/true},
                {16, 8, 512, /*Certain=*/false, /*IsPointer=*/false},
                {24, 8, 1, /*Certain=*/true, /*IsPointer=*/false}}))
      << "host memory has no alignment, and who calls set() is not known";
}

TEST(LaunchArgumentsTest, SaysWhichPointersAreNotNull) {
  auto Found = parseLaunches(R"(
    __global__ void k(float *a, float *b, float *c, float *d) {}
    void run(float *Unknown) {
      float *Made, Host[4];
      cudaMalloc((void **)&Made, 400);
      k<<<1, 32>>>(Made + 1, Host, nullptr, Unknown);
    })");
  ASSERT_EQ(Found.size(), 1U);
  const auto &Arguments = Found[0].Arguments;
  EXPECT_TRUE(Arguments[0].NotNull);
  EXPECT_TRUE(Arguments[1].NotNull);
  EXPECT_FALSE(Arguments[2].NotNull);
  EXPECT_EQ(Arguments[2].Integer, 0);
  EXPECT_FALSE(Arguments[3].NotNull);
  EXPECT_FALSE(Arguments[3].Integer);
}

/// Whether Tmp is memory of the kernel only, where \p Before and \p After
/// stand around the launch.
bool isScratch(const std::string &Before, const std::string &After) {
  const auto Found = parseLaunches(R"(
    float *fresh(size_t Bytes) {
      float *Memory;
      cudaMalloc((void **)&Memory, Bytes);
      return Memory;
    }
    struct Pool { float *get() { return fresh(400); } };
    void look(const float *);
    __global__ void other(float *a) {}
    __global__ void k(float *a) {}
    void run(float *Given) {
      )" + Before + R"(
      k<<<1, 32>>>(Tmp);
      )" + After + R"(
    })");
  bool Result = false;
  for (const auto &L : Found)
    if (L.Mangled == "_Z1kPf")
      Result = L.Arguments[0].IsScratch;
  return Result;
}

TEST(LaunchArgumentsTest, MemoryOfOneKernelIsItsOwn) {
  const std::string Made = "float *Tmp; cudaMalloc((void **)&Tmp, 400);";
  EXPECT_TRUE(isScratch(Made, ""));
  EXPECT_TRUE(isScratch("float *Tmp = fresh(400);", "k<<<2, 32>>>(Tmp);"));
  EXPECT_TRUE(isScratch(Made + "float Host[100]; cudaMemcpy(Tmp, Host, 400, "
                               "cudaMemcpyHostToDevice);",
                        ""));
  EXPECT_FALSE(isScratch(Made, "other<<<1, 32>>>(Tmp);"));
  EXPECT_FALSE(isScratch(Made, "look(Tmp);"));
  EXPECT_FALSE(isScratch(Made, "float *Same = Tmp; look(Same);"));
  EXPECT_FALSE(isScratch(Made, "[&] { look(Tmp); }();"));
  EXPECT_FALSE(isScratch(Made, "float Host[100]; cudaMemcpy(Host, Tmp, 400, "
                               "cudaMemcpyHostToDevice);"));
  EXPECT_FALSE(isScratch("float *Tmp = Given;", ""));
  EXPECT_FALSE(isScratch("Pool P; float *Tmp = P.get();", ""));
  EXPECT_FALSE(isScratch("static float *Tmp = fresh(400);", ""));
}

TEST(LaunchArgumentsTest, SaysHowLargeSmallAllocationsAre) {
  auto Found = parseLaunches(R"(
    __global__ void k(int *a, int *b, int *c, int *d) {}
    void run(int Unknown, int Bins) {
      int *Table, *Large, *Either, *Open;
      cudaMalloc((void **)&Table, 5 * sizeof(int));
      cudaMalloc((void **)&Large, 1 << 20);
      cudaMalloc((void **)&Open, Bins * sizeof(int));
      if (Unknown)
        cudaMalloc((void **)&Either, 40);
      else
        cudaMalloc((void **)&Either, 80);
      k<<<1, 32>>>(Table + 1, Large, Either, Open);
    })");
  ASSERT_EQ(Found.size(), 1U);
  const auto &Arguments = Found[0].Arguments;
  EXPECT_EQ(Arguments[0].TableBytes, 20U);
  EXPECT_EQ(Arguments[1].TableBytes, std::nullopt);
  EXPECT_EQ(Arguments[2].TableBytes, std::nullopt);
  EXPECT_EQ(Arguments[3].TableBytes, std::nullopt);
  EXPECT_EQ(Arguments[0].AllocationBytes, 20U);
  EXPECT_EQ(Arguments[1].AllocationBytes, 1U << 20);
}

/// Arrays that share an allocation have a part of it each.
TEST(LaunchArgumentsTest, SharesOutAllocations) {
  auto Found = parseLaunches(R"(
    __global__ void k(float *x, float *y, float *z, float *other) {}
    void run() {
      float *All, *Other;
      cudaMalloc((void **)&All, 4000);
      cudaMalloc((void **)&Other, 4000);
      k<<<1, 32>>>(All + 250, All, All + 500, Other + 250);
      k<<<1, 32>>>(All, All, Other, Other);
      k<<<1, 32>>>(All, All + 9, Other, Other);
    })");
  ASSERT_EQ(Found.size(), 3U);
  const auto &Parts = Found[0].Arguments, &Same = Found[1].Arguments,
             &Within = Found[2].Arguments;
  EXPECT_EQ(Parts[0].AllocationBytes, 1000U);
  EXPECT_EQ(Parts[1].AllocationBytes, 1000U);
  EXPECT_EQ(Parts[2].AllocationBytes, 2000U);
  EXPECT_EQ(Parts[3].AllocationBytes, 4000U);
  EXPECT_EQ(Same[0].AllocationBytes, 4000U);
  EXPECT_EQ(Same[1].AllocationBytes, 4000U);
  EXPECT_EQ(Within[0].AllocationBytes, 4000U);
}

/// What small allocations hold as far as the host code copies it there.
TEST(LaunchArgumentsTest, KnowsWhatIsCopiedToTables) {
  auto Found = parseLaunches(R"(
    __global__ void look(const int *i, const float *f) {}
    __global__ void change(int *i) {}
    static const int Shape[] = {8, 4, 300};
    void run(const int *Unknown) {
      int *Ints;
      float *Reals, Host[2] = {0.5f, 2};
      cudaMalloc((void **)&Ints, sizeof(Shape));
      cudaMalloc((void **)&Reals, sizeof(Host));
      cudaMemcpy(Ints, Shape, sizeof(Shape), cudaMemcpyHostToDevice);
      cudaMemcpy(Reals, Host, sizeof(Host), cudaMemcpyHostToDevice);
      look<<<1, 32>>>(Ints + 1, Reals);
      change<<<1, 32>>>(Ints);
      look<<<2, 32>>>(Ints, Reals);
      cudaMemcpy(Ints, Shape, sizeof(Shape), cudaMemcpyHostToDevice);
      cudaMemcpy(Reals, Unknown, 4, cudaMemcpyHostToDevice);
      look<<<3, 32>>>(Ints, Reals);
    })");
  ASSERT_EQ(Found.size(), 4U);
  const auto holds = [&](size_t Launch, size_t Argument) {
    const auto &Its = Found[Launch].Arguments[Argument].Holds;
    return Its ? std::optional(Its->Data) : std::nullopt;
  };
  const std::string Shape("\x08\0\0\0\x04\0\0\0\x2c\x01\0\0", 12);
  const std::string Reals("\0\0\0\x3f\0\0\0\x40", 8);
  EXPECT_EQ(holds(0, 0), Shape.substr(4));
  EXPECT_EQ(holds(0, 1), Reals);
  EXPECT_TRUE(Found[0].Arguments[0].Holds->IsLikely);
  EXPECT_EQ(Found[0].Arguments[0].Holds->read(8, 4), std::nullopt);
  EXPECT_EQ(holds(1, 0), Shape);
  EXPECT_EQ(holds(2, 0), std::nullopt);
  EXPECT_EQ(holds(2, 1), Reals);
  EXPECT_EQ(holds(3, 0), Shape);
  EXPECT_EQ(holds(3, 1), std::nullopt);
}

TEST(LaunchArgumentsTest, GivesLambdasTheConstantsAroundThem) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n, float f) {}
    int main() {
      constexpr int N = 1 << 20;
      const int Block = 256;
      constexpr float Scale = 0.5f;
      auto Run = [](int m) { k<<<N / Block, Block>>>(m + N, Scale); };
      Run(1);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printGrid(Found[0]), "4096x1x1");
  EXPECT_EQ(printBlock(Found[0]), "256x1x1");
  EXPECT_EQ(Found[0].Arguments[0].Integer, (1 << 20) + 1);
  EXPECT_EQ(Found[0].Arguments[1].Real, 0.5);
}

TEST(LaunchArgumentsTest, ConvertsToTheParametersType) {
  auto Found = parseLaunches(R"(
    __global__ void k(unsigned char c, long l, float f, bool b) {}
    int main() {
      int n = 300;
      unsigned u = 1;
      k<<<1, 32>>>(n, u - 2, 1 / 2 + 0.25, n);
    })");
  ASSERT_EQ(Found.size(), 1U);
  const auto &Arguments = Found[0].Arguments;
  EXPECT_EQ(Arguments[0].Integer, 44);
  EXPECT_EQ(Arguments[1].Integer, 4294967295);
  EXPECT_EQ(Arguments[2].Real, 0.25);
  EXPECT_EQ(Arguments[3].Integer, 1);
}

TEST(LaunchArgumentsTest, ComputesWhatTheLibraryDoes) {
  auto Found = parseLaunches(R"(
    extern "C" int abs(int);
    extern "C" long labs(long);
    extern "C" long lround(double);
    extern "C" double floor(double), cbrt(double), rint(double);
    namespace std { long lround(int); }
    __global__ void k(int a, int b, int c, int d, int e, int f, int g, int h) {}
    int main() {
      k<<<1, 32>>>(abs(3 - 7), labs(5), lround(-2.5), floor(-2.5), cbrt(27.0),
                   rint(2.5), std::lround(4 - 7), abs(unknown()));
    })");
  ASSERT_EQ(Found.size(), 1U);
  const auto &Arguments = Found[0].Arguments;
  const int64_t Expected[] = {4, 5, -3, -3, 3, 2, -3};
  for (size_t N = 0; N != std::size(Expected); ++N)
    EXPECT_EQ(Arguments[N].Integer, Expected[N]) << N;
  EXPECT_FALSE(Arguments[7].Integer);
}

TEST(LaunchArgumentsTest, PassesValuesThroughCalls) {
  auto Found = parseLaunches(R"(
    const int Scale = 3;
    int Counter = 5;
    __global__ void k(int a, int b, int c) {}
    void pick(int n, int &Blocks, int *Threads) {
      Blocks = n / 32;
      *Threads = n > 100 ? 64 : 32;
    }
    struct Named { int Number; Named(int n) : Number(n) {} };
    struct Sized { int Size; Sized(int n) : Size(n * Scale) {} };
    struct Runner : Named, Sized {
      explicit Runner(int n) : Named(-1), Sized(n) {}
      void run(int b) const { k<<<1, b>>>(Size, b, Counter); }
    };
    int main() {
      int b, t;
      pick(128, b, &t);
      Counter += 2;
      auto Go = [&](int n) { Runner(n).run(t); };
      Go(b);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "64x1x1");
  EXPECT_EQ(getIntegers(Found, 0), std::vector<int64_t>{12});
  EXPECT_EQ(getIntegers(Found, 1), std::vector<int64_t>{64});
  EXPECT_EQ(getIntegers(Found, 2), std::vector<int64_t>{7});
}

TEST(LaunchArgumentsTest, KnowsMemoryOfAnotherGpu) {
  const auto isElsewhere = [](const std::string &Launch, bool AreConnected) {
    const auto Found = parseLaunches(
        std::string("cudaError_t cudaSetDevice(int); cudaError_t "
                    "cudaDeviceEnablePeerAccess(int, unsigned); int find();"
                    "__global__ void k(int *p) {}"
                    "int main() { int *a, *b, *c; int first = find(), second = "
                    "find(); cudaMalloc((void **)&c, 4);"
                    "cudaSetDevice(first);") +
        (AreConnected ? "cudaDeviceEnablePeerAccess(second, 0);" : "") +
        "cudaMalloc((void **)&a, 4); cudaSetDevice(second);"
        "cudaMalloc((void **)&b, 4);" +
        Launch + "}");
    EXPECT_EQ(Found.size(), 1U);
    return !Found.empty() && Found[0].Arguments[0].IsElsewhere;
  };
  EXPECT_TRUE(isElsewhere("k<<<1, 32>>>(a);", true));
  EXPECT_FALSE(isElsewhere("k<<<1, 32>>>(b);", true));
  EXPECT_FALSE(isElsewhere("k<<<1, 32>>>(c);", true)); // who knows
  EXPECT_TRUE(isElsewhere("cudaSetDevice(first); k<<<1, 32>>>(b);", true));
  EXPECT_FALSE(isElsewhere("cudaSetDevice(first); k<<<1, 32>>>(a);", true));
  EXPECT_FALSE(isElsewhere("k<<<1, 32>>>(a);", false));
}

TEST(LaunchArgumentsTest, DoubtsGlobalsThatAreWrittenElsewhere) {
  auto Found = parseLaunches(R"(
    int Fixed = 4, Changed = 8;
    __global__ void k(int a, int b) {}
    void set(int n) { Changed = n; }
    void run() { k<<<1, 32>>>(Fixed, Changed); })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 4);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_EQ(Found[0].Arguments[1].Integer, 8);
  EXPECT_FALSE(Found[0].Arguments[1].Certain);
}
