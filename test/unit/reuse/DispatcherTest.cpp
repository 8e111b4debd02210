//===- DispatcherTest.cpp - When SMs with room get their next blocks ------===//

#include "analyzer/reuse/Dispatcher.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

/// "SM@cycle" of all turns until no SM has room.
std::string turns(Dispatcher &D) {
  std::string Text;
  while (const std::optional<Dispatcher::Turn> T = D.next())
    Text += std::to_string(T->Sm) + "@" + std::to_string(T->When) + " ";
  return Text;
}

TEST(Dispatcher, BlocksThatEndTogetherAreReplacedInRounds) {
  Dispatcher D(3, 2);
  for (unsigned Sm : {0, 0, 0, 1, 1, 2})
    D.ended({Sm, 100});
  EXPECT_EQ(turns(D), "0@100 1@102 2@104 0@106 1@108 0@110 ");
}

TEST(Dispatcher, OtherwiseTheFirstToEndIsFirst) {
  Dispatcher D(3, 2);
  D.ended({2, 300});
  D.ended({1, 100});
  D.ended({0, 200});
  EXPECT_EQ(turns(D), "1@100 0@200 2@300 ");
}

TEST(Dispatcher, ABacklogLastsOverCalls) {
  Dispatcher D(2, 50);
  D.ended({0, 10});
  D.ended({0, 10});
  EXPECT_EQ(turns(D), "0@10 0@60 ");
  D.ended({1, 70});
  D.ended({0, 65});
  EXPECT_EQ(turns(D), "0@110 1@160 ");
  EXPECT_EQ(turns(D), "");
}

} // namespace
