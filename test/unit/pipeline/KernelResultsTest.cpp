//===- KernelResultsTest.cpp - Results that processes share ---------------===//

#include "analyzer/pipeline/KernelResults.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace warpwise::pipeline {
namespace {

KernelDigest digest(uint8_t First) {
  KernelDigest D{};
  D[0] = First;
  return D;
}

/// Runs \p Body in a process of its own, to its end.
template <typename T> void inChild(T Body) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    Body();
    ::_exit(0);
  }
  int Status = 0;
  ::waitpid(Child, &Status, 0);
}

TEST(KernelResults, AreFoundByOtherProcesses) {
  const auto Shared = KernelResults::create(1 << 20);
  ASSERT_TRUE(Shared);
  EXPECT_FALSE(Shared->find(digest(1)));
  inChild([&] { Shared->add(digest(1), "one"); });
  inChild([&] {
    if (Shared->find(digest(1)) == "one")
      Shared->add(digest(2), "two");
  });
  EXPECT_EQ(Shared->find(digest(1)), "one");
  EXPECT_EQ(Shared->find(digest(2)), "two");
  EXPECT_FALSE(Shared->find(digest(3)));
  EXPECT_FALSE(Shared->isFull());
}

TEST(KernelResults, LeaveOutWhatHasNoRoom) {
  const auto Shared = KernelResults::create(1 << 16);
  ASSERT_TRUE(Shared);
  const std::string Large(20'000, 'x');
  for (uint8_t N = 0; N != 9; ++N)
    Shared->add(digest(N), Large + char('a' + N));
  EXPECT_TRUE(Shared->isFull());
  EXPECT_EQ(Shared->find(digest(0)), Large + 'a');
  EXPECT_FALSE(Shared->find(digest(8)));
}

TEST(KernelResults, ManySmallOnesFillIt) {
  const auto Shared = KernelResults::create(1 << 16);
  ASSERT_TRUE(Shared);
  for (unsigned N = 0; N != 300; ++N)
    Shared->add(digest(uint8_t(N)), "small");
  EXPECT_TRUE(Shared->isFull());
  EXPECT_EQ(Shared->find(digest(0)), "small");
}

TEST(KernelResults, AProcessThatIsKilledHurtsNobody) {
  const auto Shared = KernelResults::create(1 << 20);
  ASSERT_TRUE(Shared);
  for (int Round = 0; Round != 20; ++Round) {
    const pid_t Child = ::fork();
    if (Child == 0)
      for (;;)
        Shared->add(digest(uint8_t(Round)), std::string(500, char(Round)));
    ::usleep(useconds_t(37 * Round));
    ::kill(Child, SIGKILL);
    int Status = 0;
    ::waitpid(Child, &Status, 0);
  }
  for (int Round = 0; Round != 20; ++Round)
    if (const auto Found = Shared->find(digest(uint8_t(Round)))) {
      EXPECT_EQ(*Found, std::string(500, char(Round)));
    }
}

} // namespace
} // namespace warpwise::pipeline
