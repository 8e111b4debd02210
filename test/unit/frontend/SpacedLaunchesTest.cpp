//===- SpacedLaunchesTest.cpp - "k<< <1, 32> >>(x)" -----------------------===//

#include "analyzer/frontend/SpacedLaunches.h"

#include <gtest/gtest.h>

using warpwise::frontend::joinLaunchBrackets;

namespace {

std::string joined(llvm::StringRef Source) {
  return joinLaunchBrackets(Source).value_or("nothing");
}

TEST(SpacedLaunches, BlanksMoveBehindTheBrackets) {
  EXPECT_EQ(joined("k<< <1, 32> >>(x);"), "k<<< 1, 32>>> (x);");
  EXPECT_EQ(joined("k<< <1, 32>> >(x);"), "k<<< 1, 32>>> (x);");
  EXPECT_EQ(joined("k < <<1, 32> > >(x);"), "k <<< 1, 32>>>  (x);");
  EXPECT_EQ(joined("k<<\n  <1, 32>>>(x);"), "k<<<\n  1, 32>>>(x);");
  EXPECT_EQ(joined("k<<<1, 32>> >(x);"), "k<<<1, 32>>> (x);");
}

TEST(SpacedLaunches, BehindEveryExpression) {
  EXPECT_EQ(joined("k<16> << <f(a >> 2), (b > c)>> >(x);"),
            "k<16> <<< f(a >> 2), (b > c)>>> (x);");
  EXPECT_EQ(joined("k<A<int>> << <1, 2>> >();"), "k<A<int>> <<< 1, 2>>> ();");
  EXPECT_EQ(joined("ks[0]<< <1, 2>> >(); (p)<< <1, 2>> >();"),
            "ks[0]<<< 1, 2>>> (); (p)<<< 1, 2>>> ();");
  EXPECT_EQ(joined("k<< <1, [] { return 2; }()>> >();"),
            "k<<< 1, [] { return 2; }()>>> ();");
}

TEST(SpacedLaunches, NothingElseIsTouched) {
  for (const char *Source :
       {"k<<<1, 32>>>(x);", "a << b; c < d; e >> f;", "A<B<C> > x(1);",
        "friend O &operator<< <T>(O &, A<B<T> >);",
        "template <> O &operator<< <A<B<int> > >(O &);",
        "\"k<< <1, 32>> >(x)\";", "// k<< <1, 32>> >(x)\n",
        "/* k<< <1, 32>> >(x) */", "R\"(k<< <1, 32>> >(x))\";",
        "k<< <1, 32; >> >(x)", "k<< <1, 32)>> >(x)", "k<< <1, 32>> > x",
        "k<< /**/ <1, 32>> >(x)", "<< <1, 32>> >(x)", "k<< <1, 32", ""})
    EXPECT_EQ(joined(Source), "nothing") << Source;
}

} // namespace
