//===- PathsTest.cpp - Branches, loops and choice of kernels --------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <string>

using namespace warpwise::launch;

TEST(PathsTest, ListsEachIterationOfAHalvingLoop) {
  auto Found = parseLaunches(R"(
    __global__ void k(int s) {}
    int main() { for (int s = 256; s > 32; s >>= 1) k<<<1, s>>>(s); })");
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{256, 128, 64}));
  ASSERT_EQ(Found.size(), 3U);
  EXPECT_EQ(printBlock(Found[2]), "64x1x1");
}

TEST(PathsTest, SpreadsLongLoopsToTheirEnd) {
  auto Found = parseLaunches(R"(
    __global__ void k(int i) {}
    int main() { for (int i = 0; i < 5000; i += 2) k<<<1, 32>>>(i); })",
                             8);
  std::vector<int64_t> Values = getIntegers(Found, 0);
  ASSERT_LE(Values.size(), 8U);
  ASSERT_GE(Values.size(), 7U);
  // One stands for all that are not listed.
  EXPECT_EQ(std::erase(Values, -1), 1U);
  EXPECT_EQ(Values.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(Values));
  EXPECT_EQ(Values.back(), 4998);
}

TEST(PathsTest, MergesEqualLaunches) {
  auto Found = parseLaunches(R"(
    __global__ void k(int *a, int *b) {}
    int main() {
      int *a, *b;
      cudaMalloc((void **)&a, 4);
      cudaMalloc((void **)&b, 4);
      for (int i = 0; i < 10; ++i) {
        k<<<1, 32>>>(a, b);
        int *t = a; a = b; b = t;
      }
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Count, 10U);
  EXPECT_EQ(Found[0].Arguments[1].PointerOffset, 0);
}

TEST(PathsTest, DoubtsWhatAnUnknownLoopChanges) {
  auto Found = parseLaunches(R"(
    __global__ void k(int i, int n) {}
    int main() {
      int i = 0, n = 6;
      while (unknown()) { k<<<1, 32>>>(i, n); ++i; }
      k<<<2, 32>>>(i, n);
    })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 0);
  EXPECT_FALSE(Found[0].Arguments[0].Certain);
  EXPECT_TRUE(Found[0].Arguments[1].Certain);
  EXPECT_FALSE(Found[1].Arguments[0].Integer);
  EXPECT_EQ(Found[1].Arguments[1].Integer, 6);
}

TEST(PathsTest, KeepsBothSidesOfAnUnknownBranch) {
  auto Found = parseLaunches(R"(
    __global__ void k(int a, int b, int c) {}
    int main() {
      int a = 1, b = 1, c;
      if (unknown()) { a = 2; b = 2; c = 2; } else { b = 3; c = 2; }
      k<<<1, 32>>>(a, b, c);
    })");
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(getIntegers(Found, 1), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(getIntegers(Found, 2), (std::vector<int64_t>{2, 2}));
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_EQ(Found[0].When, "unknown()");
  EXPECT_EQ(Found[1].When, "otherwise");
}

TEST(PathsTest, PutsTheGeneralCaseBeforeASpecialOne) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    void work(int n) {
      dim3 grid, block;
      if (n == 1) { block.x = 32; grid.x = 4; }
      else { block.x = 32; grid.x = n / 32; }
      k<<<grid, block>>>(n);
    }
    int main(int argc, char **argv) { work(atoi(argv[1])); })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(printGrid(Found[0]), "?");
  EXPECT_FALSE(Found[0].Arguments[0].Integer);
  EXPECT_EQ(Found[0].When, "otherwise");
  EXPECT_FALSE(Found[0].IsSpecial);
  EXPECT_EQ(printGrid(Found[1]), "4x1x1");
  EXPECT_EQ(Found[1].Arguments[0].Integer, 1);
  EXPECT_EQ(Found[1].When, "n is 1");
  EXPECT_TRUE(Found[1].IsSpecial);
}

TEST(PathsTest, DoesNotDivideForWhatAConditionOnlySays) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    void run(int n) {
      if (n == 1) unknown();
      k<<<1, 32>>>(n);
    })");
  // The case itself is worth a look, as for every value that is named.
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_FALSE(Found[0].Arguments[0].Integer);
  EXPECT_TRUE(Found[1].IsSpecial);
}

