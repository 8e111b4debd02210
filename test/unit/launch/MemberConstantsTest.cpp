//===- MemberConstantsTest.cpp - Members that hold one value --------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

#include <string>

using namespace warpwise::launch;

namespace {

/// The block of `k` where a method that nobody calls launches it by the members
/// of a class that has \p Members, which its users and other methods can reach
/// as \p Access says.
std::string blockFor(const std::string &Members, const std::string &Block,
                     const std::string &Access = "private") {
  const auto Found =
      parseLaunches("__global__ void k(int n) {}\n"
                    "void read(int &);\n"
                    "void look(const int &);\n"
                    "class Runner {\n"
                    "public:\n"
                    "  Runner();\n"
                    "  void run(int n) { k<<<n, " +
                    Block + ">>>(n); }\n" + Access + ":\n" + Members + "};\n");
  return Found.size() == 1 ? printBlock(Found[0]) : "not one launch";
}

TEST(MemberConstants, AreWhatAllWritesWrite) {
  EXPECT_EQ(blockFor("int threads = 96;", "threads"), "?")
      << "the constructor is in another file, and what it makes of it";
  EXPECT_EQ(blockFor("int threads = 96; Runner(int) {}", "threads"), "96x1x1~");
  EXPECT_EQ(blockFor("int threads; void set() { threads = 96; }", "threads"),
            "96x1x1~");
  EXPECT_EQ(blockFor("int threads; Runner(int) : threads(96) {}"
                     "void reset() { threads = 64 + 32; }",
                     "threads"),
            "96x1x1~");
}

TEST(MemberConstants, AreWhatTheMemberHolds) {
  EXPECT_EQ(blockFor("unsigned char threads; void set() { threads = 352; }",
                     "threads"),
            "96x1x1~")
      << "as many as fit in a byte";
}

TEST(MemberConstants, AreNoneWithTwoValues) {
  EXPECT_EQ(blockFor("int threads = 64; Runner(int) {}"
                     "void set() { threads = 96; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; void set(int n) { threads = 96; "
                     "threads += n; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; void set(int n) { threads = 96; "
                     "if (n) threads = n; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; void set() { threads = 96; read(threads); }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; void set() { threads = 96; look(threads); }",
                     "threads"),
            "96x1x1~");
  EXPECT_EQ(blockFor("int threads; int *at() { threads = 96; "
                     "return &threads; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; int &at() { return threads; }"
                     "void set() { threads = 96; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; void set(int n) { threads = 96; "
                     "int &other = threads; other = n; }",
                     "threads"),
            "?");
  EXPECT_EQ(blockFor("int threads; const int &at() { return threads; }"
                     "void set() { threads = 96; }",
                     "threads"),
            "96x1x1~");
}

TEST(MemberConstants, AreOfClassesThatKeepThem) {
  EXPECT_EQ(blockFor("int threads; void set() { threads = 96; }", "threads",
                     "public"),
            "?");
  EXPECT_EQ(
      blockFor("const int threads = 96; Runner(int) {}", "threads", "public"),
      "?")
      << "a list of initializers may set it";
  EXPECT_EQ(blockFor("int threads; void set() { threads = 96; }", "threads",
                     "protected"),
            "96x1x1~");
}

TEST(MemberConstants, AreTheExtentsOfADim3) {
  EXPECT_EQ(blockFor("dim3 block; void set() { block.x = 32; block.y = 4; "
                     "block.z = 1; }",
                     "block"),
            "32x4x1~");
  EXPECT_EQ(
      blockFor("dim3 block; void set() { block = dim3(32, 4); }", "block"),
      "32x4x1~");
  EXPECT_EQ(blockFor("dim3 block; Runner(int) : block(32, 4) {}", "block"),
            "32x4x1~");
  EXPECT_EQ(blockFor("dim3 block; Runner(int) : block(32, 4) {}"
                     "void set(int n) { block.y = n; }",
                     "block"),
            "?");
  EXPECT_EQ(blockFor("dim3 block; Runner(int) : block(32, 4) {}"
                     "void set(dim3 other) { block = other; }",
                     "block"),
            "?");
}

TEST(MemberConstants, AreThoseOfBases) {
  const auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    class Shape {
    protected:
      Shape() : threads(96) {}
      long before;
      int threads;
    };
    template <typename T> class Runner : Shape {
      T first;
      int blocks = 7;
    public:
      Runner() {}
      void run(int n) { k<<<blocks, threads>>>(n); }
    };
    template class Runner<double>;)");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "96x1x1~");
  EXPECT_EQ(printGrid(Found[0]), "7x1x1~");
}

/// A constructor that nobody calls makes its object.
TEST(MemberConstants, AConstructorSetsWhatItLaunchesWith) {
  const auto Found = parseLaunches(R"(
    __global__ void k(int n) {}
    struct Runner {
      int threads;
      dim3 grid;
      explicit Runner(int n) : threads(64) {
        grid.x = 5;
        threads += 32;
        run(n);
      }
      void run(int n) { k<<<grid, threads>>>(n); }
    };)");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printBlock(Found[0]), "96x1x1");
  EXPECT_EQ(printGrid(Found[0]), "5x1x1");
}

} // namespace
