//===- GridFromTest.cpp - Grids that are computed from an argument --------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

#include <string>

using namespace warpwise::launch;

/// What the grid of "k<<<Grid, 64>>>(n)" is computed from, behind \p Before.
static FromArguments formulasFor(const std::string &Grid,
                                 const std::string &Before = "",
                                 const std::string &Argument = "n") {
  const auto Found = parseLaunches(
      "namespace std {\n"
      "template <class T> const T &min(const T &A, const T &B);\n"
      "template <class T> const T &max(const T &A, const T &B);\n"
      "double ceil(double); double ceil(int);\n"
      "}\n"
      "int get(); bool maybe(); struct S { int m; };\n"
      "struct T { int size(int) const, count() const, next(); S part; };\n"
      "__global__ void k(float *a, long long n) {}\n"
      "inline int divUp(int a, int b) { return (a + b - 1) / b; }\n"
      "struct Layer { int m; void run(int n, unsigned u, float *a, S *s, T *t) "
      "{" +
      Before + "k<<<" + Grid + ", 64>>>(a, " + Argument + "); } };");
  EXPECT_EQ(Found.size(), 1U) << Grid;
  return Found.empty() ? FromArguments() : Found[0].GridFrom;
}

/// Whether it is n / By, rounded up, for all that a launch is made for.
static bool isRoundedUp(const FromArguments &Its, int64_t By) {
  if (!Its[0] || Its[1] || Its[2] || Its[0]->Argument != 1)
    return false;
  for (int64_t N = 1; N != 5000; ++N)
    if (Its[0]->extentFor(N) != (N + By - 1) / By)
      return false;
  return Its[0]->argumentFor(10) == 10 * By;
}

TEST(GridFromTest, IsTheArgumentRoundedUp) {
  for (const char *Grid :
       {"(n + 63) / 64", "(n - 1) / 64 + 1", "1 + (n - 1) / 64", "divUp(n, 64)",
        "(n + 63) >> 6", "(int)ceil(n / 64.0)", "(int)ceil((float)n / 64)",
        "(int)std::ceil(n / 64.0)", "std::max(1, (n + 63) / 64)",
        "dim3((n + 63) / 64)", "((size_t)n + 63) / 64", "(2 * n + 127) / 128"})
    EXPECT_TRUE(isRoundedUp(formulasFor(Grid), 64)) << Grid;
  EXPECT_TRUE(isRoundedUp(formulasFor("n"), 1));
  EXPECT_TRUE(isRoundedUp(formulasFor("(u + 63) / 64", "", "u"), 64));
  EXPECT_TRUE(isRoundedUp(formulasFor("divUp(m, 64)", "", "m"), 64));
  EXPECT_TRUE(isRoundedUp(formulasFor("divUp(s->m, 64)", "", "s->m"), 64));
  for (const char *Size : {"t->size(1)", "t->count()", "t->part.m"})
    EXPECT_TRUE(isRoundedUp(
        formulasFor(std::string("divUp(") + Size + ", 64)", "", Size), 64))
        << Size;
  EXPECT_TRUE(isRoundedUp(
      formulasFor("g", "int c = get(); const dim3 g = divUp(c, 64);", "c"),
      64));
  EXPECT_TRUE(isRoundedUp(
      formulasFor("divUp(n, 64)", "if (n > 1000 && maybe()) n = get();"), 64));
}

TEST(GridFromTest, KnowsEachAxisAndWhatStandsBesides) {
  FromArguments Its = formulasFor("dim3(3, n, (n + 7) / 8)");
  EXPECT_FALSE(Its[0]);
  EXPECT_EQ(Its[1], (FromArgument{1, 1, 0, 1}));
  EXPECT_EQ(Its[2], (FromArgument{1, 1, 7, 8}));
  // A warp for each row.
  EXPECT_EQ(formulasFor("(n * 32 + 255) / 256")[0],
            (FromArgument{1, 32, 255, 256}));
  // The kernel gets one less than the grid is for.
  EXPECT_EQ(formulasFor("n / 64", "", "n - 1")[0], (FromArgument{1, 1, 1, 64}));
}

TEST(GridFromTest, IsNothingElse) {
  for (const char *Grid :
       {"std::min((n + 63) / 64, 65535)", "(get() + 63) / 64", "n / 64 * 2",
        "(n + u) / 64", "n % 64", "(int)ceil(n / 64)", "(int)std::ceil(n / 64)",
        "u / 64", "maybe() ? n : u", "64 / n"}) {
    const FromArguments Its = formulasFor(Grid);
    // Whole blocks only are no rounding up.
    EXPECT_FALSE(isRoundedUp(Its, 64)) << Grid;
  }
  EXPECT_FALSE(formulasFor("std::min((n + 63) / 64, 65535)")[0]);
  EXPECT_FALSE(formulasFor("n / 64 * 2")[0]);
  // Other numbers than those that the grid was computed from.
  EXPECT_FALSE(formulasFor("g", "const int g = divUp(n, 64); n = get();")[0]);
  EXPECT_FALSE(
      formulasFor("g", "int g = divUp(n, 64); if (maybe()) n = get();")[0]);
  EXPECT_FALSE(formulasFor("g", "int g = n; while (maybe()) g = get();")[0]);
  EXPECT_FALSE(formulasFor("get()", "", "get()")[0]);
  EXPECT_FALSE(formulasFor("t->size(0)", "", "t->size(1)")[0]);
  EXPECT_FALSE(formulasFor("t->next()", "", "t->next()")[0]);
  EXPECT_FALSE(formulasFor("m", "", "s->m")[0]);
}