TEST(PathsTest, WalksMainOnceForANumberOfArguments) {
  // Its parameters are nobody's to choose: what follows the check was seen.
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      if (argc != 2) return 1;
      k<<<1, 32>>>(4);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Count, 1U);
  EXPECT_FALSE(Found[0].IsSpecial);
}

TEST(PathsTest, FollowsEachSideOfItsOwnCondition) {
  // Two conditions for two launches: four alternatives, not eight.
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      int a = atoi(argv[1]), b = atoi(argv[2]);
      int s = a > 5 ? 64 : 32, t = b > 7 ? 512 : 256;
      k<<<1, s>>>(1);
      k<<<1, t>>>(2);
    })");
  ASSERT_EQ(Found.size(), 4U);
  EXPECT_EQ(printBlock(Found[0]), "64x1x1");
  EXPECT_EQ(Found[0].When, "a > 5");
  EXPECT_EQ(printBlock(Found[1]), "32x1x1");
  EXPECT_EQ(Found[1].When, "otherwise");
  EXPECT_EQ(Found[2].When, "b > 7");
}

TEST(PathsTest, EndsPathsThatExit) {
  auto Found = parseLaunches(R"(
    __global__ void k(int a) {}
    int main(int argc, char **argv) {
      int a = 1;
      if (argc < 2) { a = 5; exit(1); }
      if (unknown()) { a = 7; return 1; }
      k<<<1, 32>>>(a);
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 1);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
}

TEST(PathsTest, FollowsFunctionPointers) {
  auto Found = parseLaunches(R"(
    __global__ void a(int n) {}
    __global__ void b(int n) {}
    int main() {
      void (*k)(int) = &a;
      k<<<1, 32>>>(1);
      for (int i = 0; i < 2; ++i) {
        switch (i) { case 0: k = a; break; case 1: k = b; break; }
        k<<<1, 64>>>(i);
      }
      (unknown() ? a : b)<<<1, 96>>>(3);
    })");
  ASSERT_EQ(Found.size(), 5U);
  EXPECT_EQ(Found[1].Mangled, "_Z1ai");
  EXPECT_EQ(Found[2].Mangled, "_Z1bi");
  EXPECT_EQ(printBlock(Found[3]), "96x1x1");
  EXPECT_EQ(Found[3].Mangled, "_Z1ai");
  EXPECT_EQ(Found[4].Mangled, "_Z1bi");
}

TEST(PathsTest, GivesEachCaseItsOwnBlockSize) {
  auto Found = parseLaunches(R"(
    template <int B> __global__ void k(int n) {}
    void run(int n, int Threads) {
      dim3 Block(Threads, 1, 1);
      switch (Threads) {
      case 128: k<128><<<n / Threads, Block>>>(n); break;
      case 64: k<64><<<n / Threads, Block>>>(n); break;
      }
    })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(Found[0].Mangled, "_Z1kILi128EEvi");
  EXPECT_EQ(printBlock(Found[0]), "128x1x1");
  EXPECT_EQ(printBlock(Found[1]), "64x1x1");
}

TEST(PathsTest, ACaseOfAMemberSaysWhatItHolds) {
  auto Found = parseLaunches(R"(
    template <int B> __global__ void k(int n) {}
    struct Plan { int Threads; };
    void run(const Plan *Its, int n) {
      dim3 Block(Its->Threads, 1, 1);
      switch (Block.x) {
      case 128: k<128><<<n / 128, Block>>>(n); break;
      case 64: k<64><<<n / 64, Block>>>(n); break;
      default: if (Block.x == 32) k<32><<<n, Block>>>(n); else k<0><<<n, Block>>>(n);
      }
    })");
  ASSERT_EQ(Found.size(), 4U);
  EXPECT_EQ(printBlock(Found[0]), "128x1x1");
  EXPECT_EQ(printBlock(Found[1]), "64x1x1");
  EXPECT_EQ(printBlock(Found[2]), "32x1x1");
  EXPECT_EQ(printBlock(Found[3]), "?");
}

TEST(PathsTest, DoesNotMixADefaultWithThePathThatContradictsIt) {
  auto Found = parseLaunches(R"(
    template <int B> __global__ void k() {}
    int main() {
      int Threads = 64;
      if (unknown()) Threads = unknown();
      int Block = Threads * 2;
      if (Threads == 64) k<64><<<1, Block>>>(); else k<0><<<1, Block>>>();
    })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(printBlock(Found[0]), "128x1x1~");
  EXPECT_EQ(printBlock(Found[1]), "?");
}

TEST(PathsTest, FindsLaunchesThatMainNeverReaches) {
  auto Found = parseLaunches(R"(
    __global__ void a() {}
    __global__ void b() {}
    int main() { int Never = 0; if (Never) a<<<1, 32>>>(); return 0; }
    void other() { b<<<1, 64>>>(); })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(printBlock(Found[0]), "32x1x1");
  EXPECT_EQ(printBlock(Found[1]), "64x1x1");
}

TEST(PathsTest, WhatIsFalseForItsTypeIsNoLaunch) {
  auto Found = parseLaunches(R"(
    template <typename T> __global__ void wide(T *) {}
    template <typename T> __global__ void narrow(T *) {}
    template <typename T> void run(T *X) {
      if (sizeof(T) == 8) wide<<<1, 32>>>(X); else narrow<<<1, 64>>>(X);
    }
    void all(float *F, double *D) { run(F); run(D); })");
  ASSERT_EQ(Found.size(), 4U);
  unsigned Dead = 0;
  for (const Launch &L : Found) {
    const bool IsRight =
        L.Mangled == "_Z4wideIdEvPT_" || L.Mangled == "_Z6narrowIfEvPT_";
    EXPECT_EQ(L.IsDead, !IsRight) << L.Mangled;
    EXPECT_EQ(L.Block.has_value(), IsRight);
    Dead += L.IsDead;
  }
  EXPECT_EQ(Dead, 2U);
}

/// "64: 32x4x1 | 8: 32x1x1", by the kernel's template argument.
std::string blocksByKernel(const std::vector<Launch> &Found) {
  std::map<std::string, std::string> All;
  for (const Launch &L : Found)
    (All[L.Mangled] += All[L.Mangled].empty() ? "" : ",") += printBlock(L);
  std::string Text;
  for (const auto &[Name, Blocks] : All)
    Text += (Text.empty() ? "" : " | ") + Name.substr(7, Name.find('E') - 7) +
            ": " + Blocks;
  return Text;
}

TEST(PathsTest, ConditionsRuleOutOthers) {
  const std::string Kernel = "template <int N> __global__ void k() {}\n";
  EXPECT_EQ(blocksByKernel(parseLaunches(Kernel + R"(
    void run(int Width) {
      int X = Width <= 4 ? 4 : Width <= 8 ? 8 : 32;
      if (Width <= 8) {
        if (Width > 4) k<8><<<1, X>>>(); else k<4><<<1, X>>>();
      } else k<32><<<1, X>>>();
    })")),
            "32: 32x1x1 | 4: 4x1x1 | 8: 8x1x1");
  EXPECT_EQ(blocksByKernel(parseLaunches(Kernel + R"(
    void run(unsigned N) {
      dim3 B = N % 8 == 0 ? dim3(32, 4) : dim3(16, 16);
      if (!(N % 64)) k<64><<<1, B>>>();
      else if (N % 8 == 0) k<8><<<1, B>>>();
      else k<1><<<1, B>>>();
    })")),
            "1: 16x16x1 | 64: 32x4x1 | 8: 32x4x1");
  EXPECT_EQ(blocksByKernel(parseLaunches(Kernel + R"(
    void run(int N, bool Fast) {
      int B = 64;
      if (!(N <= 100)) B = 128;
      if (Fast && N > 200) k<1><<<1, B>>>();
      if (Fast && 50 > N) k<2><<<1, B>>>();
    })")),
            "1: 128x1x1 | 2: 64x1x1");
}

/// What is written in between may be anything.
TEST(PathsTest, WhatConditionsSayEndsWithTheNextStore) {
  const std::string Kernel = "template <int N> __global__ void k() {}\n"
                             "void change(int *);\n";
  for (const char *Change :
       {"N = unknown();", "change(&N);", "N += unknown();",
        "for (int I = 0; I < unknown(); ++I) N = unknown();"})
    EXPECT_EQ(blocksByKernel(parseLaunches(Kernel + R"(
    void run(int N) {
      int B = N > 8 ? 64 : 32;
      )" + Change + R"(
      if (N > 8) k<1><<<1, B>>>();
    })")),
              "1: 64x1x1,32x1x1")
        << Change;
  // Or is only true on one of the paths that meet.
  EXPECT_EQ(blocksByKernel(parseLaunches(Kernel + R"(
    void run(int N) {
      int B = N > 8 ? 64 : 32;
      while (unknown()) if (N > 8) break;
      if (N > 8) k<1><<<1, B>>>(); else k<2><<<1, B>>>();
    })")),
            "1: 64x1x1 | 2: 32x1x1");
}

/// -3 is a multiple of 3, and 2^32 - 3 is none.
TEST(PathsTest, AnotherNumberIsAMultipleOfOthers) {
  auto Found = parseLaunches(R"(
    template <int N> __global__ void k() {}
    void run(unsigned N) {
      int B = (int)N % 3 == 0 ? 64 : 32;
      if (N % 3 != 0) k<1><<<1, B>>>();
    })");
  EXPECT_EQ(blocksByKernel(Found), "1: 32x1x1,64x1x1");
}

TEST(PathsTest, SaysWhatRestsAreFor) {
  auto Found = parseLaunches(R"(
    __global__ void pairs(int) {}
    __global__ void rest(int) {}
    void run(int N) {
      if (N % 2 == 0) pairs<<<1, 64>>>(N); else rest<<<1, 64>>>(N);
    })");
  ASSERT_EQ(Found.size(), 2U);
  for (const Launch &L : Found)
    EXPECT_EQ(L.NoMultipleOf, L.Mangled == "_Z4resti" ? 2U : 0U);
}

// What is launched behind it is launched whenever the program goes on.
TEST(PathsTest, AnAssertIsNoChoice) {
  const auto whenAfter = [](const std::string &Test) {
    const auto Found = parseLaunches(R"(
      __global__ void k(int n) {}
      int read(); void fail(const char *) __attribute__((noreturn));
      void run(int n) { k<<<1, 32>>>(1); )" +
                                     Test + R"( k<<<1, 64>>>(2); })");
    return Found.empty() ? "none" : Found.back().When;
  };
  for (const char *Test :
       {"((n > 0) ? (void)0 : fail(\"n > 0\"));", "if (n <= 0) fail(\"n\");",
        "if (n == 3) { read(); exit(1); }",
        "if (n > 0) { read(); } else { fail(\"n\"); }", "if (n == 3) throw 3;"})
    EXPECT_EQ(whenAfter(Test), "") << Test;
}

TEST(PathsTest, KnowsTheMostOfAnUnknownBlock) {
  for (const char *Length :
       {"min(N, 512)", "N > 512 ? 512 : N + 0", "min(512, min(N, 2048))"}) {
    auto Found = parseLaunches(std::string(R"(
    __host__ __device__ int min(int, int);
    __global__ void k() {}
    void run(int N) { dim3 B()") +
                               Length + R"();  k<<<1, B>>>(); })");
    ASSERT_EQ(Found.size(), 1U) << Length;
    EXPECT_TRUE(Found[0].Block || Found[0].BlockMost == (Dim3{512, 1, 1}))
        << Length;
  }
}

TEST(PathsTest, KnowsTheMostOfAnUnknownGrid) {
  const auto Found = parseLaunches(R"(
    namespace std {
    template <class T> const T &min(const T &A, const T &B) {
      return B < A ? B : A;
    }
    }
    __global__ void k() {}
    void run(int N) {
      k<<<std::min(N / 256, 80), 64>>>();
      k<<<dim3(N / 256, 7), 64>>>();
      if (N < 1024) k<<<(N + 255) / 256, 32>>>();
    })");
  ASSERT_EQ(Found.size(), 3U);
  EXPECT_EQ(Found[0].GridMost, (Dim3{80, 1, 1}));
  EXPECT_EQ(Found[1].GridMost[1], 7U);
  EXPECT_EQ(Found[2].GridMost, (Dim3{4, 1, 1}));
}

TEST(PathsTest, FindsLaunchesInAllKindsOfMembers) {
  auto Found = parseLaunches(R"(
    __global__ void k() {}
    struct Owner {
      Owner() { k<<<1, 32>>>(); }
      ~Owner() { k<<<2, 64>>>(); }
      operator bool() const { k<<<3, 128>>>(); return true; }
      void operator()() { k<<<4, 256>>>(); }
    };)");
  std::string Blocks;
  for (const Launch &L : Found)
    Blocks += printBlock(L) + " ";
  EXPECT_EQ(Blocks, "32x1x1 64x1x1 128x1x1 256x1x1 ");
}

TEST(PathsTest, EndsOnEndlessAndRecursiveCode) {
  auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    int deep(int n) { return n ? deep(n - 1) + deep(n - 2) : 0; }
    void again(int n) { k<<<1, 32>>>(n); again(n + 1); }
    int main() {
      int n = 0;
      for (int i = 0; i < 1000; ++i)
        for (int j = 0; j < 1000; ++j)
          for (int l = 0; l < 1000; ++l)
            n += deep(i) + j;
      again(n);
      for (;;) k<<<1, 64>>>(1);
    })");
  ASSERT_FALSE(Found.empty());
  EXPECT_EQ(printBlock(Found[0]), "32x1x1");
}

TEST(PathsTest, KeepsGlobalsThatOnePathComesToFirst) {
  auto Found = parseLaunches(R"(
    int Size = 2;
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      if (atoi(argv[1]) > 3) Size = 5;
      k<<<1, 32>>>(Size);
    })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(Found[0].Arguments[0].Integer, 5);
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_EQ(Found[1].Arguments[0].Integer, 2);
}

TEST(PathsTest, DoubtsWhatTheRightOperandMayDo) {
  // The program may be given an argument, which is then what is parsed.
  auto Found = parseLaunches(R"(
    bool parse(const char *, int *);
    __global__ void k(int n) {}
    int main(int argc, char **argv) {
      int n = 100;
      if (argc > 1 && parse(argv[1], &n)) k<<<1, 64>>>(n);
      k<<<1, 32>>>(n);
    })");
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_FALSE(Found[0].Arguments[0].Certain);
  EXPECT_FALSE(Found[1].Arguments[0].Certain);
}

TEST(PathsTest, ListsLaterIterationsOfALoopOfUnknownLength) {
  auto Found = parseLaunches(R"(
    __global__ void k(int i) {}
    int main(int argc, char **argv) {
      int n = 2;
      if (argc > 1) n = atoi(argv[1]);
      for (int i = 0; i < n; ++i) k<<<1, 32>>>(i);
    })");
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{0, 1, -1}));
}

TEST(PathsTest, DecidesTheLastOfManyConditionsFirst) {
  // A hundred conditions lie between the command line and the choice.
  auto Found = parseLaunches(R"(
    __global__ void k() {}
    bool level(unsigned n, unsigned *out) {
      bool found = false;
      for (unsigned i = 0; i < 100; ++i)
        if (n == (1u << i)) { *out = i; found = true; break; }
      return found;
    }
    int main(int argc, char **argv) {
      unsigned n = atoi(argv[1]), levels = 0;
      if (!level(n, &levels)) return 1;
      dim3 block;
      if (levels <= 10) block.x = 64;
      else block.x = 512;
      k<<<n, block>>>();
    })");
  std::set<std::string> Blocks;
  for (const Launch &L : Found)
    if (L.Block)
      Blocks.insert(std::to_string((*L.Block)[0]));
  EXPECT_EQ(Blocks, (std::set<std::string>{"512", "64"}));
}

TEST(PathsTest, EndsWhereWaysToALaunchAreTooMany) {
  std::string Code = R"(
    __global__ void k(int a, int b) {}
    int main(int argc, char **argv) {
      int a = 0, b = 1;
  )";
  for (int I = 1; I <= 30; ++I)
    Code += "if (atoi(argv[" + std::to_string(I) +
            "]) > 5) a += " + std::to_string(1 << I) + ";\n";
  auto Found = parseLaunches(Code + "k<<<1, 32>>>(a, b); }");
  ASSERT_FALSE(Found.empty());
  // What is not told apart is not claimed.
  EXPECT_TRUE(std::ranges::any_of(Found, [](const Launch &L) {
    return !L.Arguments[0].Integer && L.Arguments[1].Integer == 1;
  }));
}
